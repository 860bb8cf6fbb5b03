//! The performance of the intervals of a quantity: in a setting, and over the settings.

use super::{EstimatePair, METHODS, Quantity, QuantityEstimate, TogetherStudy, arm};
use crate::shared::{CellFormat, ResultColumn, ResultRow, ResultTable, SERIES};
use crate::studies::intervals::{CoverageDots, CoverageSummary, band, coverage_figure};
use crate::studies::{ArmOutcome, Statistics, StudyResults, Summary, SummaryRows, count, mean, share_error};
use serde::{Deserialize, Serialize};

/// The performance of an arm's intervals in a setting. A statistic is `None` without values to
/// compute it from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContrastStatistics {
    /// Replications with an interval.
    pub intervals: u32,
    /// Replications without an interval.
    pub none: u32,
    /// Intervals without an upper end.
    pub endless: u32,
    /// Share of the intervals that contain the truth.
    pub coverage: Option<f64>,
    /// Monte Carlo standard error of the coverage, √(p(1−p)/m) for m intervals.
    pub coverage_error: Option<f64>,
    /// Share of the intervals that lie below the truth.
    pub below: Option<f64>,
    /// Share of the intervals that lie above the truth.
    pub above: Option<f64>,
    /// Mean width of the intervals that have an upper end.
    pub width: Option<f64>,
    /// Mean of raw − truth.
    pub bias: Option<f64>,
    /// Standard deviation of raw (m − 1).
    pub sd: Option<f64>,
    /// Root mean square of the standard errors / standard deviation of raw.
    pub se_ratio: Option<f64>,
    /// Covariance of the two estimates of a difference (m − 1).
    pub covariance: Option<f64>,
    /// Monte Carlo standard error of the covariance, √((v₁v₂ + c²)/m).
    pub covariance_error: Option<f64>,
    /// Mean of the reported covariances / simulated covariance.
    pub covariance_ratio: Option<f64>,
}

impl Statistics for ContrastStatistics {
    type Outcome = ArmOutcome<QuantityEstimate>;

    fn new(outcomes: &[&Self::Outcome], _: &[&Self::Outcome]) -> Self {
        let estimates: Vec<(f64, &QuantityEstimate)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
        let share = |condition: fn(f64, &QuantityEstimate) -> bool| {
            mean(estimates.iter().map(|(truth, e)| f64::from(u8::from(condition(*truth, e)))))
        };
        let coverage = share(|truth, e| (e.lower..=e.upper).contains(&truth));
        let widths: Vec<f64> =
            estimates.iter().map(|(_, e)| e.upper - e.lower).filter(|width| width.is_finite()).collect();
        let raws: Vec<(f64, (f64, f64))> = estimates.iter().filter_map(|(truth, e)| Some((*truth, e.raw?))).collect();
        let values: Vec<f64> = raws.iter().map(|(_, (raw, _))| *raw).collect();
        let sd = covariance(&values, &values).map(f64::sqrt);
        let squares = mean(raws.iter().map(|(_, (_, se))| se * se));
        let pairs: Vec<EstimatePair> = estimates.iter().filter_map(|(_, e)| e.pair).collect();
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().map(|pair| (pair.first, pair.second)).unzip();
        let simulated = covariance(&first, &second);
        let variances = covariance(&first, &first).zip(covariance(&second, &second));
        let m = estimates.len() as f64;
        let error = simulated.zip(variances).map(|(c, (v, w))| ((v * w + c * c) / m).sqrt());
        let reported = mean(pairs.iter().map(|pair| pair.covariance));
        let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
        Self {
            intervals: count(estimates.len()),
            none: count(outcomes.len() - estimates.len()),
            endless: count(estimates.len() - widths.len()),
            coverage,
            coverage_error: share_error(coverage, estimates.len()),
            below: share(|truth, e| e.upper < truth),
            above: share(|truth, e| e.lower > truth),
            width: mean(widths.iter().copied()),
            bias: mean(raws.iter().map(|(truth, (raw, _))| raw - truth)),
            sd,
            se_ratio: ratio(squares.map(f64::sqrt), sd),
            covariance: simulated,
            covariance_error: error,
            covariance_ratio: ratio(reported, simulated),
        }
    }
}

