//! Standard error and interval from bootstrap replicates of an estimate.
//!
//! Resampling the test scores imitates drawing them from their population, so the replicates'
//! variance V* is that of `Target::Population`. The prevalence of the sample itself does not vary.
//! For it, the deviations of the replicates are scaled by √((V* − D)/V*), with D = α(1−α)/n the
//! variance of the share of positives in a sample. V* − D is at least V* √(2/B), the Monte Carlo
//! error of V* from B replicates.

use super::skewness::student_quantile;
use super::{IntervalEstimate, IntervalOptions, ScaleFactor, SystematicError, Warning};
use crate::numeric::sum::CompensatedSum;

/// Share of failed replicates above which no standard error is reported.
const MAX_FAILED_SHARE: f64 = 0.1;

/// Returns the standard error and interval of an estimate from n test scores, with a warning if
/// replicates have failed.
///
/// A replicate is `None` if its resample allowed no estimate. `excluded` is the part of D that the
/// target leaves out (all of it for the sample), less any other variance that no resample shows and
/// the standard error includes. `unseen` is the variance of the unseen errors,
/// which no resample shows either: it widens the interval, as the `scale` of a misfit does.
pub(crate) fn by_resampling(
    raw: f64,
    n: f64,
    replicates: &[Option<f64>],
    (excluded, unseen): (f64, f64),
    scale: Option<ScaleFactor>,
    options: &IntervalOptions,
) -> (Option<IntervalEstimate>, Option<Warning>) {
    let estimates: Vec<f64> = replicates.iter().flatten().copied().collect();
    let (lost, of) = (replicates.len() - estimates.len(), replicates.len());
    let withheld = estimates.len() < 2 || lost as f64 > MAX_FAILED_SHARE * of as f64;
    let warning = match (lost, withheld) {
        (0, _) => None,
        (_, false) => Some(Warning::ResamplesLost { lost, of }),
        (_, true) => Some(Warning::TooManyResamplesLost { lost, of }),
    };
    if withheld {
        return (None, warning);
    }
    let b = estimates.len() as f64;
    let mean = estimates.iter().copied().collect::<CompensatedSum>().value() / b;
    let population = estimates.iter().map(|x| (x - mean).powi(2)).collect::<CompensatedSum>().value() / (b - 1.0);
    let variance = (population - excluded).max(population * (2.0 / b).sqrt());
    let systematic = scale.map_or(SystematicError::NONE, |scale| scale.systematic_variance(variance));
    let z = options.quantiles()[0];
    let student_factor = student_quantile(z, systematic.dof_with(variance, f64::INFINITY)) / z;
    let total = variance + unseen + systematic.variance;
    let factor = if population > 0.0 { (total / population).sqrt() * student_factor } else { 0.0 };
    let mut deviations: Vec<f64> = estimates.iter().map(|x| factor * (x - raw)).collect();
    deviations.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - options.level());
    let ends = (raw + quantile(&deviations, tail), raw + quantile(&deviations, 1.0 - tail));
    (Some(IntervalEstimate::around(raw.clamp(0.0, 1.0), n, variance.sqrt(), ends)), warning)
}

/// The p-quantile of m sorted values: the value at the rank (m + 1) p, interpolated linearly
/// (Hyndman and Fan 1996, type 6).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let index = ((sorted.len() as f64 + 1.0) * p - 1.0).clamp(0.0, last as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and `last`
    let below = index as usize;
    sorted[below] + index.fract() * (sorted[last.min(below + 1)] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replicates(values: impl IntoIterator<Item = f64>) -> Vec<Option<f64>> {
        values.into_iter().map(Some).collect()
    }

    /// numpy 2: `numpy.quantile([1, 2, 4, 8, 16, 32, 64], p, method="weibull")`.
    #[test]
    fn quantiles_are_of_type_six() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
        for (p, expected) in [(0.01, 1.0), (0.125, 1.0), (0.2, 1.6), (0.5, 8.0), (0.77, 37.12), (0.9, 64.0)] {
            assert!((quantile(&sorted, p) - expected).abs() < 1e-12, "{p}: {}", quantile(&sorted, p));
        }
    }

    #[test]
    fn replicates_vary_as_the_population_does_and_the_sample_varies_less() {
        // The variance of 399 replicates from 0.301 to 0.699 in steps of 0.001 is
        // 0.001²·400·399/12.
        let replicates = replicates((1..400).map(|k| 0.3 + 0.001 * f64::from(k)));
        let variance: f64 = 1e-6 * 400.0 * 399.0 / 12.0;
        let options = IntervalOptions::default();
        let estimate = |excluded| by_resampling(0.5, 1000.0, &replicates, (excluded, 0.0), None, &options).0.unwrap();
        let population = estimate(0.0);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(population.std_error, variance.sqrt());
        close(population.lower, 0.31);
        close(population.upper, 0.69);
        let sample = estimate(0.007);
        close(sample.std_error, (variance - 0.007).sqrt());
        close(sample.upper - 0.5, 0.19 * sample.std_error / population.std_error);
        // The Monte Carlo error is the lower bound.
        close(estimate(0.02).std_error, (variance * (2.0 / 399.0_f64).sqrt()).sqrt());
    }

    #[test]
    fn equal_replicates_give_the_minimum_width_and_too_few_give_no_interval() {
        let estimate = |raw: f64, replicates: &[Option<f64>]| {
            by_resampling(raw, 10.0, replicates, (0.0, 0.0), None, &IntervalOptions::default())
        };
        let equal = estimate(1.2, &replicates([1.2; 50]));
        assert_eq!(equal, (Some(IntervalEstimate { std_error: 0.0, lower: 0.95, upper: 1.0 }), None));
        for too_few in [vec![], replicates([0.3]), vec![None; 9]] {
            assert_eq!(estimate(0.3, &too_few).0, None);
        }
        let mut tenth_failed = replicates((0..9).map(f64::from));
        tenth_failed.push(None);
        assert_eq!(estimate(0.5, &tenth_failed).1, Some(Warning::ResamplesLost { lost: 1, of: 10 }));
        tenth_failed.push(None);
        let withheld = (None, Some(Warning::TooManyResamplesLost { lost: 2, of: 11 }));
        assert_eq!(estimate(0.5, &tenth_failed), withheld);
    }
}
