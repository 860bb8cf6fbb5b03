//! How far two estimates are apart, whose errors may have a part in common.

use super::mover;
use super::skewness::student;
use super::{EstimateDistribution, IntervalOptions, TestSamplingError};
use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;

/// The difference and the ratio of two prevalences.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The first prevalence less the second, between −1 and 1.
    pub difference: f64,
    /// Its standard error, the covariance of the two estimates included.
    pub se: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
    /// The first prevalence over the second.
    pub ratio: Ratio,
    /// The probability of so large a difference if there is none: 1 less the highest level at which the interval leaves 0 out.
    pub p_value: f64,
    /// The correlation of the two estimates.
    pub correlation: f64,
}

/// A ratio of two prevalences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// None where both are 0, and where the second is.
    pub value: Option<f64>,
    /// Lower end of its interval, at least 0.
    pub lower: f64,
    /// Upper end of its interval; infinite where the second prevalence may be 0.
    pub upper: f64,
}

/// Beyond so many standard errors no p-value is told from 0.
const FARTHEST: f64 = 38.0;

/// What two estimates have in common, and what the labelled scores leave uncertain of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    /// The covariance of what their own test scores leave uncertain.
    pub(crate) own: f64,
    /// Of what the labelled scores do.
    pub(crate) learnt: Covariances,
    /// The same of what labelled scores cannot have shown.
    pub(crate) unseen: Covariances,
    /// The degrees of freedom with which that is known.
    pub(crate) freedom: f64,
}

/// The variances and the covariance of two errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covariances {
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) both: f64,
}

impl Covariances {
    /// The variance of the first so many times less the second so many times.
    fn at(&self, first: f64, second: f64) -> f64 {
        let Self { first: a, second: b, both } = self;
        (first * first * a + second * second * b - 2.0 * first * second * both).max(0.0)
    }
}

impl Difference {
    /// Of two estimates, each as a whole and by what its own test scores leave uncertain.
    pub(crate) fn new(
        first: (&EstimateDistribution, &TestSamplingError),
        second: (&EstimateDistribution, &TestSamplingError),
        common: &Common,
        reporting: &IntervalOptions,
    ) -> Self {
        let (variances, covariance) = ([first.0, second.0].map(|of| of.variance), common.own + common.learnt.both);
        let correlation = |both: f64, a: f64, b: f64| {
            let product = (a * b).sqrt();
            if product > 0.0 { (both / product).clamp(-1.0, 1.0) } else { 0.0 }
        };
        let of_own = correlation(common.own, first.1.variance, second.1.variance);
        let errors = |reporting: &IntervalOptions| {
            let z = student(reporting.quantiles()[0], common.freedom);
            let shared = move |a: f64, b: f64| z * z * (common.learnt.at(a, b) + common.unseen.at(a, b));
            ([first, second].map(|(_, own)| own.ends(reporting)), shared)
        };
        let ([a, b], shared) = errors(reporting);
        let (lower, upper) = mover::difference(&a, &b, of_own, shared(1.0, 1.0));
        let difference = a.estimate - b.estimate;
        // How far 0 is inside the interval of z standard errors.
        let inside = |z: f64| {
            let ([a, b], shared) = errors(&reporting.at(z));
            let (lower, upper) = mover::difference(&a, &b, of_own, shared(1.0, 1.0));
            if difference > 0.0 { -lower } else { upper }
        };
        let se = (variances[0] + variances[1] - 2.0 * covariance).max(0.0).sqrt();
        let p_value =
            if difference == 0.0 { 1.0 } else { 2.0 * gauss::tails(crossing(inside, difference.abs() / se)).1 };
        let (ratio_lower, ratio_upper) = mover::ratio(&a, &b, of_own, shared);
        let value = (b.estimate > 0.0).then(|| a.estimate / b.estimate);
        Self {
            difference,
            se,
            lower: lower.max(-1.0),
            upper: upper.min(1.0),
            ratio: Ratio { value, lower: ratio_lower, upper: ratio_upper },
            p_value,
            correlation: correlation(covariance, variances[0], variances[1]),
        }
    }
}

impl Difference {
    /// Of a difference from the rest what it is from the whole, of which the first is this share: 1 − w times as much, and of a ratio r to
    /// the rest r/(wr + 1 − w) to the whole; from both prevalences with their standard errors.
    pub(crate) fn to_whole(self, share: f64, [(first, a), (whole, b)]: [(f64, f64); 2]) -> Self {
        let rest = 1.0 - share;
        let difference = first - whole;
        let ratio = |of_rest: f64| {
            if of_rest.is_finite() { of_rest / (share * of_rest + rest) } else { share.recip() }
        };
        let se = rest * self.se;
        let correlation = (a * a + b * b - se * se) / (2.0 * a * b);
        Self {
            difference,
            se,
            lower: (difference - rest * (self.difference - self.lower)).max(-1.0),
            upper: (difference + rest * (self.upper - self.difference)).min(1.0),
            ratio: Ratio {
                value: (whole > 0.0).then(|| first / whole),
                lower: ratio(self.ratio.lower),
                upper: ratio(self.ratio.upper),
            },
            p_value: self.p_value,
            correlation: if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 },
        }
    }
}

/// Where an increasing function of z ≥ 0 passes 0, which is not far from the guess: 0 if it is above 0 there, and the farthest z if it is
/// still below 0 there.
fn crossing(inside: impl Fn(f64) -> f64, guess: f64) -> f64 {
    let guess = if guess.is_finite() { guess } else { FARTHEST };
    let (mut low, mut high) = (0.8 * guess.min(FARTHEST), (1.1 * guess).min(FARTHEST));
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
        if high == FARTHEST {
            return FARTHEST;
        }
        (low, below) = (high, above);
        high = (2.0 * high).clamp(1e-3, FARTHEST);
        above = inside(high);
    }
    solve_bracketed(inside, (low, below), (high, above))
}
