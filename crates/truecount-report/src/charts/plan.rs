//! The figure of planning: the number of labelled scores that a goal requires for each number of
//! unlabelled scores, one curve per method, and the plans of the table.

use crate::drawing::palette::series;
use crate::drawing::{Drawing, FigureSize, entry, line, with_legend};
use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use std::sync::Arc;
use truecount_analysis::plan::{Plans, finite_sizes};
use truecount_analysis::spelling::Interface;

/// Draws the curves; `None` if no number of scores reaches the goal.
pub fn draw(plans: &Plans, size: FigureSize) -> Option<Drawing> {
    let (mut plots, mut legend): (Vec<Plot>, _) = (Vec::new(), Vec::new());
    for (i, (method, (unlabelled, labelled))) in plans.curves()?.into_iter().enumerate() {
        let (colour, marker) = series(i);
        plots.push(line(unlabelled.into_iter().zip(labelled).collect(), colour).into());
        legend.push(entry(method, colour, LegendShape::Marker(marker)));
        let rows = plans.rows.iter().filter(|row| row.method == method && matches!(row.split, "best" | "given"));
        let sizes = rows.filter_map(|row| finite_sizes(&row.plan));
        let points = ScatterPlot::new().with_data(sizes).with_color(colour).with_marker(marker);
        plots.push(points.with_size(4.0).into());
    }
    let note = plans.notes(Interface::Shell, false).swap_remove(0);
    let goal = note.sentence().trim_start_matches("goal: ").split(" (").next().unwrap_or_default();
    let mut layout = Layout::auto_from_plots(&plots)
        .with_title(format!("Numbers of scores that reach the goal: {goal}"))
        .with_x_label("unlabelled scores")
        .with_y_label("labelled scores, best split")
        .with_log_scale()
        .with_tick_format(TickFormat::Custom(Arc::new(format_short)));
    // Kuva leaves no room for the last number of a logarithmic axis.
    layout.horizon_right_annot_px = 10.0;
    let layout = if legend.len() > 1 { with_legend(layout, legend) } else { layout };
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