/// Returns the sample covariance (m − 1).
fn covariance(a: &[f64], b: &[f64]) -> Option<f64> {
    let degrees = a.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let (mean_a, mean_b) = mean(a.iter().copied()).zip(mean(b.iter().copied()))?;
    Some(a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum::<f64>() / degrees as f64)
}

/// The summary of a method's intervals for a quantity over the settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantitySummary {
    /// The quantity that the intervals estimate.
    pub quantity: Quantity,
    /// The method.
    pub method: String,
    /// The coverage of the intervals.
    #[serde(flatten)]
    pub coverages: CoverageSummary,
    /// Median over the settings of [`ContrastStatistics::se_ratio`].
    pub se_ratio: Option<f64>,
    /// Median over the settings of [`ContrastStatistics::covariance_ratio`].
    pub covariance_ratio: Option<f64>,
    /// Share of the replications whose interval has no upper end.
    pub endless: f64,
    /// Share of the replications without an interval.
    pub none: f64,
}

impl QuantitySummary {
    /// Summarises a method's intervals for a quantity, both by index; `None` without finished
    /// settings.
    fn new(results: &StudyResults<TogetherStudy>, quantity: usize, method: usize) -> Option<Self> {
        let settings = results.in_arm_where(arm(quantity, method), |_| true);
        let values = |value: fn(&ContrastStatistics) -> Option<f64>| -> Vec<f64> {
            settings.iter().filter_map(|s| value(s)).collect()
        };
        let replications: u32 = settings.iter().map(|s| s.intervals + s.none).sum();
        let share = |count: fn(&ContrastStatistics) -> u32| {
            f64::from(settings.iter().map(|s| count(s)).sum::<u32>()) / f64::from(replications)
        };
        Some(Self {
            quantity: Quantity::ALL[quantity],
            method: METHODS[method].to_string(),
            coverages: CoverageSummary::new(&values(|s| s.coverage), &values(|s| s.width))?,
            se_ratio: median(values(|s| s.se_ratio)),
            covariance_ratio: median(values(|s| s.covariance_ratio)),
            endless: share(|s| s.endless),
            none: share(|s| s.none),
        })
    }
}

/// Returns the median, or `None` without values.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(0.5 * (values[last / 2] + values[last.div_ceil(2)]))
}

impl Summary<TogetherStudy> for SummaryRows<QuantitySummary> {
    fn new(results: &StudyResults<TogetherStudy>) -> Self {
        let by_method =
            |quantity| (0..METHODS.len()).filter_map(move |method| QuantitySummary::new(results, quantity, method));
        Self { summaries: (0..Quantity::ALL.len()).flat_map(by_method).collect() }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let title = |rows: &[QuantitySummary]| {
            let settings = rows.iter().map(|row| row.coverages.settings).max().unwrap_or_default();
            format!("{}: {settings} settings", rows[0].quantity.title())
        };
        self.tables_by(|row| row.quantity, title).map(|table| table.headed("in_band", band())).collect()
    }

    fn notes(&self) -> Vec<String> {
        vec![
            "mean, min, max: coverage of the nominal 95 % intervals over the settings, %".to_owned(),
            format!("{}: share of the settings between these, %", band()),
            "width: mean width of the intervals that have an upper end".to_owned(),
            "se: standard error over the standard deviation, median over the settings".to_owned(),
            "cov: stated covariance of the two compared over the one found, median".to_owned(),
            "∞ and none: replications without an upper end, and without an interval, %".to_owned(),
        ]
    }

    /// Draws one row of dots for every quantity and method.
    fn figures(results: &StudyResults<TogetherStudy>) -> Vec<(String, String)> {
        let row = |quantity: usize, method: usize| CoverageDots {
            name: format!("{}, {}", Quantity::ALL[quantity].title(), METHODS[method]),
            colour: SERIES[quantity],
            coverages: results.in_arm(arm(quantity, method)).filter_map(|(_, s)| s.coverage).collect(),
        };
        let quantities = 0..Quantity::ALL.len();
        let rows = quantities.flat_map(|quantity| (0..METHODS.len()).map(move |method| row(quantity, method)));
        vec![("together.svg".to_owned(), coverage_figure(&rows.collect::<Vec<_>>()))]
    }
}

