//! The performance of plain and widened intervals: in a setting, and for each violation and size.

use super::{BreachKind, BreachSetting, BreachStudy, IntervalPair, METHODS};
use crate::shared::{BLUE, CellFormat, ResultColumn, ResultRow, ResultTable, VERMILION};
use crate::studies::intervals::{CoverageDots, coverage_figure};
use crate::studies::{ArmOutcome, Statistics, StudyResults, Summary, SummaryRows, count, mean, notes, share_error};
use serde::{Deserialize, Serialize};
use truecount::Interval;

/// The normal quantile of the nominal 95 % intervals.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The performance of a method in a setting. A statistic is `None` without estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WideningStatistics {
    /// Replications with an estimate.
    pub estimates: u32,
    /// Replications without an estimate.
    pub none: u32,
    /// Replications in which the check rejects a mixture.
    pub rejected: u32,
    /// Mean of the scale factors.
    pub scale: Option<f64>,
    /// Root mean square of error / standard error.
    pub errors: Option<f64>,
    /// Root mean square of error / (half-width of the widened interval / normal quantile).
    pub errors_widened: Option<f64>,
    /// Share of the plain intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Monte Carlo standard error of `coverage`, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Share of the widened intervals that contain the truth.
    pub coverage_widened: Option<f64>,
    /// Monte Carlo standard error of `coverage_widened`.
    pub coverage_widened_error: Option<f64>,
    /// Mean width of the plain intervals.
    pub width: Option<f64>,
    /// Mean width of the widened intervals.
    pub width_widened: Option<f64>,
    /// Monte Carlo standard error of the difference between the mean widths.
    pub width_difference_error: Option<f64>,
}

impl Statistics for WideningStatistics {
    type Outcome = ArmOutcome<IntervalPair>;

    fn new(outcomes: &[&Self::Outcome], _: &[&Self::Outcome]) -> Self {
        let pairs: Vec<(f64, &IntervalPair)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
        let m = pairs.len() as f64;
        let pair_mean =
            |value: fn(f64, &IntervalPair) -> f64| mean(pairs.iter().map(|(truth, pair)| value(*truth, pair)));
        let coverage = pair_mean(|truth, pair| covers(&pair.plain, truth));
        let coverage_widened = pair_mean(|truth, pair| covers(&pair.widened, truth));
        let widening = |pair: &IntervalPair| pair.widened.width() - pair.plain.width();
        let mean_widening = mean(pairs.iter().map(|(_, pair)| widening(pair)));
        let squares =
            mean_widening.map(|mean| pairs.iter().map(|(_, pair)| (widening(pair) - mean).powi(2)).sum::<f64>());
        Self {
            estimates: count(pairs.len()),
            none: count(outcomes.len() - pairs.len()),
            rejected: count(pairs.iter().filter(|(_, pair)| pair.rejected).count()),
            scale: pair_mean(|_, pair| pair.scale),
            errors: pair_mean(|truth, pair| ((pair.estimate - truth) / pair.std_error).powi(2)).map(f64::sqrt),
            errors_widened: pair_mean(|truth, pair| {
                ((pair.estimate - truth) / (0.5 * pair.widened.width() / QUANTILE)).powi(2)
            })
            .map(f64::sqrt),
            coverage,
            coverage_error: share_error(coverage, pairs.len()),
            coverage_widened,
            coverage_widened_error: share_error(coverage_widened, pairs.len()),
            width: pair_mean(|_, pair| pair.plain.width()),
            width_widened: pair_mean(|_, pair| pair.widened.width()),
            width_difference_error: squares.filter(|_| m > 1.0).map(|squares| (squares / (m * (m - 1.0))).sqrt()),
        }
    }
}

/// Returns 1 if the interval contains the truth, and 0 otherwise.
fn covers(interval: &Interval, truth: f64) -> f64 {
    f64::from(interval.contains(truth))
}

