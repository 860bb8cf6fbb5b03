//! Standard error and interval from bootstrap replicates of an estimate.
//!
//! Resampling the test scores imitates drawing them from their population, so the replicates' variance V* is that of
//! `Target::Population`. The prevalence of these very scores does not vary: for it the deviations of the replicates are
//! scaled by √((V* − D)/V*), with D the variance of the share of positives in a sample, α(1−α)/n. V* − D is taken for no less
//! than V* √(2/B), the Monte Carlo error of V* from B replicates.

use super::skewness::student;
use super::{IntervalEstimate, IntervalOptions, Scale, Systematic, Warning};
use crate::numeric::sum::CompensatedSum;

/// Share of lost replicates above which the others tell too little.
const MOST_LOST: f64 = 0.1;

/// What replicates say of an estimate from n test scores, a replicate that allowed no estimate being none; and a warning
/// if there are such. `given` is what of D does not count, all of it for the sample, and `unseen` the variance of errors that the labelled sample has not shown, which no
/// resample of it can show either: it widens the interval, as the scale of a misfit does.
pub(crate) fn by_resampling(
    raw: f64,
    n: f64,
    replicates: &[Option<f64>],
    (given, unseen): (f64, f64),
    scale: Option<Scale>,
    reporting: &IntervalOptions,
) -> (Option<IntervalEstimate>, Option<Warning>) {
    let found: Vec<f64> = replicates.iter().flatten().copied().collect();
    let (lost, of) = (replicates.len() - found.len(), replicates.len());
    let withheld = found.len() < 2 || lost as f64 > MOST_LOST * of as f64;
    let warning = match (lost, withheld) {
        (0, _) => None,
        (_, false) => Some(Warning::ResamplesLost { lost, of }),
        (_, true) => Some(Warning::TooManyResamplesLost { lost, of }),
    };
    if withheld {
        return (None, warning);
    }
    let b = found.len() as f64;
    let mean = found.iter().copied().collect::<CompensatedSum>().value() / b;
    let population = found.iter().map(|x| (x - mean).powi(2)).collect::<CompensatedSum>().value() / (b - 1.0);
    let variance = if given > 0.0 { (population - given).max(population * (2.0 / b).sqrt()) } else { population };
    let systematic = scale.map_or(Systematic::NONE, |scale| scale.systematic_variance(variance));
    let z = reporting.quantiles()[0];
    let heavier = student(z, systematic.freedom_with(variance, f64::INFINITY)) / z;
    let wider = ((variance + unseen + systematic.variance) / population).sqrt() * heavier;
    let times = if population > 0.0 { wider } else { 0.0 };
    let mut deviations: Vec<f64> = found.iter().map(|x| times * (x - raw)).collect();
    deviations.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - reporting.level());
    let ends = (raw + quantile(&deviations, tail), raw + quantile(&deviations, 1.0 - tail));
    (Some(IntervalEstimate::around(raw.clamp(0.0, 1.0), n, variance.sqrt(), ends)), warning)
}

/// The quantile of sorted values: the value at (m + 1) p of m, between two of them by proportion (Hyndman & Fan 1996, type 6).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = ((sorted.len() as f64 + 1.0) * p - 1.0).clamp(0.0, last as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and the last
    let below = place as usize;
    sorted[below] + place.fract() * (sorted[last.min(below + 1)] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: impl IntoIterator<Item = f64>) -> Vec<Option<f64>> {
        values.into_iter().map(Some).collect()
    }

    /// numpy 2: `numpy.quantile([1, 2, 4, 8, 16, 32, 64], p, method="weibull")`.
    #[test]
    fn quantiles_of_type_six() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
        for (p, expected) in [(0.01, 1.0), (0.125, 1.0), (0.2, 1.6), (0.5, 8.0), (0.77, 37.12), (0.9, 64.0)] {
            assert!((quantile(&sorted, p) - expected).abs() < 1e-12, "{p}: {}", quantile(&sorted, p));
        }
    }

    #[test]
    fn the_population_varies_as_the_replicates_do_and_the_sample_less() {
        // 399 replicates evenly from 0.301 to 0.699 in steps of 0.001: their variance is 0.001²·400·399/12.
        let replicates = found((1..400).map(|k| 0.3 + 0.001 * f64::from(k)));
        let variance: f64 = 1e-6 * 400.0 * 399.0 / 12.0;
        let of =
            |given| by_resampling(0.5, 1000.0, &replicates, (given, 0.0), None, &IntervalOptions::default()).0.unwrap();
        let population = of(0.0);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(population.se, variance.sqrt());
        close(population.lower, 0.31);
        close(population.upper, 0.69);
        let sample = of(0.007);
        close(sample.se, (variance - 0.007).sqrt());
        close(sample.upper - 0.5, 0.19 * sample.se / population.se);
        // Where drawing would leave nothing, the Monte Carlo error is left.
        close(of(0.02).se, (variance * (2.0 / 399.0_f64).sqrt()).sqrt());
    }

    #[test]
    fn replicates_without_spread_or_too_few() {
        let reporting = IntervalOptions::default();
        let (same, warning) = by_resampling(1.2, 10.0, &found([1.2; 50]), (0.0, 0.0), None, &reporting);
        assert_eq!((same, warning), (Some(IntervalEstimate { se: 0.0, lower: 0.95, upper: 1.0 }), None));
        for replicates in [vec![], found([0.3]), vec![None; 9]] {
            assert_eq!(by_resampling(0.3, 10.0, &replicates, (0.0, 0.0), None, &reporting).0, None);
        }
        let mut tenth = found((0..9).map(f64::from));
        tenth.push(None);
        let lost = Warning::ResamplesLost { lost: 1, of: 10 };
        assert_eq!(by_resampling(0.5, 10.0, &tenth, (0.0, 0.0), None, &reporting).1, Some(lost));
        tenth.push(None);
        let (withheld, warning) = by_resampling(0.5, 10.0, &tenth, (0.0, 0.0), None, &reporting);
        assert_eq!((withheld, warning), (None, Some(Warning::TooManyResamplesLost { lost: 2, of: 11 })));
    }
}