impl ResultRow for QuantitySummary {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<ResultColumn<Self>> {
        let in_band = "share of the settings whose coverage is close to the nominal one";
        let se_ratio = "standard error over the standard deviation, median over the settings";
        let covariance_ratio = "stated covariance over the one found, median over the settings";
        vec![
            Self::text("quantity", "what the intervals are about", |row| row.quantity.title().into()),
            Self::text("method", "the method", |row| row.method.clone().into()).shown(CellFormat::AsIs),
            Self::share("mean", "mean coverage over the settings", |row| row.coverages.mean)
                .shown(CellFormat::Percentage(1)),
            Self::share("min", "least coverage", |row| row.coverages.min).shown(CellFormat::Percentage(1)),
            Self::share("max", "largest coverage", |row| row.coverages.max).shown(CellFormat::Percentage(1)),
            Self::share("in_band", in_band, |row| row.coverages.in_band).shown(CellFormat::Percentage(1)),
            Self::share("width", "mean width of the intervals that have an upper end", |row| row.coverages.width)
                .shown(CellFormat::Decimals(3)),
            Self::number("se_ratio", se_ratio, |row| row.se_ratio).heading("se", CellFormat::Decimals(2)),
            Self::number("covariance_ratio", covariance_ratio, |row| row.covariance_ratio)
                .heading("cov", CellFormat::Decimals(2)),
            Self::share("endless", "replications whose interval has no upper end", |row| row.endless)
                .heading("∞", CellFormat::Percentage(1)),
            Self::share("failed", "replications without an interval", |row| row.none).heading("fail", CellFormat::Rare),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::error::Problem;

    fn outcome(ends: (f64, f64), raw: Option<(f64, f64)>, pair: Option<EstimatePair>) -> ArmOutcome<QuantityEstimate> {
        ArmOutcome { truth: 0.25, result: Ok(QuantityEstimate { lower: ends.0, upper: ends.1, raw, pair }) }
    }

    fn pair(first: f64, second: f64, covariance: f64) -> EstimatePair {
        EstimatePair { first, second, covariance }
    }

    /// Computed by hand: estimates 0.5, 0 and 1; the first interval lies below the truth and the
    /// last above it.
    #[test]
    fn statistics_follow_from_the_outcomes() {
        let outcomes = [
            outcome((-0.5, 0.125), Some((0.5, 0.5)), Some(pair(1.0, 0.5, 0.0625))),
            ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) },
            outcome((0.0, 0.25), Some((0.0, 1.0)), Some(pair(0.0, 0.0, 0.125))),
            outcome((0.5, f64::INFINITY), Some((1.0, 0.5)), Some(pair(2.0, 1.0, 0.5625))),
        ];
        let s = ContrastStatistics::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((s.intervals, s.none, s.endless), (3, 1, 1));
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-15, "{a:?} {b}");
        close(s.coverage, 1.0 / 3.0);
        close(s.coverage_error, (2.0f64 / 27.0).sqrt());
        close(s.below, 1.0 / 3.0);
        close(s.above, 1.0 / 3.0);
        close(s.width, 0.4375);
        close(s.bias, 0.25);
        close(s.sd, 0.5);
        close(s.se_ratio, 2.0f64.sqrt());
        // Variances 1 and 1/4.
        close(s.covariance, 0.5);
        close(s.covariance_error, (0.5f64 / 3.0).sqrt());
        close(s.covariance_ratio, 0.5);
    }

    #[test]
    fn statistics_without_intervals_are_none() {
        let empty =
            ContrastStatistics::new(&[&ArmOutcome { truth: 0.25, result: Err(Problem::NoTestScores.into()) }], &[]);
        assert_eq!((empty.none, empty.coverage, empty.width, empty.sd), (1, None, None, None));
        let ratio = ContrastStatistics::new(&[&outcome((0.0, 1.0), None, None)], &[]);
        assert_eq!((ratio.coverage, ratio.bias, ratio.se_ratio, ratio.covariance_ratio), (Some(1.0), None, None, None));
    }

    #[test]
    fn the_median_is_the_middle_value() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(vec![9.0, -1.0, 2.0]), Some(2.0));
    }
}
