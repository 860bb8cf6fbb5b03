//! Difference and ratio of two estimates, whose errors may be correlated.

use super::mover;
use super::skewness::student_quantile;
use super::{Interval, IntervalOptions, TestSamplingError};
use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;

/// The difference and the ratio of two prevalences.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The first prevalence less the second, in [−1, 1].
    pub difference: f64,
    /// Standard error of the difference, with the covariance of the two estimates. The interval and
    /// the p-value also allow for misfit; the standard error does not.
    pub std_error: f64,
    /// The interval of the difference, in [−1, 1].
    pub interval: Interval,
    /// The first prevalence over the second.
    pub ratio: Ratio,
    /// Two-sided p-value of equal prevalences: 1 − the level at which an end of the interval is 0.
    pub p_value: f64,
    /// The correlation of the two estimates.
    pub correlation: f64,
}

/// A ratio of two prevalences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio; `None` if the second prevalence is 0.
    pub value: Option<f64>,
    /// Lower end of the ratio's interval, at least 0.
    pub lower: f64,
    /// Upper end of the ratio's interval; infinite if the second prevalence may be 0.
    pub upper: f64,
}

/// Normal quantile beyond which p-values round to 0.
const MAX_QUANTILE: f64 = 38.0;

/// The covariance of two estimates by source, with the training variance of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    /// The covariance of both test sampling errors.
    pub(crate) test: f64,
    pub(crate) training: Covariances,
    /// The covariances of the unseen errors.
    pub(crate) unseen: Covariances,
    /// The degrees of freedom of the training variances.
    pub(crate) dof: f64,
}

/// The variances and the covariance of two errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covariances {
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) both: f64,
}

impl Covariances {
    /// The variance of `a` times the first error less `b` times the second.
    fn contrast_variance(&self, a: f64, b: f64) -> f64 {
        let Self { first, second, both } = self;
        (a * a * first + b * b * second - 2.0 * a * b * both).max(0.0)
    }
}

impl Difference {
    /// Difference of two estimates, each with its unclipped value, its variance and its test sampling error.
    pub(crate) fn new(
        first: (f64, f64, &TestSamplingError),
        second: (f64, f64, &TestSamplingError),
        common: &Common,
        options: &IntervalOptions,
    ) -> Self {
        let variances = [first.1, second.1];
        let covariance = common.test + common.training.both;
        let correlation = |both: f64, a: f64, b: f64| {
            let product = (a * b).sqrt();
            if product > 0.0 { (both / product).clamp(-1.0, 1.0) } else { 0.0 }
        };
        let test_correlation = correlation(common.test, first.2.variance, second.2.variance);
        let errors = |options: &IntervalOptions| {
            let z = student_quantile(options.quantiles()[0], common.dof);
            let shared = move |a: f64, b: f64| {
                z * z * (common.training.contrast_variance(a, b) + common.unseen.contrast_variance(a, b))
            };
            ([first, second].map(|(.., test)| test.ends(options)), shared)
        };
        // Clipping one estimate removes the error that both share from it, but not from the other. So the
        // interval is extended to cover that of the unclipped difference.
        let excess = |(raw, _, test): (f64, f64, &TestSamplingError)| raw - test.estimate;
        let offset = excess(first) - excess(second);
        let interval = |options: &IntervalOptions| {
            let ([a, b], shared) = errors(options);
            let (lower, upper) = mover::difference(&a, &b, test_correlation, shared(1.0, 1.0));
            (lower + offset.min(0.0), upper + offset.max(0.0))
        };
        let ([a, b], shared) = errors(options);
        let (lower, upper) = interval(options);
        let difference = a.estimate - b.estimate;
        // The distance of 0 from the near end of the interval of z standard errors.
        let inside = |z: f64| {
            let (lower, upper) = interval(&options.at(z));
            if difference > 0.0 { -lower } else { upper }
        };
        let se = (variances[0] + variances[1] - 2.0 * covariance).max(0.0).sqrt();
        let p_value =
            if difference == 0.0 { 1.0 } else { 2.0 * gauss::tails(zero_crossing(inside, difference.abs() / se)).1 };
        let (ratio_lower, ratio_upper) = mover::ratio(&a, &b, test_correlation, shared);
        let value = (b.estimate > 0.0).then(|| a.estimate / b.estimate);
        Self {
            difference,
            std_error: se,
            interval: Interval { lower: lower.max(-1.0), upper: upper.min(1.0) },
            ratio: Ratio { value, lower: ratio_lower, upper: ratio_upper },
            p_value,
            correlation: correlation(covariance, variances[0], variances[1]),
        }
    }
}

