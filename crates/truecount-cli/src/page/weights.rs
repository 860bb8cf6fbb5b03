//! How much each edge between bins counts in Efficient Sweep, at the prevalence that was estimated.

use crate::figure::palette::BLUE;
use crate::figure::{Drawing, line};
use crate::report::{SIZE, ascending, window};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use std::sync::Arc;
use truecount::LabelledScores;
use truecount::quantifier::BinnedSweep;

pub fn draw(sweep: &BinnedSweep, prevalence: f64, labelled: &LabelledScores) -> Drawing {
    let (low, high) = window(&labelled.scores().map(|scores: &Vec<f64>| ascending(scores)));
    let edges = sweep.bins().into_iter().filter_map(|bin| bin.from);
    let points: Vec<(f64, f64)> =
        edges.zip(sweep.weights(prevalence)).filter(|(edge, _)| (low..=high).contains(edge)).collect();
    let plots = vec![Plot::Line(line(points, BLUE).with_stroke_width(2.0))];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("What each threshold counts for")
        .with_x_label("threshold")
        .with_y_label("weight of its Adjusted Count")
        .with_x_axis_min(low)
        .with_x_axis_max(high)
        .with_y_axis_min(0.0)
        .with_y_tick_format(TickFormat::Custom(Arc::new(weight)));
    let words =
        "The weight of Adjusted Count at each of Efficient Sweep's thresholds, at the prevalence that it estimates.";
    Drawing::new((plots, layout), SIZE, words)
}

/// Small weights without powers of ten, which the other ticks have not.
fn weight(at: f64) -> String {
    format!("{at:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
