//! Estimates against the truth, errors by true prevalence, and their distributions by method.

use super::{Evaluated, GREY, Panel, Ticks, colour, errors_of, name, panels, points, unit_axis};
use crate::figure::boxes::{Row, boxes};
use crate::figure::palette::SERIES;
use kuva::backend::svg::SvgBackend;
use kuva::plot::LinePlot;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

/// Bins of the true prevalence.
const BINS: usize = 10;

/// Marks of methods with the same colour.
const MARKERS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond];

/// Estimated against true prevalence, one panel per method.
pub fn diagonal(evaluated: &Evaluated) -> String {
    let panel = |(i, method)| -> Panel {
        let estimates = errors_of(evaluated, method).map(|(truth, error)| (truth, truth + error)).collect();
        let line = LinePlot::new().with_data([(0.0, 0.0), (1.0, 1.0)]).with_color(GREY).with_dashed();
        let plots = vec![points(estimates, colour(i)), line.into()];
        let layout = unit_axis(Layout::auto_from_plots(&plots).with_title(name(method)))
            .with_y_label("estimated prevalence")
            .with_y_axis_min(0.0)
            .with_y_axis_max(1.0)
            .with_y_tick_format(TickFormat::Fixed(1));
        (plots, layout)
    };
    panels(evaluated.methods.iter().enumerate().map(panel).collect())
}

/// Mean absolute error and bias in bins of the true prevalence, one line per method, with gaps at bins without samples.
pub fn by_prevalence(evaluated: &Evaluated) -> String {
    let (absolute, largest) = lines(evaluated, f64::abs);
    let (bias, farthest) = lines(evaluated, |error| error);
    let axes = |plots: &[Plot], label: &str, largest: f64, steps: u8| {
        let Ticks { end, step, digits } = Ticks::new(largest, steps);
        let layout = unit_axis(Layout::auto_from_plots(plots)).with_y_label(label).with_y_axis_max(end);
        layout.with_y_tick_step(step).with_y_tick_format(TickFormat::Fixed(digits))
    };
    let bias_axes = axes(&bias, "bias", farthest, 3);
    let lowest = -Ticks::new(farthest, 3).end;
    let layouts = vec![
        axes(&absolute, "mean absolute error", largest, 5).with_y_axis_min(0.0),
        bias_axes.with_y_axis_min(lowest).with_reference_line(ReferenceLine::horizontal(0.0).with_color(GREY)),
    ];
    let figure = Figure::new(1, 2).with_cell_size(430.0, 360.0).with_shared_legend();
    SvgBackend.render_scene(&figure.with_plots(vec![absolute, bias]).with_layouts(layouts).render())
}

/// The mean over the samples of each nonempty bin, at their mean prevalence; and the largest absolute value.
fn lines(evaluated: &Evaluated, of: impl Fn(f64) -> f64) -> (Vec<Plot>, f64) {
    let mut largest: f64 = 0.0;
    let mut plots = Vec::new();
    for (i, method) in evaluated.methods.iter().enumerate() {
        let mut sums = [(0.0, 0.0, 0.0); BINS];
        for (truth, error) in errors_of(evaluated, method) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the bins
            let bin = ((truth * BINS as f64) as usize).min(BINS - 1);
            let (n, truths, errors) = &mut sums[bin];
            *n += 1.0;
            *truths += truth;
            *errors += of(error);
        }
        let means = sums.map(|(n, truths, errors)| (n > 0.0).then(|| (truths / n, errors / n)));
        for run in means.split(Option::is_none).filter(|run| !run.is_empty()) {
            let line = LinePlot::new().with_data(run.iter().copied().flatten()).with_color(colour(i));
            plots.push(Plot::Line(if i < SERIES.len() { line } else { line.with_dashed() }));
        }
        largest = means.iter().flatten().fold(largest, |largest, (_, mean)| largest.max(mean.abs()));
        // After the last colour, the colours start again with broken lines; the marks tell these apart in the legend
        // too.
        let marker = MARKERS[i / SERIES.len() % MARKERS.len()];
        let marks = ScatterPlot::new().with_data(means.into_iter().flatten()).with_color(colour(i)).with_marker(marker);
        plots.push(marks.with_size(3.0).with_legend(name(method)).into());
    }
    (plots, largest)
}

/// Distribution of estimate − truth by method.
pub fn signed(evaluated: &Evaluated) -> String {
    let line = ReferenceLine::vertical(0.0).with_color(GREY);
    boxed(
        evaluated,
        |error| error,
        |layout| layout.with_title("Errors").with_x_label("estimate less truth").with_reference_line(line),
    )
}

/// Distribution of |estimate − truth| by method.
pub fn absolute(evaluated: &Evaluated) -> String {
    boxed(evaluated, f64::abs, |layout| {
        layout.with_title("Absolute errors").with_x_label("distance of estimate and truth").with_x_axis_min(0.0)
    })
}

/// One box per method.
fn boxed(evaluated: &Evaluated, of: impl Fn(f64) -> f64, axes: impl FnOnce(Layout) -> Layout) -> String {
    // The first row is drawn at the bottom.
    let methods = evaluated.methods.iter().enumerate().rev();
    let row = |(i, method)| Row::new(name(method), colour(i), errors_of(evaluated, method).map(|(_, error)| of(error)));
    let plots = boxes(&methods.filter_map(row).collect::<Vec<_>>(), f64::INFINITY);
    let height = 110.0 + 46.0 * evaluated.methods.len() as f64;
    let layout = axes(Layout::auto_from_plots(&plots)).with_width(700.0).with_height(height);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}
