//! The figures of an evaluation: estimates against the truth, errors by true prevalence, distributions of the errors by
//! method, and differences of the errors from those of the reference method.

use crate::drawing::boxes::{BoxRow, boxes};
use crate::drawing::palette::series;
use crate::drawing::{Drawing, FigureSize, GREY, Panel, line, percentages, points, signed_points, title, unit_axes};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount::evaluation::PairedComparison;
use truecount_analysis::evaluation::{MethodEstimates, SampleEstimates};

/// File names of the figures.
pub const FILES: [&str; 4] = ["diagonal.svg", "error-by-prevalence.svg", "errors.svg", "differences-by-prevalence.svg"];

/// Draws all figures and returns them with their file names. The figure of differences requires two methods or more.
pub fn draw(evaluated: &SampleEstimates, reference: usize, size: FigureSize) -> Vec<(&'static str, Drawing)> {
    let mut figures = vec![diagonal(evaluated, size), errors_by_prevalence(evaluated, size), errors(evaluated, size)];
    if evaluated.methods.len() > 1 {
        figures.push(differences_by_prevalence(evaluated, reference, size));
    }
    FILES.into_iter().zip(figures).collect()
}

/// The label of the axis of true prevalences.
const TRUTH: &str = "true prevalence";

/// Number of bins of the true prevalence.
const BINS: usize = 10;

/// Minimum length of an axis of errors, which may all be 0.
const MIN_AXIS: f64 = 1e-3;

/// Draws estimated against true prevalence, one panel per method.
fn diagonal(evaluated: &SampleEstimates, size: FigureSize) -> Drawing {
    let panel = |(i, method)| -> Panel {
        let estimates = errors_of(evaluated, method).map(|(truth, error)| (truth, truth + error)).collect();
        let truth = line(vec![(0.0, 0.0), (1.0, 1.0)], GREY).with_dashed();
        let plots = vec![dots(estimates, i), truth.into()];
        let layout = unit_axes(Layout::auto_from_plots(&plots).with_title(title(&method.name)));
        (plots, layout.with_x_label(TRUTH).with_y_label("estimated prevalence"))
    };
    let description = "Estimated against true prevalences of the samples, a panel for each method.";
    panels(evaluated.methods.iter().enumerate().map(panel).collect(), size, description)
}

/// Draws mean absolute error and bias in bins of the true prevalence, one line per method, with
/// gaps at bins without samples.
fn errors_by_prevalence(evaluated: &SampleEstimates, size: FigureSize) -> Drawing {
    let (absolute, max_error) = mean_lines(evaluated, f64::abs);
    let (bias, max_bias) = mean_lines(evaluated, |error| error);
    let axes = |plots: &[Plot], title: &str| unit_axis(Layout::auto_from_plots(plots)).with_title(title);
    let error_axes = axes(&absolute, "Mean absolute error (points)").with_y_tick_format(points());
    let error_axes = error_axes.with_y_axis_min(0.0).with_y_axis_max(max_error);
    let bias_axes = symmetric_axis(axes(&bias, "Mean error (points)"), max_bias);
    let (width, height) = size.or_slide(1, (860.0, 360.0));
    let figure = Figure::new(1, 2).with_figure_size(width, height).with_shared_legend();
    let panels = vec![(vec![0], (absolute, error_axes)), (vec![1], (bias, bias_axes))];
    let description = "Mean absolute and mean errors of each method by true prevalence, in points.";
    Drawing::from_panels(figure, panels, 0.5 * width, description)
}

/// Draws the means of a function of the error over the samples of each nonempty bin, at their mean
/// prevalence. Returns the plots and the largest absolute mean.
fn mean_lines(evaluated: &SampleEstimates, f: impl Fn(f64) -> f64) -> (Vec<Plot>, f64) {
    let mut max = MIN_AXIS;
    let mut plots = Vec::new();
    for (i, method) in evaluated.methods.iter().enumerate() {
        let mut sums = [(0.0, 0.0, 0.0); BINS];
        for (truth, error) in errors_of(evaluated, method) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and BINS
            let bin = ((truth * BINS as f64) as usize).min(BINS - 1);
            let (n, truths, errors) = &mut sums[bin];
            *n += 1.0;
            *truths += truth;
            *errors += f(error);
        }
        let means = sums.map(|(n, truths, errors)| (n > 0.0).then(|| (truths / n, errors / n)));
        for run in means.split(Option::is_none).filter(|run| !run.is_empty()) {
            plots.push(line(run.iter().copied().flatten().collect(), series(i).0).into());
        }
        max = means.iter().flatten().fold(max, |max, (_, mean)| max.max(mean.abs()));
        let (colour, marker) = series(i);
        let points = ScatterPlot::new().with_data(means.into_iter().flatten()).with_color(colour).with_marker(marker);
        plots.push(points.with_size(3.0).with_legend(title(&method.name)).into());
    }
    (plots, max)
}

