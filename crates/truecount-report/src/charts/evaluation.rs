//! The charts of an evaluation: estimates against the truth, errors by true prevalence, their
//! distributions by method, and how much closer
//! the reference is than each other method.

use crate::drawing::boxes::{BoxRow, boxes};
use crate::drawing::palette::SERIES;
use crate::drawing::{GREY, Panel, title};
use kuva::backend::svg::SvgBackend;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::plot::{Histogram, LinePlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use truecount::evaluation::PairedComparison;
use truecount_analysis::evaluation::{MethodEstimates, SampleEstimates};

/// The names of the pictures' files.
pub const FILES: [&str; 6] = [
    "diagonal.svg",
    "error-by-prevalence.svg",
    "errors.svg",
    "absolute-errors.svg",
    "differences.svg",
    "differences-by-prevalence.svg",
];

/// All pictures with their file names; those of differences only if there are two methods or more.
pub fn draw(evaluated: &SampleEstimates, reference: usize) -> Vec<(&'static str, String)> {
    let mut pictures =
        vec![diagonal(evaluated), errors_by_prevalence(evaluated), signed(evaluated), absolute(evaluated)];
    if evaluated.methods.len() > 1 {
        pictures.push(histograms(evaluated, reference));
        pictures.push(differences_by_prevalence(evaluated, reference));
    }
    FILES.into_iter().zip(pictures).collect()
}

/// Bins of the true prevalence.
const BINS: usize = 10;

/// Marks of methods with the same colour.
const MARKERS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond];

/// Estimated against true prevalence, one panel per method.
fn diagonal(evaluated: &SampleEstimates) -> String {
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

/// Mean absolute error and bias in bins of the true prevalence, one line per method, with gaps at
/// bins without samples.
fn errors_by_prevalence(evaluated: &SampleEstimates) -> String {
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

/// The mean over the samples of each nonempty bin, at their mean prevalence; and the largest
/// absolute value.
fn lines(evaluated: &SampleEstimates, of: impl Fn(f64) -> f64) -> (Vec<Plot>, f64) {
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
        // After the last colour, the colours start again with broken lines; the marks tell these
        // apart in the legend
        // too.
        let marker = MARKERS[i / SERIES.len() % MARKERS.len()];
        let marks = ScatterPlot::new().with_data(means.into_iter().flatten()).with_color(colour(i)).with_marker(marker);
        plots.push(marks.with_size(3.0).with_legend(name(method)).into());
    }
    (plots, largest)
}

/// Distribution of estimate − truth by method.
fn signed(evaluated: &SampleEstimates) -> String {
    let line = ReferenceLine::vertical(0.0).with_color(GREY);
    boxed(
        evaluated,
        |error| error,
        |layout| layout.with_title("Errors").with_x_label("estimate less truth").with_reference_line(line),
    )
}

/// Distribution of |estimate − truth| by method.
fn absolute(evaluated: &SampleEstimates) -> String {
    boxed(evaluated, f64::abs, |layout| {
        layout.with_title("Absolute errors").with_x_label("distance of estimate and truth").with_x_axis_min(0.0)
    })
}

/// One box per method.
fn boxed(evaluated: &SampleEstimates, of: impl Fn(f64) -> f64, axes: impl FnOnce(Layout) -> Layout) -> String {
    // The first row is drawn at the bottom.
    let methods = evaluated.methods.iter().enumerate().rev();
    let row =
        |(i, method)| BoxRow::new(name(method), colour(i), errors_of(evaluated, method).map(|(_, error)| of(error)));
    let plots = boxes(&methods.filter_map(row).collect::<Vec<_>>(), f64::INFINITY);
    let height = 110.0 + 46.0 * evaluated.methods.len() as f64;
    let layout = axes(Layout::auto_from_plots(&plots)).with_width(700.0).with_height(height);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}

/// Bins of a histogram; an even number, so that 0 is a boundary.
const DIFFERENCE_BINS: u32 = 60;

const LABEL: &str = "difference of absolute errors";

/// A histogram for each other method.
fn histograms(evaluated: &SampleEstimates, reference: usize) -> String {
    let Ticks { end, step, digits } = axis(evaluated, reference);
    let edges: Vec<f64> =
        (0..=DIFFERENCE_BINS).map(|k| end * (2.0 * f64::from(k) / f64::from(DIFFERENCE_BINS) - 1.0)).collect();
    let panel = |(i, method): (usize, &MethodEstimates)| -> Panel {
        let mut counts = vec![0.0; DIFFERENCE_BINS as usize];
        for (_, difference) in differences(evaluated, reference, method) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the bins
            let bin = (0.5 * (difference / end + 1.0) * f64::from(DIFFERENCE_BINS)) as usize;
            counts[bin.min(DIFFERENCE_BINS as usize - 1)] += 1.0;
        }
        let plots = vec![Histogram::from_bins(edges.clone(), counts).with_color(colour(i)).into()];
        let layout = Layout::auto_from_plots(&plots)
            .with_title(closer(evaluated, reference, method))
            .with_title_size(14)
            .with_x_label(LABEL)
            .with_x_tick_step(step)
            .with_x_tick_format(TickFormat::Fixed(digits))
            .with_y_label("samples")
            .with_reference_line(ReferenceLine::vertical(0.0).with_color(GREY));
        (plots, layout)
    };
    panels(others(evaluated, reference).map(panel).collect())
}

