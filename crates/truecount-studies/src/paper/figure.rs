//! The paper's picture: for each arm a box of its errors in all settings, and how much they exceed those of the first
//! arm.

use super::{Errors, Measure, Paper};
use crate::Results;
use kuva::backend::svg::SvgBackend;
use kuva::plot::Histogram;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use truecount_report::drawing::boxes::{Row, boxes};
use truecount_report::drawing::palette::{BLUE, VERMILION};

/// Histograms per row, and their bins: an even number, so that no bin holds both better and worse.
const COLUMNS: usize = 2;
const BINS: usize = 24;

/// The boxes' axis ends at this many times the longest whisker.
const BEYOND: f64 = 1.25;

/// The picture of the settings of a part, as SVG.
pub fn figure<P: Paper>(study: &P, results: &Results<Errors>, part: &str, measure: Measure) -> String {
    let of = |arm: usize| -> Vec<Option<f64>> {
        let of_part = results.of_arm(study, arm).filter(|(setting, _)| P::part(setting) == part);
        of_part.map(|(_, errors)| measure.of(errors)).collect()
    };
    let errors: Vec<Vec<Option<f64>>> = (0..study.arms().len()).map(of).collect();
    let difference = |arm: usize| -> Vec<f64> {
        errors[arm].iter().zip(&errors[0]).filter_map(|(arm, first)| Some((*arm)? - (*first)?)).collect()
    };

    // The first row is drawn at the bottom.
    let arms = study.arms().iter().zip(&errors).rev();
    let rows: Vec<Row> = arms.filter_map(|(name, of)| Row::new(*name, BLUE, of.iter().flatten().copied())).collect();
    let end = BEYOND * rows.iter().map(Row::whisker).fold(0.0, f64::max);
    let mut plots = vec![boxes(&rows, end)];
    let name = if part.is_empty() { String::new() } else { format!(", {part}") };
    let mut layouts = vec![
        Layout::auto_from_plots(&plots[0])
            .with_title(format!("{}{name}", P::TITLE))
            .with_x_label(format!("{} of a setting", measure.name()))
            .with_x_axis_min(0.0)
            .with_x_axis_max(end),
    ];
    for (arm, name) in study.arms().iter().enumerate().skip(1) {
        let differences = difference(arm);
        let end = round_up(differences.iter().fold(0.0, |widest: f64, d| widest.max(d.abs())));
        let bars =
            Histogram::new().with_data(differences).with_bins(BINS).with_range((-end, end)).with_color(VERMILION);
        let panel = vec![bars.into()];
        layouts.push(
            Layout::auto_from_plots(&panel)
                .with_title(format!("{name} less {}", study.arms()[0]))
                .with_x_label(format!("difference of the {}", measure.name()))
                .with_y_label("settings")
                .with_ticks(3)
                .with_x_tick_format(TickFormat::Fixed(3))
                .with_x_tick_step(end / 2.0)
                .with_x_axis_min(-end)
                .with_x_axis_max(end)
                .with_reference_line(ReferenceLine::vertical(0.0).with_color("#555555")),
        );
        plots.push(panel);
    }
    let lines = (plots.len() - 1).div_ceil(COLUMNS);
    let grid = 1 + COLUMNS;
    let mut structure = vec![(0..lines).map(|line| line * grid).collect::<Vec<_>>()];
    structure.extend((1..plots.len()).map(|k| vec![(k - 1) / COLUMNS * grid + 1 + (k - 1) % COLUMNS]));
    let figure = Figure::new(lines, grid)
        .with_structure(structure)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_spacing(4.0)
        .with_col_width(0, 460.0)
        .with_figure_size(1100.0, 160.0 * lines as f64 + 60.0);
    SvgBackend.render_scene(&figure.render())
}

/// Rounds up to 1, 2, 4 or 10 times a power of ten, whose halves have few digits.
fn round_up(x: f64) -> f64 {
    let power = 10f64.powf(x.max(1e-3).log10().floor());
    [1.0, 2.0, 4.0, 10.0].into_iter().map(|factor| factor * power).find(|end| *end >= x).unwrap_or(x)
}
