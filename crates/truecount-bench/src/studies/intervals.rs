//! The performance of interval estimates: in a setting, over several settings, as tables and as a figure.

use super::summary::{StudySummary, SummaryTable, decimals, percent, rare};
use super::{ArmOutcome, SelectedSettings, Statistics, covariance, mean, share_error};
use kuva::plot::StripPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::render::render_multiple;
use serde::Serialize;
use serde_json::{Value, json};
use truecount::audit::AuditEstimate;
use truecount::error::Problem;
use truecount::evaluation::Mean;
use truecount::{Estimate, Interval, Warning};
use truecount_report::drawing::svg_file;

/// The band of acceptable coverages of nominal 95 % intervals.
const BAND: [f64; 2] = [0.925, 0.975];

/// An estimate of a share or of another quantity, with its interval.
#[derive(Clone, Copy, Debug)]
pub struct ArmEstimate {
    /// The estimate before and after it is clipped to its range; `None` for a ratio, which may be infinite.
    pub points: Option<[f64; 2]>,
    /// The standard error of the unclipped estimate, if there is one.
    pub std_error: Option<f64>,
    /// The interval, if there is one; its upper end may be infinite.
    pub interval: Option<Interval>,
    /// Whether the check rejects that the test scores are a mixture of the labelled classes.
    pub is_rejected: bool,
}

impl ArmEstimate {
    /// Returns an estimate that has no range, with its standard error and interval.
    pub(super) fn unclipped(estimate: f64, std_error: f64, interval: Interval) -> Self {
        let points = Some([estimate; 2]);
        Self { points, std_error: Some(std_error), interval: Some(interval), is_rejected: false }
    }
}

impl From<Estimate> for ArmEstimate {
    fn from(estimate: Estimate) -> Self {
        Self {
            points: Some([estimate.raw, estimate.prevalence]),
            std_error: estimate.std_error,
            interval: estimate.interval,
            is_rejected: estimate.warnings.iter().any(Warning::is_misfit),
        }
    }
}

impl From<AuditEstimate> for ArmEstimate {
    fn from(estimate: AuditEstimate) -> Self {
        let AuditEstimate { raw, prevalence, std_error, interval, .. } = estimate;
        Self { points: Some([raw, prevalence]), ..Self::unclipped(raw, std_error, interval) }
    }
}

/// The counts of the replications, of which each has an estimate, labelled positives that score lower
/// than the negatives ([`Problem::ClassesInverted`]), or no estimate for another reason.
const REPLICATIONS: [&str; 3] = ["estimates", "inverted", "refused"];

/// The counts of the replications without an estimate.
const FAILED: [&str; 2] = ["inverted", "refused"];