/// Draws the distribution of estimate − truth by method, one box per method.
fn errors(evaluated: &SampleEstimates, size: FigureSize) -> Drawing {
    // The first row is drawn at the bottom.
    let methods = evaluated.methods.iter().enumerate().rev();
    let row = |(i, method): (usize, &MethodEstimates)| {
        BoxRow::new(title(&method.name), series(i).0, errors_of(evaluated, method).map(|(_, error)| error))
    };
    let plots = boxes(&methods.filter_map(row).collect::<Vec<_>>(), f64::INFINITY);
    let layout = Layout::auto_from_plots(&plots).with_title("Errors of the estimates by method");
    let layout = layout.with_x_label("estimate less truth (points)").with_x_tick_format(signed_points());
    let layout = layout.with_reference_line(ReferenceLine::vertical(0.0).with_color(GREY));
    let pixels = size.or_slide(1, (700.0, 110.0 + 46.0 * evaluated.methods.len() as f64));
    Drawing::new((plots, layout), pixels, "Box plots of the estimates less the truth, a row for each method.")
}

/// Draws the differences against the true prevalence for each method except the reference.
fn differences_by_prevalence(evaluated: &SampleEstimates, reference: usize, size: FigureSize) -> Drawing {
    // All panels have one axis, symmetric around 0.
    let all = others(evaluated, reference).flat_map(|(_, method)| differences(evaluated, reference, method));
    let max = all.map(|(_, difference)| difference.abs()).fold(MIN_AXIS, f64::max);
    let panel = |(i, method): (usize, &MethodEstimates)| -> Panel {
        let plots = vec![dots(differences(evaluated, reference, method).collect(), i)];
        let layout = unit_axis(Layout::auto_from_plots(&plots).with_title(wins(evaluated, reference, method)));
        (plots, symmetric_axis(layout.with_y_label("difference of absolute errors (points)"), max))
    };
    let description =
        "Differences of absolute errors from those of the reference, by true prevalence, a panel for each method.";
    panels(others(evaluated, reference).map(panel).collect(), size, description)
}

fn others(evaluated: &SampleEstimates, reference: usize) -> impl Iterator<Item = (usize, &MethodEstimates)> {
    evaluated.methods.iter().enumerate().filter(move |(i, _)| *i != reference)
}

/// Returns the truth and the difference of absolute errors of each sample. The difference is
/// positive if the reference is closer to the truth.
fn differences<'a>(
    evaluated: &'a SampleEstimates,
    reference: usize,
    method: &'a MethodEstimates,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let reference_errors = errors_of(evaluated, &evaluated.methods[reference]);
    let pairs = errors_of(evaluated, method).zip(reference_errors);
    pairs.map(|((truth, error), (_, reference_error))| (truth, error.abs() - reference_error.abs()))
}

/// States in how many samples the reference is closer to the truth than a method.
fn wins(evaluated: &SampleEstimates, reference: usize, method: &MethodEstimates) -> String {
    let absolute = |method| errors_of(evaluated, method).map(|(_, error)| error.abs()).collect::<Vec<_>>();
    let reference = &evaluated.methods[reference];
    let comparison = PairedComparison::new(&absolute(reference), &absolute(method)).expect("an error for each sample");
    format!(
        "{} closer to the truth than {}: {}\u{a0}of\u{a0}{}",
        title(&reference.name),
        title(&method.name),
        comparison.wins,
        evaluated.samples.len()
    )
}

/// Arranges panels in a grid with at most as many rows as columns.
fn panels(panels: Vec<Panel>, size: FigureSize, description: &str) -> Drawing {
    let root = panels.len().isqrt();
    let columns = root + usize::from(root * root < panels.len());
    let rows = panels.len().div_ceil(columns);
    let panels = panels.into_iter().enumerate().map(|(cell, panel)| (vec![cell], panel)).collect();
    let (width, height) = size.or_slide(rows, (380.0 * columns as f64, 320.0 * rows as f64));
    let figure = Figure::new(rows, columns).with_figure_size(width, height);
    Drawing::from_panels(figure, panels, width / columns as f64, description)
}

/// Draws small and transparent points, so that dense regions show among thousands of points.
fn dots(dots: Vec<(f64, f64)>, method: usize) -> Plot {
    let size = if dots.len() > 500 { 1.6 } else { 2.4 };
    let scatter = ScatterPlot::new().with_data(dots).with_color(series(method).0).with_size(size);
    scatter.with_marker_opacity(0.3).with_marker_stroke_width(0.0).into()
}

/// Sets a horizontal axis of the true prevalence.
fn unit_axis(layout: Layout) -> Layout {
    let layout = layout.with_x_label(TRUTH).with_x_tick_format(percentages()).with_x_tick_step(0.25);
    layout.with_x_axis_min(0.0).with_x_axis_max(1.0)
}

/// Sets a vertical axis of errors around a line at 0.
fn symmetric_axis(layout: Layout, max: f64) -> Layout {
    let layout = layout.with_y_axis_min(-max).with_y_axis_max(max).with_y_tick_format(signed_points());
    layout.with_reference_line(ReferenceLine::horizontal(0.0).with_color(GREY))
}

fn errors_of<'a>(evaluated: &'a SampleEstimates, method: &'a MethodEstimates) -> impl Iterator<Item = (f64, f64)> + 'a {
    evaluated.samples.iter().zip(&method.estimates).map(|(sample, estimate)| (sample.truth, estimate - sample.truth))
}
