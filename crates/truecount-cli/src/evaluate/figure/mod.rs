//! Pictures of the errors, each an SVG file.

mod differences;
mod errors;

use crate::figure::{GREY, Panel, title};
use kuva::backend::svg::SvgBackend;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use truecount_analysis::evaluated::{Evaluated, EvaluatedMethod};
use truecount_studies::palette::SERIES;

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
pub fn draw(evaluated: &Evaluated, reference: usize) -> Vec<(&'static str, String)> {
    let mut pictures = vec![
        errors::diagonal(evaluated),
        errors::by_prevalence(evaluated),
        errors::signed(evaluated),
        errors::absolute(evaluated),
    ];
    if evaluated.methods.len() > 1 {
        pictures.push(differences::histograms(evaluated, reference));
        pictures.push(differences::by_prevalence(evaluated, reference));
    }
    FILES.into_iter().zip(pictures).collect()
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

fn name(method: &EvaluatedMethod) -> String {
    title(&method.name)
}

/// Truth and error of each sample.
fn errors_of<'a>(evaluated: &'a Evaluated, method: &'a EvaluatedMethod) -> impl Iterator<Item = (f64, f64)> + 'a {
    evaluated.samples.iter().zip(&method.estimates).map(|(sample, estimate)| (sample.truth, estimate - sample.truth))
}