/// Returns the performance of an arm's intervals in a setting. Vacuous intervals are all of [0, 1],
/// unbounded ones have no upper end.
pub fn interval_statistics(outcomes: &[&ArmOutcome]) -> Statistics {
    let estimates: Vec<(f64, &ArmEstimate)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
    let is_inverted = |outcome: &&&ArmOutcome| {
        outcome.result.as_ref().is_err_and(|error| matches!(error.problem(), Some(Problem::ClassesInverted { .. })))
    };
    let inverted = outcomes.iter().filter(is_inverted).count();
    let intervals: Vec<_> = estimates.iter().filter_map(|(truth, e)| Some((*truth, e.interval?))).collect();
    let widths: Vec<f64> = intervals.iter().map(|(_, i)| i.width()).filter(|width| width.is_finite()).collect();
    let std_errors: Vec<f64> = estimates.iter().filter_map(|(_, e)| e.std_error).collect();
    let coverage = mean(intervals.iter().map(|(truth, i)| f64::from(i.contains(*truth))));
    let points = estimates.iter().filter_map(|(truth, e)| Some((*truth, e.points?)));
    // The errors of the raw estimate, and those of the clipped one.
    let (errors, clipped): (Vec<f64>, Vec<f64>) =
        points.map(|(truth, [raw, clipped])| (raw - truth, clipped - truth)).unzip();
    let absolute: Vec<f64> = clipped.iter().map(|error| error.abs()).collect();
    let mae = (!absolute.is_empty()).then(|| Mean::from_values(&absolute));
    let vacuous = intervals.iter().filter(|(_, i)| i.lower == 0.0 && i.upper == 1.0).count();
    Statistics::new(
        [
            ("estimates", estimates.len()),
            ("inverted", inverted),
            ("refused", outcomes.len() - estimates.len() - inverted),
            ("vacuous", vacuous),
            ("unbounded", intervals.len() - widths.len()),
            ("rejected", estimates.iter().filter(|(_, estimate)| estimate.is_rejected).count()),
        ],
        [
            ("coverage", coverage),
            ("coverage_error", share_error(coverage, intervals.len())),
            ("width", mean(widths.into_iter())),
            // The raw estimate minus the truth: mean and standard deviation (m − 1).
            ("bias", mean(errors.iter().copied())),
            ("sd", covariance(&errors, &errors).map(f64::sqrt)),
            ("mean_se", mean(std_errors.into_iter())),
            // The errors of the clipped estimate.
            ("rmse", mean(clipped.iter().map(|error| error.powi(2))).map(f64::sqrt)),
            ("mae", mae.map(|mae| mae.value)),
            ("mae_error", mae.and_then(|mae| mae.std_error)),
        ],
    )
}

/// The performance of intervals over several settings. All values are shares except the number of
/// settings, the width and the error; means are over the settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IntervalSummary {
    /// Settings with estimates.
    pub settings: usize,
    /// Mean coverage; `None` for a method without intervals.
    pub mean: Option<f64>,
    /// Minimum coverage.
    pub min: Option<f64>,
    /// Share of the settings whose coverage is below 92 %.
    pub below_92: Option<f64>,
    /// Share of the settings whose coverage is below 88 %.
    pub below_88: Option<f64>,
    /// Mean width of the intervals that have an upper end.
    pub width: Option<f64>,
    /// Mean absolute error.
    pub mae: Option<f64>,
    /// Share of the estimates for which the check finds no mixture.
    pub rejected: f64,
    /// Share of the replications whose interval is all of [0, 1].
    pub vacuous: f64,
    /// Share of the replications whose interval has no upper end.
    pub unbounded: f64,
    /// Share of the replications without an estimate.
    pub failed: f64,
}

/// A rare case: the header of its column, and its share.
type RareCase = (&'static str, fn(&IntervalSummary) -> f64);

const RARE_CASES: [RareCase; 4] = [
    ("seen", |row| row.rejected),
    ("[0, 1]", |row| row.vacuous),
    ("∞", |row| row.unbounded),
    ("failed", |row| row.failed),
];

/// The notes that explain the columns of a table of intervals.
pub(super) const INTERVAL_NOTES: [&str; 4] = [
    "mean, min: coverage of the nominal 95 % intervals over the settings, %",
    "< 92, < 88: settings with a lower coverage, %",
    "width, MAE: means of the intervals' width and of the mean absolute error",
    "seen, [0, 1], ∞, failed: replications in which the check finds no mixture, with that interval, without an \
     upper end, and without an estimate, %",
];

impl SelectedSettings<'_> {
    /// Returns the summary of the statistics of intervals, or `None` without estimates.
    pub fn intervals(&self) -> Option<IntervalSummary> {
        let settings = self.iter().filter(|statistics| statistics.count("estimates") > 0).count();
        let coverages = self.values("coverage");
        let below = |limit: f64| mean(coverages.iter().map(|coverage| f64::from(*coverage < limit)));
        let share = |counts: &[&str]| self.share(counts, &REPLICATIONS);
        (settings > 0).then(|| IntervalSummary {
            settings,
            mean: mean(coverages.iter().copied()),
            min: coverages.iter().copied().reduce(f64::min),
            below_92: below(0.92),
            below_88: below(0.88),
            width: self.mean("width"),
            mae: self.mean("mae"),
            rejected: self.share(&["rejected"], &["estimates"]),
            vacuous: share(&["vacuous"]),
            unbounded: share(&["unbounded"]),
            failed: share(&FAILED),
        })
    }
}

