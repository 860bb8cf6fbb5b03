//! The performance of plain and widened intervals: in a setting, and for each violation and size.

use super::{BreachKind, BreachStudy, IntervalPair, METHODS};
use crate::shared::{BLUE, VERMILION};
use crate::studies::intervals::{CoverageDots, coverage_figure};
use crate::studies::summary::{decimals, percent};
use crate::studies::{ArmOutcome, SelectedSettings, Statistics, StudyResults, StudySummary, SummaryTable};
use crate::studies::{mean, share_error};
use serde_json::json;
use truecount::Interval;

/// The normal quantile of the nominal 95 % intervals.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// Returns the performance of a method's plain and widened intervals in a setting.
pub fn statistics(outcomes: &[&ArmOutcome<IntervalPair>]) -> Statistics {
    let pairs: Vec<(f64, &IntervalPair)> = outcomes.iter().filter_map(|outcome| outcome.pair()).collect();
    let m = pairs.len() as f64;
    let pair_mean =
        |value: &dyn Fn(f64, &IntervalPair) -> f64| mean(pairs.iter().map(|(truth, pair)| value(*truth, pair)));
    let coverage = pair_mean(&|truth, pair| covers(&pair.plain, truth));
    let coverage_widened = pair_mean(&|truth, pair| covers(&pair.widened, truth));
    let widening = |pair: &IntervalPair| pair.widened.width() - pair.plain.width();
    let mean_widening = mean(pairs.iter().map(|(_, pair)| widening(pair)));
    let squares = mean_widening.map(|mean| pairs.iter().map(|(_, pair)| (widening(pair) - mean).powi(2)).sum::<f64>());
    let square = |pair: &IntervalPair, truth: f64, unit: f64| ((pair.estimate - truth) / unit).powi(2);
    Statistics::new(
        [
            ("estimates", pairs.len()),
            ("none", outcomes.len() - pairs.len()),
            ("rejected", pairs.iter().filter(|(_, pair)| pair.rejected).count()),
        ],
        [
            ("scale", pair_mean(&|_, pair| pair.scale)),
            // Root mean square of the error over the standard error, and over the half-width of the
            // widened interval by the normal quantile.
            ("errors", pair_mean(&|truth, pair| square(pair, truth, pair.std_error)).map(f64::sqrt)),
            (
                "errors_widened",
                pair_mean(&|truth, pair| square(pair, truth, 0.5 * pair.widened.width() / QUANTILE)).map(f64::sqrt),
            ),
            ("coverage", coverage),
            ("coverage_error", share_error(coverage, pairs.len())),
            ("coverage_widened", coverage_widened),
            ("coverage_widened_error", share_error(coverage_widened, pairs.len())),
            ("width", pair_mean(&|_, pair| pair.plain.width())),
            ("width_widened", pair_mean(&|_, pair| pair.widened.width())),
            // Monte Carlo standard error of the difference between the mean widths.
            ("width_difference_error", squares.filter(|_| m > 1.0).map(|squares| (squares / (m * (m - 1.0))).sqrt())),
        ],
    )
}

/// Returns 1 if the interval contains the truth, and 0 otherwise.
fn covers(interval: &Interval, truth: f64) -> f64 {
    f64::from(interval.contains(truth))
}

/// Summarises every method over the settings with one violation of one size. The figure has two rows of
/// dots for every violation: plain and widened intervals.
pub fn summary(results: &StudyResults<BreachStudy>) -> StudySummary {
    let mut summary = StudySummary::with_notes([
        "seen: samples in which the check finds no mixture, %; S: mean scale factor",
        "error: root mean square of the error over the standard error; and over the half-width of the widened \
         interval by 1.96",
        "coverage: of the nominal 95 % intervals as they would be without the check, and widened, %",
        "width: mean width of the widened intervals over that of the plain ones",
    ]);
    let mut dots = Vec::new();
    for (kind, title, sizes) in BreachKind::ALL {
        for (intervals, colour, name) in [("plain", VERMILION, "coverage"), ("widened", BLUE, "coverage_widened")] {
            let methods = (0..METHODS.len()).flat_map(|arm| results.select(arm, |s| s.kind == kind).values(name));
            let name = format!("{title}, {intervals}");
            dots.push(CoverageDots { name, colour, coverages: methods.collect() });
        }
        let header = ["size", "method", "seen", "S", "error", "widened", "coverage", "widened", "width"];
        let (mut table, mut most) = (SummaryTable::new(header).right_aligned(), 0);
        for &size in sizes {
            for (arm, method) in METHODS.iter().enumerate() {
                let mut settings = results.select(arm, |s| s.kind == kind && s.size == size);
                settings.0.retain(|statistics| statistics.count("estimates") > 0);
                most = most.max(settings.0.len());
                summarise(&settings, (kind, size, &method.to_string()), &mut summary, &mut table);
            }
        }
        summary.add_table(table.titled(format!("{title}: {most} settings of each size")));
    }
    summary.figures.push(("breach.svg".to_owned(), coverage_figure(&dots)));
    summary
}

/// Adds the summary of a method's settings with one violation of one size.
fn summarise(
    settings: &SelectedSettings,
    (kind, size, method): (BreachKind, f64, &str),
    summary: &mut StudySummary,
    table: &mut SummaryTable,
) {
    let Some(width) = settings.mean("width") else { return };
    // Settings are independent.
    let error = |name| settings.root_mean_square(name).map(|root| root / (settings.0.len() as f64).sqrt());
    let rejected = settings.share(&["rejected"], &["estimates"]);
    let [scale, coverage, coverage_widened] = ["scale", "coverage", "coverage_widened"].map(|name| settings.mean(name));
    let [errors, errors_widened] = ["errors", "errors_widened"].map(|name| settings.root_mean_square(name));
    let width_ratio = settings.mean("width_widened").map(|widened| widened / width);
    let key = json!({"kind": kind, "size": size, "method": method, "settings": settings.0.len()});
    let values = json!({
        "rejected": rejected,
        "scale": scale,
        "errors": errors,
        "errors_widened": errors_widened,
        "coverage": coverage,
        "coverage_error": error("coverage_error"),
        "coverage_widened": coverage_widened,
        "coverage_widened_error": error("coverage_widened_error"),
        "width": width,
        "width_ratio": width_ratio,
        "width_ratio_error": error("width_difference_error").unwrap_or_default() / width,
    });
    summary.push("summaries", [key, values]);
    let [scale, errors, errors_widened, width] = [scale, errors, errors_widened, width_ratio].map(|x| decimals(x, 2));
    let [rejected, coverage, widened] = [Some(rejected), coverage, coverage_widened].map(|share| percent(share, 1));
    let size = decimals(size, 2);
    table.push([size, method.to_owned(), rejected, scale, errors, errors_widened, coverage, widened, width]);
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
        let s = statistics(&outcomes.iter().collect::<Vec<_>>());
        assert_eq!(["estimates", "none", "rejected"].map(|name| s.count(name)), [2, 1, 1]);
        let close = |name: &str, b: f64| assert!((s.value(name).unwrap() - b).abs() < 1e-15, "{name} {b}");
        close("scale", 2.0);
        close("errors", 2.5f64.sqrt());
        // Both errors equal the half-width.
        close("errors_widened", QUANTILE);
        close("coverage", 0.5);
        close("coverage_error", 0.125f64.sqrt());
        close("coverage_widened", 1.0);
        close("coverage_widened_error", 0.0);
        close("width", 0.25);
        close("width_widened", 0.375);
        // Widenings of ¼ and 0 have a standard deviation of ¼/√2.
        close("width_difference_error", 0.125);
    }
}
