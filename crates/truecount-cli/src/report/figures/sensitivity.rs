//! What no check can see: by how much the estimate moves if some items of a class have other scores, by where these lie.

use super::SIZE;
use super::calibration::bounds;
use super::scores::window;
use crate::figure::palette::{BLUE, VERMILION};
use crate::figure::{Drawing, entry, line, with_legend};
use crate::report::words::share;
use kuva::plot::legend::LegendShape;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::quantifier::BinnedSweep;
use truecount::{Class, PerClass};

/// How much of a class is supposed to score otherwise.
pub const SUPPOSED: f64 = 0.02;

pub fn draw(sweep: &BinnedSweep, estimate: f64, labelled: &PerClass<Vec<f64>>) -> Drawing {
    let (low, high) = window(labelled);
    let bins = sweep.bins();
    let steps = |class: Class| {
        let each = bounds(&bins, (low, high)).zip(sweep.moves(class, SUPPOSED, estimate));
        each.flat_map(|((from, end), by)| [(from, 100.0 * by), (end, 100.0 * by)]).collect::<Vec<_>>()
    };
    let plot = |class: Class, colour: &str| Plot::Line(line(steps(class), colour).with_stroke_width(2.0));
    let plots = vec![plot(Class::Negative, BLUE), plot(Class::Positive, VERMILION)];
    let legend = vec![
        entry("of the negatives", BLUE, LegendShape::Line),
        entry("of the positives", VERMILION, LegendShape::Line),
    ];
    let percent = share(SUPPOSED, 0);
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("If {percent} scored otherwise"))
        .with_x_label("score that they have")
        .with_y_label("estimate moves by (points)")
        .with_x_axis_min(low)
        .with_x_axis_max(high);
    let words = format!(
        "By how many points the estimate moves if {percent} of the negatives, or of the positives, have a score other than the labelled ones, by score."
    );
    Drawing::new((plots, with_legend(layout, legend)), SIZE, words)
}

/// The most that the estimate moves by, up or down.
pub fn most(sweep: &BinnedSweep, estimate: f64) -> f64 {
    let moves = [Class::Negative, Class::Positive].map(|class| sweep.moves(class, SUPPOSED, estimate));
    moves.iter().flatten().fold(0.0, |most, by| by.abs().max(most))
}