impl StudySummary {
    /// Adds a table of intervals, in which each row has a name, and to the list `summaries` an object for
    /// each row, with these fields of its own. Rows without estimates are left out, as are columns of
    /// rare cases that do not occur.
    pub(super) fn add_intervals<'a>(
        &mut self,
        title: &str,
        rows: impl IntoIterator<Item = (impl Into<String>, Value, SelectedSettings<'a>)>,
    ) {
        let summarised =
            rows.into_iter().filter_map(|(name, key, settings)| Some((name.into(), key, settings.intervals()?)));
        let rows: Vec<(String, Value, IntervalSummary)> = summarised.collect();
        let occurs = |(_, case): &RareCase| rows.iter().any(|(.., row)| case(row) > 0.0);
        let cases: Vec<RareCase> = RARE_CASES.into_iter().filter(occurs).collect();
        let header = ["", "mean", "min", "< 92", "< 88", "width", "MAE"].into_iter();
        let mut table = SummaryTable::new(header.chain(cases.iter().map(|(name, _)| *name)));
        for (name, _, row) in &rows {
            let shares = [row.mean, row.min, row.below_92, row.below_88].map(|share| percent(share, 1));
            let lengths = [row.width, row.mae].map(|length| decimals(length, 4));
            let cases = cases.iter().map(|(_, case)| rare(case(row)));
            table.push([name.clone()].into_iter().chain(shares).chain(lengths).chain(cases));
        }
        if let Some(most) = rows.iter().map(|(.., row)| row.settings).max() {
            let plural = if most == 1 { "setting" } else { "settings" };
            self.tables.push(table.titled(format!("{title}: {most} {plural}")));
        }
        for (_, key, row) in rows {
            self.push("summaries", [key, json!(row)]);
        }
    }

    /// Adds a figure of coverages with this name.
    pub(super) fn add_coverage_figure(&mut self, name: &str, rows: &[CoverageDots]) {
        self.figures.push((name.to_owned(), coverage_figure(rows)));
    }
}

/// A row of a figure of coverages.
pub(super) struct CoverageDots {
    name: String,
    colour: &'static str,
    /// The coverages, as shares, one dot each.
    coverages: Vec<f64>,
}

impl CoverageDots {
    /// Returns the coverages of these settings; settings without intervals have no dot.
    pub(super) fn new(name: String, colour: &'static str, settings: &SelectedSettings) -> Self {
        Self { name, colour, coverages: settings.values("coverage") }
    }
}

