//! The performance of interval estimates: in a setting, over several settings, and as a figure.

use super::summary::percent;
use super::{ArmOutcome, SelectedSettings, Statistics, covariance, mean, share_error};
use kuva::plot::StripPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::render::render_multiple;
use serde::Serialize;
use truecount::error::Problem;
use truecount::evaluation::Mean;
use truecount::{Estimate, Interval};
use truecount_report::drawing::svg_file;

/// The band of acceptable coverages of nominal 95 % intervals.
pub const BAND: [f64; 2] = [0.925, 0.975];

/// Returns the band in per cent, as text.
pub(super) fn band() -> String {
    format!("{:.1} – {:.1}", 100.0 * BAND[0], 100.0 * BAND[1])
}

/// The counts of the replications, of which each has an estimate, labelled positives that score lower
/// than the negatives ([`Problem::ClassesInverted`]), or no estimate for another reason.
pub(super) const REPLICATIONS: [&str; 3] = ["estimates", "inverted", "refused"];

/// The counts of the replications without an estimate.
pub(super) const FAILED: [&str; 2] = ["inverted", "refused"];

/// Returns the performance of an arm's intervals in a setting. Vacuous intervals are all of [0, 1].
pub fn interval_statistics(outcomes: &[&ArmOutcome]) -> Statistics {
    let estimates: Vec<(f64, &Estimate)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
    let is_inverted = |outcome: &&&ArmOutcome| {
        outcome.result.as_ref().is_err_and(|error| matches!(error.problem(), Some(Problem::ClassesInverted { .. })))
    };
    let inverted = outcomes.iter().filter(is_inverted).count();
    let intervals: Vec<_> = estimates.iter().filter_map(|(truth, e)| Some((*truth, e.interval?))).collect();
    let std_errors: Vec<f64> = estimates.iter().filter_map(|(_, e)| e.std_error).collect();
    let interval_mean =
        |value: fn(f64, Interval) -> f64| mean(intervals.iter().map(|(truth, interval)| value(*truth, *interval)));
    let estimate_mean = |value: fn(f64, &Estimate) -> f64| mean(estimates.iter().map(|(truth, e)| value(*truth, e)));

    let coverage = interval_mean(|truth, i| f64::from(i.contains(truth)));
    let errors: Vec<f64> = estimates.iter().map(|(truth, e)| e.raw - truth).collect();
    let absolute: Vec<f64> = estimates.iter().map(|(truth, e)| (e.prevalence - truth).abs()).collect();
    let mae = (!absolute.is_empty()).then(|| Mean::from_values(&absolute));
    let vacuous = intervals.iter().filter(|(_, i)| i.lower == 0.0 && i.upper == 1.0).count();
    Statistics::new(
        [
            ("estimates", estimates.len()),
            ("inverted", inverted),
            ("refused", outcomes.len() - estimates.len() - inverted),
            ("vacuous", vacuous),
        ],
        [
            ("coverage", coverage),
            ("coverage_error", share_error(coverage, intervals.len())),
            ("width", interval_mean(|_, i| i.width())),
            // The raw estimate minus the truth: mean and standard deviation (m − 1).
            ("bias", mean(errors.iter().copied())),
            ("sd", covariance(&errors, &errors).map(f64::sqrt)),
            ("mean_se", mean(std_errors.into_iter())),
            // The errors of the prevalence, which is clipped to [0, 1].
            ("rmse", estimate_mean(|truth, e| (e.prevalence - truth).powi(2)).map(f64::sqrt)),
            ("mae", mae.map(|mae| mae.value)),
            ("mae_error", mae.and_then(|mae| mae.std_error)),
        ],
    )
}

/// The coverage of intervals over several settings. All values are shares except the number of
/// settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoverageSummary {
    /// Settings with intervals.
    pub settings: usize,
    /// Mean coverage.
    pub mean: f64,
    /// Minimum coverage.
    pub min: f64,
    /// Maximum coverage.
    pub max: f64,
    /// Share of the settings whose coverage is in the [`BAND`].
    pub in_band: f64,
    /// Mean width of the intervals.
    pub width: f64,
}

impl SelectedSettings<'_> {
    /// Returns the summary of the values `coverage` and `width`, or `None` without values.
    pub fn coverage(&self) -> Option<CoverageSummary> {
        CoverageSummary::new(&self.values("coverage"), &self.values("width"))
    }
}

impl CoverageSummary {
    /// Summarises the coverages and mean widths of several settings.
    fn new(coverages: &[f64], widths: &[f64]) -> Option<Self> {
        let settings = coverages.len();
        Some(Self {
            settings,
            mean: mean(coverages.iter().copied())?,
            min: coverages.iter().copied().fold(f64::INFINITY, f64::min),
            max: coverages.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            in_band: coverages.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / settings as f64,
            width: mean(widths.iter().copied())?,
        })
    }

    /// Returns the mean, minimum and maximum coverage and the share in the band, in per cent.
    pub(super) fn percentages(&self) -> [String; 4] {
        [self.mean, self.min, self.max, self.in_band].map(|share| percent(share, 1))
    }
}

pub(super) struct CoverageDots {
    pub(super) name: String,
    pub(super) colour: &'static str,
    /// The coverages, as shares, one dot each.
    pub(super) coverages: Vec<f64>,
}

impl CoverageDots {
    /// Returns the coverages of these settings; settings without intervals have no dot.
    pub(super) fn new(name: String, colour: &'static str, settings: &SelectedSettings) -> Self {
        Self { name, colour, coverages: settings.values("coverage") }
    }
}

/// Draws coverages as SVG: rows from top to bottom, one dot for every setting, and the band of
/// acceptable coverages.
pub(super) fn coverage_figure(rows: &[CoverageDots]) -> String {
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
        ArmOutcome { truth: 0.25, result: Ok(estimate) }
    }

    fn failure(error: Problem) -> ArmOutcome {
        ArmOutcome { truth: 0.25, result: Err(error.into()) }
    }

    /// Computed by hand: the raw estimates have errors 0.25, −0.5 and 0.25; clipping turns −0.5
    /// into −0.25.
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
        assert_eq!(["estimates", "inverted", "refused", "vacuous"].map(|name| s.count(name)), [3, 1, 2, 1]);
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
