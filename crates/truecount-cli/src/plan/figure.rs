//! The labelled scores that a goal requires for each number of unlabelled ones, one curve per method, and the plans of
//! the table.

use kuva::backend::svg::SvgBackend;
use kuva::plot::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use std::sync::Arc;
use truecount::inference::{Goal, Planner, PrecisionMeasure, Size, Split};
use truecount_io::planned::Plans;
use truecount_studies::palette::SERIES;

/// Points of a curve.
const POINTS: u32 = 60;

/// A curve begins at this share above the fewest unlabelled scores, and goes on to this many times the fewest.
const FIRST: f64 = 0.03;
const SPAN: f64 = 100.0;

/// The picture, unless no number of scores reaches the goal.
pub fn draw(report: &Plans, goal: Goal) -> Option<String> {
    let mut plots = Vec::new();
    let several = report.planners.len() > 1;
    let fewest: Vec<f64> = report.fewest(goal).collect();
    let last = SPAN * fewest.iter().copied().fold(f64::INFINITY, f64::min);
    for (i, (quantifier, planner)) in report.planners.iter().enumerate() {
        // The next methods have the same colours and broken lines.
        let (colour, dashed) = (SERIES[i % SERIES.len()], i >= SERIES.len());
        let line = LinePlot::new().with_data(curve(planner, goal, fewest[i], last)?).with_color(colour);
        let line = if dashed { line.with_dashed() } else { line };
        plots.push(Plot::Line(if several { line.with_legend(quantifier.method().to_string()) } else { line }));
        let rows =
            report.rows.iter().filter(|row| row.method == quantifier.method() && matches!(row.split, "best" | "given"));
        let chosen = rows.filter_map(|row| both(row.plan.unlabelled, row.plan.labelled_in_all()));
        plots.push(Plot::Scatter(ScatterPlot::new().with_data(chosen).with_color(colour).with_size(4.0)));
    }
    let measure = match goal.measure() {
        PrecisionMeasure::StandardError => "Standard error",
        PrecisionMeasure::HalfWidth => "Half-width",
    };
    let place = report.prevalence.map_or("any prevalence".to_owned(), |alpha| format!("prevalence {alpha}"));
    let name = if several { String::new() } else { format!(" by {}", report.planners[0].0.method()) };
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("{measure} at most {} at {place}{name}", goal.at_most()))
        .with_x_label("unlabelled scores")
        .with_y_label("labelled scores, best split")
        .with_log_scale()
        .with_tick_format(TickFormat::Custom(Arc::new(short)))
        .with_width(600.0)
        .with_height(440.0);
    Some(SvgBackend.render_scene(&render_multiple(plots, layout)))
}

/// Sizes that reach the goal, their distances from the fewest unlabelled scores evenly apart on a logarithmic scale; to
/// the last that is drawn, or a little farther where the method needs more; none where it needs more than there can be.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // numbers of scores
fn curve(planner: &Planner, goal: Goal, fewest: f64, last: f64) -> Option<Vec<(f64, f64)>> {
    let most = (last / fewest - 1.0).max(1.0);
    let more = |k: u32| FIRST * (most / FIRST).powf(f64::from(k) / f64::from(POINTS - 1));
    let at = |k: u32| Size::Of((fewest * (1.0 + more(k))).ceil() as u64);
    let plans = (0..POINTS).map(|k| planner.labelled(goal, at(k), Split::Least(goal.measure())));
    let points = plans.filter_map(|plan| both(plan.unlabelled, plan.labelled_in_all()));
    fewest.is_finite().then(|| points.collect())
}

/// A point, where both sizes have an end.
fn both(unlabelled: Size, labelled: Size) -> Option<(f64, f64)> {
    match (unlabelled, labelled) {
        (Size::Of(n), Size::Of(m)) => Some((n as f64, m as f64)),
        _ => None,
    }
}

/// 20000 as 20k.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        1e6.. => (1e-6 * number, "M"),
        1e3.. => (1e-3 * number, "k"),
        _ => (number, ""),
    };
    format!("{scaled:.0}{unit}")
}
