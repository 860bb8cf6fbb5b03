//! The summary of a study of the paper: the methods' errors, the number of settings in which the
//! paper's claims hold, and the figures.

use super::{ClaimCount, ErrorMeasure, PaperStudy};
use crate::shared::{BLUE, VERMILION, boxes};
use crate::studies::summary::{decimals, rare};
use crate::studies::{SelectedSettings, Statistics, StudyResults, StudySummary, SummaryTable};
use kuva::plot::Histogram;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use serde_json::{Value, json};
use truecount_report::drawing::svg_file;

/// Summarises a study part by part, with the paper's figure for each part by both measures.
pub fn summary<P: PaperStudy>(results: &StudyResults<P>) -> StudySummary {
    let mut summary = StudySummary::with_notes([
        "MAE, RMSE, |bias|, sd: means over the settings; estimates are not kept in [0, 1]",
        "none: replications without an estimate, which its errors leave out, %",
        "settings with: by the MAE, and by the RMSE; – where the paper says nothing",
        "open: settings closer than two Monte Carlo standard errors, either way",
    ]);
    let settings: Vec<_> = results.settings().iter().zip(results.finished()).collect();
    for settings in settings.chunk_by(|a, b| P::part(a.0) == P::part(b.0)) {
        let part = P::part(settings[0].0);
        let json = summarise_part::<P>(&part, settings, results.plan().replications, &mut summary.tables);
        summary.push("parts", [json]);
        for measure in ErrorMeasure::ALL {
            let words: Vec<&str> = part.split_whitespace().chain([measure.name()]).collect();
            let name = format!("{}.svg", words.join("-").to_lowercase());
            summary.figures.push((name, figure(results, &part, measure)));
        }
    }
    summary
}

/// Summarises the adjacent settings of a part, given with the statistics of all arms, and adds their tables.
fn summarise_part<P: PaperStudy>(
    part: &str,
    settings: &[(&P::Setting, &Vec<Statistics>)],
    replications: u32,
    tables: &mut Vec<SummaryTable>,
) -> Value {
    let title = format!("{} settings, {replications} replications of each", settings.len());
    let header = ["method", "MAE", "RMSE", "|bias|", "sd", "failed"];
    let mut table = SummaryTable::new(header).titled(part_title::<P>(part)).titled(title).titled("");
    let mut arms = Vec::new();
    for (index, arm) in P::ARMS.iter().enumerate() {
        let selected = SelectedSettings(settings.iter().map(|(_, arms)| &arms[index]).collect());
        let mean = |name, map: fn(f64) -> f64| crate::studies::mean(selected.values(name).into_iter().map(map));
        let [mae, rmse] = ["mae", "rmse"].map(|name| selected.mean(name));
        let Some(bias) = mean("bias", f64::abs) else { continue };
        let sd = mean("variance", f64::sqrt);
        let refused: u64 = selected.iter().map(|errors| u64::from(errors.count("refused"))).sum();
        arms.push(json!({
            "arm": arm, "mae": mae, "rmse": rmse, "absolute_bias": bias, "sd": sd, "refused": refused
        }));
        let failed = refused as f64 / (f64::from(replications) * settings.len() as f64);
        let [mae, rmse, bias, sd] = [mae, rmse, Some(bias), sd].map(|error| decimals(error, 4));
        table.push([(*arm).to_owned(), mae, rmse, bias, sd, rare(failed)]);
    }
    let claims: Vec<_> =
        P::CLAIMS.iter().map(|claim| ClaimCount::new(claim, P::ARMS, settings.iter().map(|(_, arms)| *arms))).collect();
    let mut claim_table = SummaryTable::new(["settings with", "paper", "MAE", "open", "RMSE", "open"]);
    for claim in &claims {
        claim_table.push(claim.cells());
    }
    tables.extend([table, claim_table]);
    json!({"part": part, "settings": settings.len(), "arms": arms, "claims": claims})
}

fn part_title<P: PaperStudy>(part: &str) -> String {
    if part.is_empty() { P::TITLE.to_owned() } else { format!("{}, {part}", P::TITLE) }
}