/// The summary of a method over the settings with one violation of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodSummary {
    /// The kind of violation.
    pub kind: BreachKind,
    /// The size of the violation.
    pub size: f64,
    /// The method.
    pub method: String,
    /// Settings with estimates.
    pub settings: usize,
    /// Share of the samples in which the check rejects a mixture.
    pub rejected: f64,
    /// Mean of the scale factors.
    pub scale: f64,
    /// Root mean square of error / standard error.
    pub errors: f64,
    /// Root mean square of error / (half-width of the widened interval / normal quantile).
    pub errors_widened: f64,
    /// Coverage of the plain intervals.
    pub coverage: f64,
    /// Monte Carlo standard error of `coverage`.
    pub coverage_error: f64,
    /// Coverage of the widened intervals.
    pub coverage_widened: f64,
    /// Monte Carlo standard error of `coverage_widened`.
    pub coverage_widened_error: f64,
    /// Mean width of the plain intervals.
    pub width: f64,
    /// Mean width of the widened intervals / mean width of the plain intervals.
    pub width_ratio: f64,
    /// Monte Carlo standard error of `width_ratio`, with the plain width treated as exact.
    pub width_ratio_error: f64,
}

impl MethodSummary {
    /// Summarises a method's settings with one violation of one size; `None` without estimates.
    fn new(results: &StudyResults<BreachStudy>, kind: BreachKind, size: f64, arm: usize) -> Option<Self> {
        let mut settings = results.in_arm_where(arm, |s: &BreachSetting| s.kind == kind && s.size == size);
        settings.retain(|statistics| statistics.estimates > 0);
        let values = |value: fn(&WideningStatistics) -> Option<f64>| -> Vec<f64> {
            settings.iter().filter_map(|statistics| value(statistics)).collect()
        };
        let mean_of = |value: fn(&WideningStatistics) -> Option<f64>| mean(values(value).into_iter());
        let root_mean_square = |value: fn(&WideningStatistics) -> Option<f64>| {
            mean(values(value).into_iter().map(|root| root * root)).map(f64::sqrt)
        };
        // Settings are independent.
        let error = |value: fn(&WideningStatistics) -> Option<f64>| {
            root_mean_square(value).map(|root| root / (settings.len() as f64).sqrt())
        };
        let sum = |count: fn(&WideningStatistics) -> u32| {
            f64::from(settings.iter().map(|statistics| count(statistics)).sum::<u32>())
        };
        let width = mean_of(|s| s.width)?;
        Some(Self {
            kind,
            size,
            method: METHODS[arm].to_string(),
            settings: settings.len(),
            rejected: sum(|s| s.rejected) / sum(|s| s.estimates),
            scale: mean_of(|s| s.scale)?,
            errors: root_mean_square(|s| s.errors)?,
            errors_widened: root_mean_square(|s| s.errors_widened)?,
            coverage: mean_of(|s| s.coverage)?,
            coverage_error: error(|s| s.coverage_error)?,
            coverage_widened: mean_of(|s| s.coverage_widened)?,
            coverage_widened_error: error(|s| s.coverage_widened_error)?,
            width,
            width_ratio: mean_of(|s| s.width_widened)? / width,
            width_ratio_error: error(|s| s.width_difference_error).unwrap_or_default() / width,
        })
    }
}

impl Summary<BreachStudy> for SummaryRows<MethodSummary> {
    fn new(results: &StudyResults<BreachStudy>) -> Self {
        let mut summaries = Vec::new();
        for kind in BreachKind::ALL {
            for size in kind.sizes() {
                summaries.extend((0..METHODS.len()).filter_map(|arm| MethodSummary::new(results, kind, *size, arm)));
            }
        }
        Self { summaries }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let title = |rows: &[MethodSummary]| {
            let settings = rows.iter().map(|row| row.settings).max().unwrap_or_default();
            format!("{}: {settings} settings of each size", rows[0].kind.title())
        };
        self.tables_by(|row| row.kind, title).collect()
    }

    fn notes(&self) -> Vec<String> {
        notes([
            "seen: samples in which the check finds no mixture, %; S: mean scale factor",
            "error: root mean square of the error over the standard error; and over the half-width of the widened \
             interval by 1.96",
            "coverage: of the nominal 95 % intervals as they would be without the check, and widened, %",
            "width: mean width of the widened intervals over that of the plain ones",
        ])
    }

