//! Why counting is wrong: the share that a classifier with these error rates counts, for every
//! share that there may be.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, GREY, SIZE, broken, entry, line, percentages, with_legend};
use crate::words::{sentence, share};
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

/// The chart of a classifier with this sensitivity and specificity at this prevalence, and what it
/// says.
pub fn counting(sensitivity: f64, specificity: f64, prevalence: f64) -> (Drawing, String) {
    let [hits, specificity, there] = [sensitivity, specificity, prevalence].map(|x| x.clamp(0.0, 1.0));
    let false_alarms = 1.0 - specificity;
    // Expected by the classifier's two rates: true positives and false alarms.
    let counted = |there: f64| there * hits + (1.0 - there) * false_alarms;
    let counts = counted(there);
    let plots = vec![
        Plot::Line(line(vec![(0.0, 0.0), (1.0, 1.0)], GREY).with_dashed()),
        Plot::Line(line(vec![(0.0, counted(0.0)), (1.0, counted(1.0))], BLUE).with_stroke_width(2.0)),
        ScatterPlot::new().with_data(vec![(there, counts)]).with_color(VERMILION).with_size(5.0).into(),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("What is counted, by what there is")
        .with_x_label("share of positives that there is")
        .with_y_label("share that is counted")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_x_tick_format(percentages())
        .with_y_tick_format(percentages());
    let legend = vec![entry("the classifier's count", BLUE, LegendShape::Line), broken("a count without errors", GREY)];
    let said = sentence(&format!(
        "where {} are positive, the classifier counts {}: {} true positives and {} false alarms",
        share(there, 1),
        share(counts, 1),
        share(there * hits, 1),
        share((1.0 - there) * false_alarms, 1)
    ));
    let drawing = Drawing::new((plots, with_legend(layout, legend)), SIZE, said.clone());
    (drawing, said)
}
