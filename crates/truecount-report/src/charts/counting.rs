//! The bias of counting: the expected share that a classifier counts, against the true share.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, SIZE, dashed_entry, entry, line, unit_axes, with_legend};
use crate::words::{sentence, share};
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

/// Draws the expected count of a classifier with this sensitivity and specificity, with a mark at
/// this prevalence. Returns the drawing and its description.
pub fn draw(sensitivity: f64, specificity: f64, prevalence: f64) -> (Drawing, String) {
    let [sensitivity, specificity, prevalence] = [sensitivity, specificity, prevalence].map(|x| x.clamp(0.0, 1.0));
    let false_positive_rate = 1.0 - specificity;
    let expected_count = |prevalence: f64| prevalence * sensitivity + (1.0 - prevalence) * false_positive_rate;
    let count = expected_count(prevalence);
    let plots = vec![
        Plot::Line(line(vec![(0.0, 0.0), (1.0, 1.0)], GREY).with_dashed()),
        Plot::Line(line(vec![(0.0, expected_count(0.0)), (1.0, expected_count(1.0))], BLUE).with_stroke_width(2.0)),
        ScatterPlot::new().with_data(vec![(prevalence, count)]).with_color(VERMILION).with_size(5.0).into(),
    ];
    let layout = unit_axes(Layout::auto_from_plots(&plots).with_title("Counted share against true share"));
    let layout = layout.with_x_label("true share of positives").with_y_label("share that is counted");
    let legend =
        vec![entry("the classifier's count", BLUE, LegendShape::Line), dashed_entry("a count without errors", GREY)];
    let description = sentence(&format!(
        "where {} are positive, the classifier counts {}: {} true positives and {} false alarms",
        share(prevalence, 1),
        share(count, 1),
        share(prevalence * sensitivity, 1),
        share((1.0 - prevalence) * false_positive_rate, 1)
    ));
    (Drawing::new((plots, with_legend(layout, legend)), SIZE, description.clone()), description)
}