    /// Draws two rows of dots for every violation: plain and widened intervals.
    fn figures(results: &StudyResults<BreachStudy>) -> Vec<(String, String)> {
        let row = |kind: BreachKind, intervals: &str, colour, coverage: fn(&WideningStatistics) -> Option<f64>| {
            let settings = (0..METHODS.len()).flat_map(|arm| results.in_arm_where(arm, |s| s.kind == kind));
            let coverages = settings.filter_map(coverage).collect();
            CoverageDots { name: format!("{}, {intervals}", kind.title()), colour, coverages }
        };
        let rows = BreachKind::ALL.into_iter().flat_map(|kind| {
            [
                row(kind, "plain", VERMILION, |statistics| statistics.coverage),
                row(kind, "widened", BLUE, |statistics| statistics.coverage_widened),
            ]
        });
        vec![("breach.svg".to_owned(), coverage_figure(&rows.collect::<Vec<_>>()))]
    }
}

impl ResultRow for MethodSummary {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<ResultColumn<Self>> {
        let width_ratio = "mean width of the widened intervals over that of the plain ones";
        let errors_widened = "the same over the half-width of the widened interval, by the normal quantile";
        vec![
            Self::text("breach", "what is broken", |row| row.kind.title().into()),
            Self::number("size", "by how much", |row| row.size).shown(CellFormat::Decimals(2)),
            Self::text("method", "the method", |row| row.method.clone().into()).shown(CellFormat::AsIs),
            Self::share("rejected", "samples in which the check finds no mixture", |row| row.rejected)
                .heading("seen", CellFormat::Percentage(1)),
            Self::number("scale", "mean scale factor", |row| row.scale).heading("S", CellFormat::Decimals(2)),
            Self::number("errors", "root mean square of the error over the standard error", |row| row.errors)
                .heading("error", CellFormat::Decimals(2)),
            Self::number("errors_widened", errors_widened, |row| row.errors_widened)
                .heading("widened", CellFormat::Decimals(2)),
            Self::share("coverage", "coverage of the plain intervals", |row| row.coverage)
                .shown(CellFormat::Percentage(1)),
            Self::share("coverage_error", "its Monte Carlo standard error", |row| row.coverage_error),
            Self::share("coverage_widened", "coverage of the widened intervals", |row| row.coverage_widened)
                .heading("widened", CellFormat::Percentage(1)),
            Self::share("coverage_widened_error", "its Monte Carlo standard error", |row| row.coverage_widened_error),
            Self::share("width", "mean width of the plain intervals", |row| row.width),
            Self::number("width_ratio", width_ratio, |row| row.width_ratio).heading("width", CellFormat::Decimals(2)),
            Self::number("width_ratio_error", "its Monte Carlo standard error", |row| row.width_ratio_error),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::error::Problem;

    fn outcome(estimate: f64, plain: [f64; 3], ends: [f64; 2], rejected: bool) -> ArmOutcome<IntervalPair> {
        let [se, lower, upper] = plain;
        let plain = Interval { lower, upper };
        let widened = Interval { lower: ends[0], upper: ends[1] };
        let scale = if rejected { 3.0 } else { 1.0 };
        ArmOutcome {
            truth: 0.25,
            result: Ok(IntervalPair { estimate, std_error: se, plain, widened, scale, rejected }),
        }
    }

    /// Computed by hand: errors of 2 and −1 standard errors; the first plain interval does not
    /// contain the truth.
    #[test]
    fn statistics_follow_from_the_outcomes() {
        let outcomes = [
            outcome(0.5, [0.125, 0.375, 0.625], [0.25, 0.75], true),
            ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) },
            outcome(0.125, [0.125, 0.0, 0.25], [0.0, 0.25], false),
        ];
        let s = WideningStatistics::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((s.estimates, s.none, s.rejected), (2, 1, 1));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(s.scale, 2.0);
        close(s.errors, 2.5f64.sqrt());
        // Both errors equal the half-width.
        close(s.errors_widened, QUANTILE);
        close(s.coverage, 0.5);
        close(s.coverage_error, 0.125f64.sqrt());
        close(s.coverage_widened, 1.0);
        close(s.coverage_widened_error, 0.0);
        close(s.width, 0.25);
        close(s.width_widened, 0.375);
        // Widenings of ¼ and 0 have a standard deviation of ¼/√2.
        close(s.width_difference_error, 0.125);
    }

    #[test]
    fn statistics_without_estimates_are_none() {
        let empty =
            WideningStatistics::new(&[&ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) }], &[]);
        assert_eq!((empty.none, empty.coverage, empty.width, empty.errors), (1, None, None, None));
    }
}