/// The difference at each true prevalence, for each other method.
fn differences_by_prevalence(evaluated: &SampleEstimates, reference: usize) -> String {
    let Ticks { end, step, digits } = axis(evaluated, reference);
    let panel = |(i, method): (usize, &MethodEstimates)| -> Panel {
        let plots = vec![points(differences(evaluated, reference, method).collect(), colour(i))];
        let layout = unit_axis(Layout::auto_from_plots(&plots).with_title(closer(evaluated, reference, method)))
            .with_title_size(14)
            .with_y_label(LABEL)
            .with_y_axis_min(-end)
            .with_y_axis_max(end)
            .with_y_tick_step(step)
            .with_y_tick_format(TickFormat::Fixed(digits))
            .with_reference_line(ReferenceLine::horizontal(0.0).with_color(GREY));
        (plots, layout)
    };
    panels(others(evaluated, reference).map(panel).collect())
}

fn others(evaluated: &SampleEstimates, reference: usize) -> impl Iterator<Item = (usize, &MethodEstimates)> {
    evaluated.methods.iter().enumerate().filter(move |(i, _)| *i != reference)
}

/// Truth and difference of each sample: positive where the reference is closer.
fn differences<'a>(
    evaluated: &'a SampleEstimates,
    reference: usize,
    method: &'a MethodEstimates,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let own = errors_of(evaluated, &evaluated.methods[reference]);
    let pairs = errors_of(evaluated, method).zip(own);
    pairs.map(|((truth, error), (_, own))| (truth, error.abs() - own.abs()))
}

/// An axis symmetric around 0 that holds the differences of all methods.
fn axis(evaluated: &SampleEstimates, reference: usize) -> Ticks {
    let all = others(evaluated, reference).flat_map(|(_, method)| differences(evaluated, reference, method));
    let largest = all.map(|(_, difference)| difference.abs()).fold(0.0, f64::max);
    Ticks::new(largest, 3)
}

fn closer(evaluated: &SampleEstimates, reference: usize, method: &MethodEstimates) -> String {
    let absolute = |method| errors_of(evaluated, method).map(|(_, error)| error.abs()).collect::<Vec<_>>();
    let own = &evaluated.methods[reference];
    let found = PairedComparison::new(&absolute(own), &absolute(method)).expect("an error for each sample");
    format!("{} closer than {}: {} of {}", name(own), name(method), found.wins, evaluated.samples.len())
}

/// Panels arranged in a grid with at most as many rows as columns.
fn panels(panels: Vec<Panel>) -> String {
    let root = panels.len().isqrt();
    let columns = root + usize::from(root * root < panels.len());
    let rows = panels.len().div_ceil(columns);
    let cells = (0..panels.len()).map(|cell| vec![cell]).collect();
    let (plots, layouts) = panels.into_iter().unzip();
    let figure = Figure::new(rows, columns).with_structure(cells).with_cell_size(380.0, 320.0);
    SvgBackend.render_scene(&figure.with_plots(plots).with_layouts(layouts).render())
}

/// Small and transparent points: among thousands, dense regions still show.
fn points(points: Vec<(f64, f64)>, colour: &str) -> Plot {
    let size = if points.len() > 500 { 1.6 } else { 2.4 };
    let scatter = ScatterPlot::new().with_data(points).with_color(colour).with_size(size);
    scatter.with_marker_opacity(0.3).with_marker_stroke_width(0.0).into()
}

/// The axis of the true prevalence, from left to right.
fn unit_axis(layout: Layout) -> Layout {
    let layout = layout.with_x_label("true prevalence").with_x_tick_format(TickFormat::Fixed(1));
    layout.with_x_axis_min(0.0).with_x_axis_max(1.0)
}

/// An axis from 0.
struct Ticks {
    end: f64,
    step: f64,
    /// Decimals that tell the steps apart.
    digits: usize,
}

impl Ticks {
    /// An axis with this many steps, the smallest that reach the largest value, which is at most 1.
    fn new(largest: f64, steps: u8) -> Self {
        let known = [(0.001, 3), (0.002, 3), (0.005, 3), (0.01, 2), (0.02, 2), (0.05, 2), (0.1, 1), (0.2, 1)];
        let found = known.into_iter().find(|(step, _)| f64::from(steps) * step >= largest);
        let (step, digits) = found.unwrap_or((0.5, 1));
        Self { end: f64::from(steps) * step, step, digits }
    }
}

/// The colour of the method with this index; after the last colour they start again.
fn colour(method: usize) -> &'static str {
    SERIES[method % SERIES.len()]
}

fn name(method: &MethodEstimates) -> String {
    title(&method.name)
}

/// Truth and error of each sample.
fn errors_of<'a>(evaluated: &'a SampleEstimates, method: &'a MethodEstimates) -> impl Iterator<Item = (f64, f64)> + 'a {
    evaluated.samples.iter().zip(&method.estimates).map(|(sample, estimate)| (sample.truth, estimate - sample.truth))
}
