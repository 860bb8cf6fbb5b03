//! Estimates against the truth, errors by true prevalence, and their distributions by method.

use super::{Evaluated, GREY, Panel, colour, name, panels, points, unit_axis};
use kuva::backend::svg::SvgBackend;
use kuva::plot::{BoxPlot, LinePlot, StripPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use truecount_studies::palette::SERIES;

/// Bins of the true prevalence.
const BINS: usize = 10;

/// Estimated against true prevalence, a panel a method.
pub fn diagonal(evaluated: &Evaluated) -> String {
    let panel = |(i, method)| -> Panel {
        let estimates = evaluated.errors(method).map(|(truth, error)| (truth, truth + error)).collect();
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

/// Mean absolute error and bias in bins of the true prevalence, a line a method.
pub fn by_prevalence(evaluated: &Evaluated) -> String {
    let absolute = lines(evaluated, f64::abs);
    let bias = lines(evaluated, |error| error);
    let axes = |plots: &[Plot], label: &str| unit_axis(Layout::auto_from_plots(plots)).with_y_label(label);
    let layouts = vec![
        axes(&absolute, "mean absolute error").with_y_axis_min(0.0),
        axes(&bias, "bias").with_reference_line(ReferenceLine::horizontal(0.0).with_color(GREY)),
    ];
    let figure = Figure::new(1, 2).with_cell_size(430.0, 360.0).with_shared_legend();
    SvgBackend.render_scene(&figure.with_plots(vec![absolute, bias]).with_layouts(layouts).render())
}

/// Means of the samples in each bin that has some, at their mean prevalence.
fn lines(evaluated: &Evaluated, of: impl Fn(f64) -> f64) -> Vec<Plot> {
    let line = |(i, method)| {
        let mut sums = [(0.0, 0.0, 0.0); BINS];
        for (truth, error) in evaluated.errors(method) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the bins
            let bin = ((truth * BINS as f64) as usize).min(BINS - 1);
            let (n, truths, errors) = &mut sums[bin];
            *n += 1.0;
            *truths += truth;
            *errors += of(error);
        }
        let filled = sums.into_iter().filter(|(n, ..)| *n > 0.0);
        let means: Vec<(f64, f64)> = filled.map(|(n, truths, errors)| (truths / n, errors / n)).collect();
        let line = LinePlot::new().with_data(means).with_color(colour(i)).with_legend(name(method));
        // The next methods have the same colours and broken lines.
        Plot::Line(if i < SERIES.len() { line } else { line.with_dashed() })
    };
    evaluated.methods.iter().enumerate().map(line).collect()
}

/// Distribution of estimate − truth by method.
pub fn signed(evaluated: &Evaluated) -> String {
    let line = ReferenceLine::vertical(0.0).with_color(GREY);
    boxes(
        evaluated,
        |error| error,
        |layout| layout.with_title("Errors").with_x_label("estimate less truth").with_reference_line(line),
    )
}

/// Distribution of |estimate − truth| by method.
pub fn absolute(evaluated: &Evaluated) -> String {
    boxes(evaluated, f64::abs, |layout| {
        layout.with_title("Absolute errors").with_x_label("distance of estimate and truth").with_x_axis_min(0.0)
    })
}

/// Boxes with the quartiles, whiskers to the last error within one and a half times their distance, and a dot for each beyond.
fn boxes(evaluated: &Evaluated, of: impl Fn(f64) -> f64, axes: impl FnOnce(Layout) -> Layout) -> String {
    let mut boxes = BoxPlot::new().with_horizontal(true).with_width(0.6);
    let mut beyond = StripPlot::new().with_horizontal(true).with_jitter(0.12).with_point_size(1.4);
    let mut colours = Vec::new();
    // The first row stands lowest.
    for (i, method) in evaluated.methods.iter().enumerate().rev() {
        let mut errors: Vec<f64> = evaluated.errors(method).map(|(_, error)| of(error)).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let [low, high] = [0.25, 0.75].map(|share| quantile(&errors, share));
        let far = 1.5 * (high - low);
        let outside = errors.iter().copied().filter(|error| *error < low - far || *error > high + far);
        beyond = beyond.with_group(name(method), outside.collect::<Vec<_>>());
        boxes = boxes.with_group(name(method), errors);
        colours.push(colour(i).to_owned());
    }
    let beyond = beyond.with_group_colors(colours.clone()).with_marker_opacity(0.5);
    let plots = vec![Plot::Box(boxes.with_group_colors(colours)), Plot::Strip(beyond)];
    let height = 110.0 + 46.0 * evaluated.methods.len() as f64;
    let layout = axes(Layout::auto_from_plots(&plots)).with_width(700.0).with_height(height);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}

/// Of sorted values, linear between them: as the boxes are drawn.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of their number
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place as usize], sorted[place.ceil() as usize]);
    below + place.fract() * (above - below)
}
