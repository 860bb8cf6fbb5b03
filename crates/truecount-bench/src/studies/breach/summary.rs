//! A method's intervals, plain and widened: in a setting, and for each size of each breach over the other settings.

use super::{BreachKind, BreachSetting, BreachStudy, IntervalPair, METHODS};
use crate::shared::{BLUE, CellFormat, ResultColumn, ResultRow, ResultTable, Unit, VERMILION};
use crate::studies::intervals::{CoverageDots, coverage_figure};
use crate::studies::{
    ArmOutcome, Statistics, StudyResults, Summary, SummaryRows, count, mean, notes, number, share, share_error,
};
use serde::{Deserialize, Serialize};
use truecount::IntervalEstimate;

/// The normal quantile of the nominal 95 % intervals.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// How a method did in a setting. A statistic is `None` if there are no estimates for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WideningStatistics {
    /// Replications with an estimate.
    pub estimates: u32,
    /// Replications without one.
    pub none: u32,
    /// Replications in which the check finds no mixture.
    pub rejected: u32,
    /// Mean of the scale factors.
    pub scale: Option<f64>,
    /// Root mean square of the error over the standard error.
    pub errors: Option<f64>,
    /// The same over the half-width of the widened interval, divided by the normal quantile.
    pub errors_widened: Option<f64>,
    /// Share of the plain intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Its Monte Carlo standard error, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Share of the widened intervals that contain the truth.
    pub coverage_widened: Option<f64>,
    /// Its Monte Carlo standard error.
    pub coverage_widened_error: Option<f64>,
    /// Mean width of the plain intervals.
    pub width: Option<f64>,
    /// Mean width of the widened intervals.
    pub width_widened: Option<f64>,
    /// Monte Carlo standard error of the difference of these means.
    pub width_difference_error: Option<f64>,
}

impl Statistics for WideningStatistics {
    type Outcome = ArmOutcome<IntervalPair>;

    fn new(outcomes: &[&Self::Outcome], _: &[&Self::Outcome]) -> Self {
        let pairs: Vec<(f64, &IntervalPair)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
        let m = pairs.len() as f64;
        let of = |value: fn(f64, &IntervalPair) -> f64| mean(pairs.iter().map(|(truth, pair)| value(*truth, pair)));
        let coverage = of(|truth, pair| holds(&pair.plain, truth));
        let coverage_widened = of(|truth, pair| holds(&pair.widened, truth));
        let more = |pair: &IntervalPair| width(&pair.widened) - width(&pair.plain);
        let gained = mean(pairs.iter().map(|(_, pair)| more(pair)));
        let squares = gained.map(|gained| pairs.iter().map(|(_, pair)| (more(pair) - gained).powi(2)).sum::<f64>());
        Self {
            estimates: count(pairs.len()),
            none: count(outcomes.len() - pairs.len()),
            rejected: count(pairs.iter().filter(|(_, pair)| pair.rejected).count()),
            scale: of(|_, pair| pair.scale),
            errors: of(|truth, pair| ((pair.estimate - truth) / pair.plain.se).powi(2)).map(f64::sqrt),
            errors_widened: of(|truth, pair| {
                ((pair.estimate - truth) / (0.5 * width(&pair.widened) / QUANTILE)).powi(2)
            })
            .map(f64::sqrt),
            coverage,
            coverage_error: share_error(coverage, pairs.len()),
            coverage_widened,
            coverage_widened_error: share_error(coverage_widened, pairs.len()),
            width: of(|_, pair| width(&pair.plain)),
            width_widened: of(|_, pair| width(&pair.widened)),
            width_difference_error: squares.filter(|_| m > 1.0).map(|squares| (squares / (m * (m - 1.0))).sqrt()),
        }
    }
}

fn width(interval: &IntervalEstimate) -> f64 {
    interval.upper - interval.lower
}

/// 1 if the interval contains the truth, else 0.
fn holds(interval: &IntervalEstimate, truth: f64) -> f64 {
    f64::from((interval.lower..=interval.upper).contains(&truth))
}

/// A method's intervals over the settings with one breach of one size. Shares, and in units as they say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodSummary {
    /// How the assumption is broken.
    pub kind: BreachKind,
    /// By how much.
    pub size: f64,
    /// The method.
    pub method: String,
    /// Settings with estimates.
    pub settings: usize,
    /// Share of the samples in which the check finds no mixture.
    pub rejected: f64,
    /// Mean of the scale factors.
    pub scale: f64,
    /// Root mean square of the error over the standard error.
    pub errors: f64,
    /// The same over the half-width of the widened interval, divided by the normal quantile.
    pub errors_widened: f64,
    /// Coverage of the plain intervals.
    pub coverage: f64,
    /// Its Monte Carlo standard error.
    pub coverage_error: f64,
    /// Coverage of the widened intervals.
    pub coverage_widened: f64,
    /// Its Monte Carlo standard error.
    pub coverage_widened_error: f64,
    /// Mean width of the plain intervals.
    pub width: f64,
    /// Mean width of the widened intervals over that of the plain ones.
    pub width_ratio: f64,
    /// Its Monte Carlo standard error, of the plain width as it is.
    pub width_ratio_error: f64,
}