impl Difference {
    /// Difference of two estimates with standard errors, from their intervals at the level of `options` and
    /// the correlation of their errors.
    ///
    /// The p-value takes the distance between the difference and the end of its interval to be
    /// proportional to the normal quantile.
    pub(crate) fn from_intervals(
        (a, a_se): (&mover::Ends, f64),
        (b, b_se): (&mover::Ends, f64),
        correlation: f64,
        options: &IntervalOptions,
    ) -> Self {
        let (lower, upper) = mover::difference(a, b, correlation, 0.0);
        let difference = a.estimate - b.estimate;
        let margin = if difference > 0.0 { difference - lower } else { upper - difference };
        let quantile = options.quantile() * difference.abs() / margin;
        let (ratio_lower, ratio_upper) = mover::ratio(a, b, correlation, |_, _| 0.0);
        Self {
            difference,
            std_error: (a_se * a_se + b_se * b_se - 2.0 * correlation * a_se * b_se).max(0.0).sqrt(),
            interval: Interval { lower: lower.max(-1.0), upper: upper.min(1.0) },
            ratio: Ratio {
                value: (b.estimate > 0.0).then(|| a.estimate / b.estimate),
                lower: ratio_lower,
                upper: ratio_upper,
            },
            p_value: if difference == 0.0 { 1.0 } else { 2.0 * gauss::tails(quantile).1 },
            correlation,
        }
    }

    /// Returns the difference with another value, which the interval is extended to hold.
    pub(crate) fn with_difference(self, difference: f64) -> Self {
        let Interval { lower, upper } = self.interval;
        Self { difference, interval: Interval { lower: lower.min(difference), upper: upper.max(difference) }, ..self }
    }

    /// Converts a part's difference from the rest to its difference from the whole.
    ///
    /// The whole is w times the part and 1 − w times the rest. So the part differs 1 − w times as
    /// much from the whole as from the rest, and its ratio r to the rest becomes r/(wr + 1 − w).
    /// `std_errors` are those of the part and of the whole.
    pub(crate) fn to_whole(self, share: f64, [part_se, whole_se]: [f64; 2]) -> Self {
        let rest = 1.0 - share;
        let ratio = |to_rest: f64| {
            if to_rest.is_finite() { to_rest / (share * to_rest + rest) } else { share.recip() }
        };
        let se = rest * self.std_error;
        let correlation = (part_se * part_se + whole_se * whole_se - se * se) / (2.0 * part_se * whole_se);
        Self {
            difference: rest * self.difference,
            std_error: se,
            interval: Interval { lower: rest * self.interval.lower, upper: rest * self.interval.upper },
            ratio: Ratio {
                value: self.ratio.value.or((self.difference > 0.0).then_some(f64::INFINITY)).map(ratio),
                lower: ratio(self.ratio.lower),
                upper: ratio(self.ratio.upper),
            },
            p_value: self.p_value,
            correlation: if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 },
        }
    }
}

/// Finds the zero of an increasing function on [0, [`MAX_QUANTILE`]], starting from a guess close
/// to the zero. Returns the nearer end of that range if the function has no zero in it.
fn zero_crossing(inside: impl Fn(f64) -> f64, guess: f64) -> f64 {
    let guess = if guess.is_finite() { guess } else { MAX_QUANTILE };
    let (mut low, mut high) = (0.8 * guess.min(MAX_QUANTILE), (1.1 * guess).min(MAX_QUANTILE));
    let mut below = inside(low);
    while below > 0.0 {
        if low == 0.0 {
            return 0.0;
        }
        (high, low) = (low, if low > 1e-3 { 0.5 * low } else { 0.0 });
        below = inside(low);
    }
    let mut above = inside(high);
    while above < 0.0 {
        if high == MAX_QUANTILE {
            return MAX_QUANTILE;
        }
        (low, below) = (high, above);
        high = (2.0 * high).clamp(1e-3, MAX_QUANTILE);
        above = inside(high);
    }
    solve_bracketed(inside, (low, below), (high, above))
}