/// Draws coverages as SVG: rows from top to bottom, one dot for every setting, and the band of acceptable coverages.
fn coverage_figure(rows: &[CoverageDots]) -> String {
    let mut strip = StripPlot::new().with_horizontal(true).with_jitter(0.35).with_point_size(2.0);
    let mut colours = Vec::new();
    let mut min: f64 = 90.0;
    // The first row is drawn at the bottom.
    for CoverageDots { name, colour, coverages } in rows.iter().rev() {
        let percent: Vec<f64> = coverages.iter().map(|share| 100.0 * share).collect();
        min = percent.iter().copied().fold(min, f64::min);
        strip = strip.with_group(name, percent);
        colours.push((*colour).to_owned());
    }
    let plots = vec![strip.with_group_colors(colours).with_marker_opacity(0.6).into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("95 % intervals: a dot for every setting")
        .with_x_label("intervals that cover the truth, %")
        .with_x_axis_min((min / 10.0).floor() * 10.0)
        .with_x_axis_max(100.0)
        .with_x_tick_step(10.0)
        .with_x_tick_format(TickFormat::Fixed(0))
        .with_shaded_region(
            ShadedRegion::vertical(100.0 * BAND[0], 100.0 * BAND[1]).with_color("#999999").with_opacity(0.3),
        )
        .with_reference_line(ReferenceLine::vertical(95.0).with_color("#555555"))
        .with_width(760.0)
        .with_height(100.0 + 35.0 * rows.len() as f64);
    svg_file(&render_multiple(plots, layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::{IntervalOptions, Method};

    fn estimate(raw: f64, interval: Option<(f64, f64, f64)>) -> ArmOutcome {
        let mut estimate = Estimate::new(Method::O_CS, 9, raw);
        if let Some((se, lower, upper)) = interval {
            estimate = estimate.with_interval(se, Interval { lower, upper }, &IntervalOptions::default());
        }
        ArmOutcome { truth: 0.25, result: Ok(estimate.into()) }
    }

    fn failure(error: Problem) -> ArmOutcome {
        ArmOutcome { truth: 0.25, result: Err(error.into()) }
    }

    /// Computed by hand: the raw estimates have errors 0.25, −0.5 and 0.25; clipping turns −0.5 into −0.25.
    #[test]
    fn statistics_follow_from_the_outcomes() {
        let outcomes = [
            estimate(0.5, Some((0.1, 0.25, 0.75))),
            failure(Problem::ClassesInverted { discordance: 0.6, other: None }),
            estimate(-0.25, Some((0.3, 0.0, 0.125))),
            failure(Problem::NoTestScores),
            failure(Problem::ClassesNotSeparated { max_j: 0.0 }),
            estimate(0.5, Some((0.2, 0.0, 1.0))),
        ];
        let s = interval_statistics(&outcomes.iter().collect::<Vec<_>>());
        assert_eq!(
            ["estimates", "inverted", "refused", "vacuous", "unbounded", "rejected"].map(|name| s.count(name)),
            [3, 1, 2, 1, 0, 0]
        );
        let close = |name: &str, b: f64| assert!((s.value(name).unwrap() - b).abs() < 1e-15, "{name} {b}");
        close("coverage", 2.0 / 3.0);
        close("coverage_error", (2.0f64 / 27.0).sqrt());
        close("width", (0.5 + 0.125 + 1.0) / 3.0);
        close("bias", 0.0);
        close("sd", (0.375f64 / 2.0).sqrt());
        close("mean_se", 0.2);
        close("rmse", 0.25);
        close("mae", 0.25);
        close("mae_error", 0.0);
    }

    /// Computed by hand: an interval without an upper end has no width.
    #[test]
    fn unbounded_intervals_have_no_width() {
        let interval = |lower, upper| {
            let interval = Some(Interval { lower, upper });
            let result = Ok(ArmEstimate { points: None, std_error: None, interval, is_rejected: true });
            ArmOutcome { truth: 2.0, result }
        };
        let outcomes = [interval(0.5, f64::INFINITY), interval(0.25, 1.0)];
        let s = interval_statistics(&outcomes.iter().collect::<Vec<_>>());
        assert_eq!(["estimates", "unbounded", "rejected"].map(|name| s.count(name)), [2, 1, 2]);
        assert_eq!(["coverage", "width", "bias", "mae"].map(|name| s.value(name)), [Some(0.5), Some(0.75), None, None]);
    }

    #[test]
    fn statistics_without_estimates_are_none() {
        let values = |outcome: &ArmOutcome, names: [&str; 4]| {
            let statistics = interval_statistics(&[outcome]);
            (statistics.count("refused"), names.map(|name| statistics.value(name)))
        };
        let failed = failure(Problem::NoTestScores);
        assert_eq!(values(&failed, ["coverage", "width", "bias", "rmse"]), (1, [None; 4]));
        let names = ["bias", "sd", "coverage", "width"];
        assert_eq!(values(&estimate(0.5, None), names), (0, [Some(0.25), None, None, None]));
    }
}