/// Histograms per row, and bins per histogram: an even number, so that no bin has both signs.
const COLUMNS: usize = 2;
const BINS: usize = 24;

/// The ratio of the end of the boxes' axis to the longest whisker.
const BEYOND: f64 = 1.25;

/// The plots on one pair of axes, with their layout.
type PaperPanel = (Vec<Plot>, Layout);

/// Draws the settings of a part as SVG: for each arm a box of its errors in all settings, and a
/// histogram of their differences from the first arm's errors.
fn figure<P: PaperStudy>(results: &StudyResults<P>, part: &str, measure: ErrorMeasure) -> String {
    let arm_errors = |arm: usize| -> Vec<Option<f64>> {
        let settings = results.select(arm, |setting| P::part(setting) == part);
        settings.iter().map(|errors| errors.value(measure.statistic())).collect()
    };
    let errors: Vec<Vec<Option<f64>>> = (0..P::ARMS.len()).map(arm_errors).collect();
    let mut panels = vec![error_boxes(part_title::<P>(part), P::ARMS, &errors, measure)];
    for (arm, name) in P::ARMS.iter().enumerate().skip(1) {
        let pairs = errors[arm].iter().zip(&errors[0]);
        let differences = pairs.filter_map(|(arm, first)| Some((*arm)? - (*first)?)).collect();
        panels.push(difference_histogram(format!("{name} less {}", P::ARMS[0]), differences, measure));
    }
    let lines = (panels.len() - 1).div_ceil(COLUMNS);
    let grid = 1 + COLUMNS;
    let mut structure = vec![(0..lines).map(|line| line * grid).collect::<Vec<_>>()];
    structure.extend((1..panels.len()).map(|k| vec![(k - 1) / COLUMNS * grid + 1 + (k - 1) % COLUMNS]));
    let (plots, layouts) = panels.into_iter().unzip();
    let figure = Figure::new(lines, grid)
        .with_structure(structure)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_spacing(4.0)
        .with_col_width(0, 460.0)
        .with_figure_size(1100.0, 160.0 * lines as f64 + 60.0);
    svg_file(&figure.render())
}

/// Draws boxes of the errors, with the first arm on top.
fn error_boxes(title: String, arms: &[&str], errors: &[Vec<Option<f64>>], measure: ErrorMeasure) -> PaperPanel {
    // The first row is drawn at the bottom.
    let arms = arms.iter().zip(errors).rev();
    let row =
        |(name, errors): (&&str, &Vec<Option<f64>>)| boxes::BoxRow::new(*name, BLUE, errors.iter().flatten().copied());
    let rows: Vec<boxes::BoxRow> = arms.filter_map(row).collect();
    let end = BEYOND * rows.iter().map(boxes::BoxRow::whisker).fold(0.0, f64::max);
    let plots = boxes::boxes(&rows, end);
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(format!("{} of a setting", measure.name()))
        .with_x_axis_min(0.0)
        .with_x_axis_max(end);
    (plots, layout)
}

/// Draws a histogram of the differences between an arm's errors and the first arm's.
fn difference_histogram(title: String, differences: Vec<f64>, measure: ErrorMeasure) -> PaperPanel {
    let end = round_up(differences.iter().fold(0.0, |widest: f64, d| widest.max(d.abs())));
    let bars = Histogram::new().with_data(differences).with_bins(BINS).with_range((-end, end)).with_color(VERMILION);
    let plots = vec![bars.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(format!("difference of the {}", measure.name()))
        .with_y_label("settings")
        .with_ticks(3)
        .with_x_tick_format(TickFormat::Fixed(3))
        .with_x_tick_step(end / 2.0)
        .with_x_axis_min(-end)
        .with_x_axis_max(end)
        .with_reference_line(ReferenceLine::vertical(0.0).with_color("#555555"));
    (plots, layout)
}

/// Rounds up to 1, 2, 4 or 10 times a power of ten, whose halves have few digits.
fn round_up(x: f64) -> f64 {
    let power = 10f64.powf(x.max(1e-3).log10().floor());
    [1.0, 2.0, 4.0, 10.0].into_iter().map(|factor| factor * power).find(|end| *end >= x).unwrap_or(x)
}
