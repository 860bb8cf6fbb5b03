//! The performance of the intervals of a quantity: in a setting, and over the settings.

use super::{EstimatePair, METHODS, Quantity, QuantityEstimate, TogetherStudy, arm};
use crate::shared::SERIES;
use crate::studies::intervals::{CoverageDots, band, coverage_figure};
use crate::studies::summary::{decimals, percent, rare};
use crate::studies::{ArmOutcome, Statistics, StudyResults, StudySummary, SummaryTable, covariance, mean, share_error};
use serde_json::json;

/// Returns the performance of an arm's intervals in a setting. Endless intervals have no upper end.
pub fn statistics(outcomes: &[&ArmOutcome<QuantityEstimate>]) -> Statistics {
    let estimates: Vec<(f64, &QuantityEstimate)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
    let share = |condition: fn(f64, &QuantityEstimate) -> bool| {
        mean(estimates.iter().map(|(truth, e)| f64::from(u8::from(condition(*truth, e)))))
    };
    let coverage = share(|truth, e| (e.lower..=e.upper).contains(&truth));
    let widths: Vec<f64> = estimates.iter().map(|(_, e)| e.upper - e.lower).filter(|width| width.is_finite()).collect();
    let raws: Vec<(f64, (f64, f64))> = estimates.iter().filter_map(|(truth, e)| Some((*truth, e.raw?))).collect();
    let values: Vec<f64> = raws.iter().map(|(_, (raw, _))| *raw).collect();
    let sd = covariance(&values, &values).map(f64::sqrt);
    let squares = mean(raws.iter().map(|(_, (_, se))| se * se));
    let pairs: Vec<EstimatePair> = estimates.iter().filter_map(|(_, e)| e.pair).collect();
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().map(|pair| (pair.first, pair.second)).unzip();
    let simulated = covariance(&first, &second);
    let variances = covariance(&first, &first).zip(covariance(&second, &second));
    let m = estimates.len() as f64;
    // √((v₁v₂ + c²)/m)
    let error = simulated.zip(variances).map(|(c, (v, w))| ((v * w + c * c) / m).sqrt());
    let reported = mean(pairs.iter().map(|pair| pair.covariance));
    let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
    Statistics::new(
        [
            ("intervals", estimates.len()),
            ("none", outcomes.len() - estimates.len()),
            ("endless", estimates.len() - widths.len()),
        ],
        [
            ("coverage", coverage),
            ("coverage_error", share_error(coverage, estimates.len())),
            ("below", share(|truth, e| e.upper < truth)),
            ("above", share(|truth, e| e.lower > truth)),
            ("width", mean(widths.iter().copied())),
            ("bias", mean(raws.iter().map(|(truth, (raw, _))| raw - truth))),
            ("sd", sd),
            // Root mean square of the standard errors over the standard deviation of the estimates.
            ("se_ratio", ratio(squares.map(f64::sqrt), sd)),
            ("covariance", simulated),
            ("covariance_error", error),
            // Mean of the reported covariances over the simulated covariance.
            ("covariance_ratio", ratio(reported, simulated)),
        ],
    )
}

/// Returns the median, or `None` without values.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(0.5 * (values[last / 2] + values[last.div_ceil(2)]))
}

/// Summarises every method's intervals for every quantity over the settings, with a row of dots in the
/// figure.
pub fn summary(results: &StudyResults<TogetherStudy>) -> StudySummary {
    let in_band = format!("{}: share of the settings between these, %", band());
    let mut summary = StudySummary::with_notes([
        "mean, min, max: coverage of the nominal 95 % intervals over the settings, %",
        &in_band,
        "width: mean width of the intervals that have an upper end",
        "se: standard error over the standard deviation, median over the settings",
        "cov: stated covariance of the two compared over the one found, median",
        "∞ and none: replications without an upper end, and without an interval, %",
    ]);
    let mut dots = Vec::new();
    for (index, (quantity, title)) in Quantity::ALL.into_iter().enumerate() {
        let header = ["method", "mean", "min", "max", &band(), "width", "se", "cov", "∞", "fail"];
        let (mut table, mut most) = (SummaryTable::new(header), 0);
        for (number, method) in METHODS.iter().map(ToString::to_string).enumerate() {
            let settings = results.select(arm(index, number), |_| true);
            dots.push(CoverageDots::new(format!("{title}, {method}"), SERIES[index], &settings));
            let Some(coverage) = settings.coverage() else { continue };
            most = most.max(coverage.settings);
            let [endless, none] = ["endless", "none"].map(|count| settings.share(&[count], &["intervals", "none"]));
            let [se, cov] = ["se_ratio", "covariance_ratio"].map(|name| median(settings.values(name)));
            let values = json!({"se_ratio": se, "covariance_ratio": cov, "endless": endless, "none": none});
            summary.push("summaries", [json!({"quantity": quantity, "method": method}), json!(coverage), values]);
            let [mean, min, max, in_band] = coverage.percentages();
            let [width, se, cov] = [decimals(coverage.width, 3), decimals(se, 2), decimals(cov, 2)];
            table.push([method, mean, min, max, in_band, width, se, cov, percent(endless, 1), rare(none)]);
        }
        summary.add_table(table.titled(format!("{title}: {most} settings")));
    }
    summary.figures.push(("together.svg".to_owned(), coverage_figure(&dots)));
    summary
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
        let s = statistics(&outcomes.iter().collect::<Vec<_>>());
        assert_eq!(["intervals", "none", "endless"].map(|name| s.count(name)), [3, 1, 1]);
        let close = |name: &str, b: f64| assert!((s.value(name).unwrap() - b).abs() < 1e-15, "{name} {b}");
        close("coverage", 1.0 / 3.0);
        close("coverage_error", (2.0f64 / 27.0).sqrt());
        close("below", 1.0 / 3.0);
        close("above", 1.0 / 3.0);
        close("width", 0.4375);
        close("bias", 0.25);
        close("sd", 0.5);
        close("se_ratio", 2.0f64.sqrt());
        // Variances 1 and 1/4.
        close("covariance", 0.5);
        close("covariance_error", (0.5f64 / 3.0).sqrt());
        close("covariance_ratio", 0.5);
    }

    #[test]
    fn the_median_is_the_middle_value() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(vec![9.0, -1.0, 2.0]), Some(2.0));
    }
}