impl MethodSummary {
    /// Summarises a method's settings with one breach of one size, if any has estimates.
    fn new(results: &StudyResults<BreachStudy>, kind: BreachKind, size: f64, arm: usize) -> Option<Self> {
        let mut settings = results.in_arm_where(arm, |s: &BreachSetting| s.kind == kind && s.size == size);
        settings.retain(|statistics| statistics.estimates > 0);
        let each = |of: fn(&WideningStatistics) -> Option<f64>| -> Vec<f64> {
            settings.iter().filter_map(|statistics| of(statistics)).collect()
        };
        let over = |of: fn(&WideningStatistics) -> Option<f64>| mean(each(of).into_iter());
        let root = |of: fn(&WideningStatistics) -> Option<f64>| {
            mean(each(of).into_iter().map(|root| root * root)).map(f64::sqrt)
        };
        // Of a mean of independent values.
        let error =
            |of: fn(&WideningStatistics) -> Option<f64>| root(of).map(|root| root / (settings.len() as f64).sqrt());
        let sum = |of: fn(&WideningStatistics) -> u32| {
            f64::from(settings.iter().map(|statistics| of(statistics)).sum::<u32>())
        };
        let width = over(|s| s.width)?;
        Some(Self {
            kind,
            size,
            method: METHODS[arm].to_string(),
            settings: settings.len(),
            rejected: sum(|s| s.rejected) / sum(|s| s.estimates),
            scale: over(|s| s.scale)?,
            errors: root(|s| s.errors)?,
            errors_widened: root(|s| s.errors_widened)?,
            coverage: over(|s| s.coverage)?,
            coverage_error: error(|s| s.coverage_error)?,
            coverage_widened: over(|s| s.coverage_widened)?,
            coverage_widened_error: error(|s| s.coverage_widened_error)?,
            width,
            width_ratio: over(|s| s.width_widened)? / width,
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
            "error: root mean square of the error over the standard error; and over the half-width of the widened interval by 1.96",
            "coverage: of the nominal 95 % intervals as they would be without the check, and widened, %",
            "width: mean width of the widened intervals over that of the plain ones",
        ])
    }

    /// Two rows of dots for every breach, of the plain intervals and of the widened ones.
    fn figures(results: &StudyResults<BreachStudy>) -> Vec<(String, String)> {
        let row = |kind: BreachKind, how: &str, colour, coverage: fn(&WideningStatistics) -> Option<f64>| {
            let settings = (0..METHODS.len()).flat_map(|arm| results.in_arm_where(arm, |s| s.kind == kind));
            let coverages = settings.filter_map(coverage).collect();
            CoverageDots { name: format!("{}, {how}", kind.title()), colour, coverages }
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
            ResultColumn::new("breach", Unit::Text, "what is broken", |row: &Self| row.kind.title().into()),
            number("size", "by how much", |row: &Self| row.size).shown(CellFormat::Decimals(2)),
            ResultColumn::new("method", Unit::Text, "the method", |row: &Self| row.method.clone().into())
                .shown(CellFormat::AsIs),
            share("rejected", "samples in which the check finds no mixture", |row: &Self| row.rejected)
                .heading("seen", CellFormat::Percentage(1)),
            number("scale", "mean scale factor", |row: &Self| row.scale).heading("S", CellFormat::Decimals(2)),
            number("errors", "root mean square of the error over the standard error", |row: &Self| row.errors)
                .heading("error", CellFormat::Decimals(2)),
            number("errors_widened", errors_widened, |row: &Self| row.errors_widened)
                .heading("widened", CellFormat::Decimals(2)),
            share("coverage", "coverage of the plain intervals", |row: &Self| row.coverage)
                .shown(CellFormat::Percentage(1)),
            share("coverage_error", "its Monte Carlo standard error", |row: &Self| row.coverage_error),
            share("coverage_widened", "coverage of the widened intervals", |row: &Self| row.coverage_widened)
                .heading("widened", CellFormat::Percentage(1)),
            share("coverage_widened_error", "its Monte Carlo standard error", |row: &Self| row.coverage_widened_error),
            share("width", "mean width of the plain intervals", |row: &Self| row.width),
            number("width_ratio", width_ratio, |row: &Self| row.width_ratio).heading("width", CellFormat::Decimals(2)),
            number("width_ratio_error", "its Monte Carlo standard error", |row: &Self| row.width_ratio_error),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::Problem;

    fn outcome(estimate: f64, plain: [f64; 3], ends: [f64; 2], rejected: bool) -> ArmOutcome<IntervalPair> {
        let [se, lower, upper] = plain;
        let plain = IntervalEstimate { se, lower, upper };
        let widened = IntervalEstimate { lower: ends[0], upper: ends[1], ..plain };
        let scale = if rejected { 3.0 } else { 1.0 };
        ArmOutcome { truth: 0.25, result: Ok(IntervalPair { estimate, plain, widened, scale, rejected }) }
    }

    /// By hand: errors of 2 and −1 standard errors, of which the first is missed by its plain interval.
    #[test]
    fn are_those_of_the_outcomes() {
        let outcomes = [
            outcome(0.5, [0.125, 0.375, 0.625], [0.25, 0.75], true),
            ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) },
            outcome(0.125, [0.125, 0.0, 0.25], [0.0, 0.25], false),
        ];
        let found = WideningStatistics::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((found.estimates, found.none, found.rejected), (2, 1, 1));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(found.scale, 2.0);
        close(found.errors, 2.5f64.sqrt());
        // Both errors are as large as half the width.
        close(found.errors_widened, QUANTILE);
        close(found.coverage, 0.5);
        close(found.coverage_error, 0.125f64.sqrt());
        close(found.coverage_widened, 1.0);
        close(found.coverage_widened_error, 0.0);
        close(found.width, 0.25);
        close(found.width_widened, 0.375);
        // ¼ and 0 more: a standard deviation of ¼/√2.
        close(found.width_difference_error, 0.125);
    }

    #[test]
    fn say_nothing_about_nothing() {
        let nothing =
            WideningStatistics::new(&[&ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) }], &[]);
        assert_eq!((nothing.none, nothing.coverage, nothing.width, nothing.errors), (1, None, None, None));
    }
}
