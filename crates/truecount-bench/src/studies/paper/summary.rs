//! The summary of a study of the paper: the methods' errors, the number of settings in which the
//! paper's claims hold, and the figures.

use super::{Claim, ClaimCount, ErrorMeasure, ErrorStatistics, PaperStudy};
use crate::shared::{BLUE, CellFormat, ResultColumn, ResultRow, ResultTable, VERMILION, boxes};
use crate::studies::{StudyResults, Summary, notes};
use kuva::plot::Histogram;
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use serde::Serialize;
use truecount_report::drawing::svg_file;

/// The summary of a study, part by part.
#[derive(Clone, Debug, Serialize)]
pub struct PaperSummary {
    /// The parts, or one for the whole study.
    pub parts: Vec<SubsetSummary>,
}

/// The summary of a part of a study.
#[derive(Clone, Debug, Serialize)]
pub struct SubsetSummary {
    /// The title of the study and the part, and the numbers of settings and replications.
    #[serde(skip)]
    title: [String; 2],
    /// The part's name; empty for the whole study.
    pub part: String,
    /// The number of settings.
    pub settings: usize,
    /// The summary of every arm.
    pub arms: Vec<PaperArmSummary>,
    /// The paper's claims, with the number of settings in which they hold here.
    pub claims: Vec<ClaimCount>,
}

/// The means of an arm's statistics over the settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperArmSummary {
    /// The part of the study.
    #[serde(skip)]
    pub part: String,
    /// The arm's name.
    pub arm: &'static str,
    /// Mean MAE.
    pub mae: f64,
    /// Mean RMSE.
    pub rmse: f64,
    /// Mean |bias|.
    pub absolute_bias: f64,
    /// Mean standard deviation; `None` if no setting has one.
    pub sd: Option<f64>,
    /// Replications without an estimate, in all settings.
    pub refused: u64,
    /// Share of the replications without an estimate.
    #[serde(skip)]
    pub none: f64,
}

impl SubsetSummary {
    /// Summarises adjacent settings, given with the statistics of all arms.
    fn new<P: PaperStudy>(settings: &[(&P::Setting, &Vec<ErrorStatistics>)], replications: u32) -> Self {
        let part = P::part(settings[0].0);
        let arm = |(index, arm): (usize, &&'static str)| {
            let statistics: Vec<_> = settings.iter().map(|(_, arms)| &arms[index]).collect();
            PaperArmSummary::new(&part, arm, &statistics, replications)
        };
        let claim = |claim: &Claim| ClaimCount::new(claim, &part, P::ARMS, settings);
        let n = settings.len();
        Self {
            title: [part_title::<P>(&part), format!("{n} settings, {replications} replications of each")],
            settings: n,
            arms: P::ARMS.iter().enumerate().filter_map(arm).collect(),
            claims: P::CLAIMS.iter().map(claim).collect(),
            part,
        }
    }

    fn tables(&self) -> [ResultTable<'_>; 2] {
        let title = self.title.iter().cloned().chain([String::new()]).collect();
        [ResultTable::new(&self.arms).titled(title), ResultTable::new(&self.claims)]
    }
}

fn part_title<P: PaperStudy>(part: &str) -> String {
    if part.is_empty() { P::TITLE.to_owned() } else { format!("{}, {part}", P::TITLE) }
}

impl PaperArmSummary {
    fn new(part: &str, arm: &'static str, settings: &[&ErrorStatistics], replications: u32) -> Option<Self> {
        let mean = |value: fn(&ErrorStatistics) -> Option<f64>| {
            let values: Vec<f64> = settings.iter().filter_map(|errors| value(errors)).collect();
            crate::studies::mean(values.into_iter())
        };
        let refused: u64 = settings.iter().map(|errors| u64::from(errors.refused)).sum();
        Some(Self {
            part: part.to_owned(),
            arm,
            mae: mean(|errors| errors.mae)?,
            rmse: mean(|errors| errors.rmse)?,
            absolute_bias: mean(|errors| errors.bias.map(f64::abs))?,
            sd: mean(|errors| errors.variance.map(f64::sqrt)),
            refused,
            none: refused as f64 / (f64::from(replications) * settings.len() as f64),
        })
    }
}

impl<P: PaperStudy> Summary<P> for PaperSummary {
    fn new(results: &StudyResults<P>) -> Self {
        let settings: Vec<_> = results.settings().iter().zip(results.finished()).collect();
        let parts = settings.chunk_by(|a, b| P::part(a.0) == P::part(b.0));
        Self { parts: parts.map(|part| SubsetSummary::new::<P>(part, results.plan().replications)).collect() }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        self.parts.iter().flat_map(SubsetSummary::tables).collect()
    }

    fn notes(&self) -> Vec<String> {
        notes([
            "MAE, RMSE, |bias|, sd: means over the settings; estimates are not kept in [0, 1]",
            "none: replications without an estimate, which its errors leave out, %",
            "settings with: by the MAE, and by the RMSE; – where the paper says nothing;",
            "summary.json lists the others",
            "open: settings closer than two Monte Carlo standard errors, either way",
        ])
    }

    /// Draws the paper's figure for each part, by both measures.
    fn figures(results: &StudyResults<P>) -> Vec<(String, String)> {
        let mut parts: Vec<String> = results.settings().iter().map(P::part).collect();
        parts.dedup();
        let name = |part: &str, measure: ErrorMeasure| {
            let words: Vec<&str> = part.split_whitespace().chain([measure.name()]).collect();
            format!("{}.svg", words.join("-").to_lowercase())
        };
        let figures = parts
            .iter()
            .flat_map(|part| ErrorMeasure::ALL.map(|measure| (name(part, measure), figure(results, part, measure))));
        figures.collect()
    }
}

impl ResultRow for PaperArmSummary {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("part", "which part of the study; empty if it is the whole", |row| row.part.as_str().into()),
            Self::text("method", "the method", |row| row.arm.into()).shown(CellFormat::AsIs),
            Self::share("mae", "mean absolute error, mean over the settings", |row| row.mae)
                .heading("MAE", CellFormat::Decimals(4)),
            Self::share("rmse", "root mean squared error, mean over the settings", |row| row.rmse)
                .heading("RMSE", CellFormat::Decimals(4)),
            Self::share("absolute_bias", "absolute mean error, mean over the settings", |row| row.absolute_bias)
                .heading("|bias|", CellFormat::Decimals(4)),
            Self::share("sd", "standard deviation, mean over the settings", |row| row.sd)
                .shown(CellFormat::Decimals(4)),
            Self::share("failed", "replications without an estimate", |row| row.none).shown(CellFormat::Rare),
        ]
    }
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
        let settings = results.in_arm_where(arm, |setting| P::part(setting) == part);
        settings.into_iter().map(|errors| measure.select(errors)).collect()
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
