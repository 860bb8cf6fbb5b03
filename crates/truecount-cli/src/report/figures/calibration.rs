//! What a score tells of its row: the smoothed share of positives by score, over the shares among the labelled scores themselves.

use super::SIZE;
use super::scores::window;
use crate::figure::palette::{BLUE, VERMILION};
use crate::figure::{Drawing, entry, line, percentages, with_legend};
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::PerClass;
use truecount::quantifier::CalibrationBin;

pub fn draw(bins: &[CalibrationBin], labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let (mut steps, mut observed) = (Vec::new(), Vec::new());
    for (bin, (from, end)) in bins.iter().zip(bounds(bins, (low, high))) {
        let smoothed = 1.0 / (1.0 + (-bin.log_ratio).exp());
        steps.extend([(from, smoothed), (end, smoothed)]);
        observed.extend(share(bin).filter(|_| from < end).map(|share| (0.5 * (from + end), share)));
    }
    let dots = ScatterPlot::new().with_data(observed).with_color(VERMILION).with_size(2.5);
    let plots = vec![dots.into(), Plot::Line(line(steps, BLUE).with_stroke_width(2.0))];
    let legend =
        vec![entry("smoothed", BLUE, LegendShape::Line), entry("labelled scores", VERMILION, LegendShape::Circle)];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("What a score tells")
        .with_x_label("score")
        .with_y_label("share of positives")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_format(percentages());
    let words = format!(
        "The share of positives among as many labelled scores of each class, in {} bins of the score, and the smooth curve through them.",
        bins.len()
    );
    Drawing::new((plots, with_legend(layout, legend)), SIZE, words)
}

/// Where each bin begins and ends in a picture of this range.
pub fn bounds(bins: &[CalibrationBin], (low, high): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    let within = move |x: f64| x.clamp(low, high);
    let ends = bins.iter().skip(1).filter_map(|bin| bin.from).chain([f64::INFINITY]);
    bins.iter().zip(ends).map(move |(bin, end)| (within(bin.from.unwrap_or(f64::NEG_INFINITY)), within(end)))
}

/// The share of positives in a bin, each class weighing one half; none in an empty bin.
fn share(bin: &CalibrationBin) -> Option<f64> {
    let PerClass { positive, negative } = bin.share;
    (positive + negative > 0.0).then(|| positive / (positive + negative))
}
