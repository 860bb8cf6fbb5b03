//! The figure of planning: the number of labelled scores that a goal requires for each number of
//! unlabelled scores, one curve per method, and the plans of the table.

use crate::drawing::palette::SERIES;
use crate::drawing::{Drawing, FigureSize};
use kuva::plot::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use std::sync::Arc;
use truecount_analysis::plan::{Plans, finite_sizes};
use truecount_analysis::spelling::Interface;

/// Draws the curves; `None` if no number of scores reaches the goal.
pub fn draw(plans: &Plans, size: FigureSize) -> Option<Drawing> {
    let mut plots = Vec::new();
    let several = plans.planners.len() > 1;
    for (i, (method, (unlabelled, labelled))) in plans.curves()?.into_iter().enumerate() {
        // Once all colours are used, they start again with dashed lines.
        let (colour, dashed) = (SERIES[i % SERIES.len()], i >= SERIES.len());
        let line = LinePlot::new().with_data(unlabelled.into_iter().zip(labelled)).with_color(colour);
        let line = if dashed { line.with_dashed() } else { line };
        plots.push(Plot::Line(if several { line.with_legend(method) } else { line }));
        let rows = plans.rows.iter().filter(|row| row.method == method && matches!(row.split, "best" | "given"));
        let sizes = rows.filter_map(|row| finite_sizes(&row.plan));
        plots.push(Plot::Scatter(ScatterPlot::new().with_data(sizes).with_color(colour).with_size(4.0)));
    }
    let note = plans.notes(Interface::Shell).swap_remove(0);
    let goal = note.sentence().trim_start_matches("goal: ").split(" (").next().unwrap_or_default();
    let mut layout = Layout::auto_from_plots(&plots)
        .with_title(format!("Numbers of scores that reach the goal: {goal}"))
        .with_x_label("unlabelled scores")
        .with_y_label("labelled scores, best split")
        .with_log_scale()
        .with_tick_format(TickFormat::Custom(Arc::new(format_short)));
    // Kuva leaves no room for the last number of a logarithmic axis.
    layout.horizon_right_annot_px = 10.0;
    let description = "Labelled scores needed for each number of unlabelled scores.";
    Some(Drawing::new((plots, layout), size.pixels(), description))
}

/// Formats a number with a unit, such as 20000 as 20k.
fn format_short(number: f64) -> String {
    let (scaled, unit) = match number {
        1e6.. => (1e-6 * number, "M"),
        1e3.. => (1e-3 * number, "k"),
        _ => (number, ""),
    };
    format!("{scaled:.0}{unit}")
}
