//! How far two estimates are apart, whose errors may have a part in common.

use super::mover;
use super::{Reporting, Spread};
use crate::numeric::gauss;
use crate::numeric::root::bracketed;

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

impl Difference {
    /// Of two estimates with this covariance.
    pub(crate) fn new(first: &Spread, second: &Spread, covariance: f64, reporting: &Reporting) -> Self {
        let product = (first.variance * second.variance).sqrt();
        let correlation = if product > 0.0 { (covariance / product).clamp(-1.0, 1.0) } else { 0.0 };
        let ends = |reporting: &Reporting| [first, second].map(|of| of.ends(reporting));
        let [a, b] = ends(reporting);
        let (lower, upper) = mover::difference(&a, &b, correlation);
        let difference = a.estimate - b.estimate;
        // How far 0 is inside the interval of z standard errors.
        let inside = |z: f64| {
            let [a, b] = ends(&reporting.at(z));
            let (lower, upper) = mover::difference(&a, &b, correlation);
            if difference > 0.0 { -lower } else { upper }
        };
        let p_value = match (inside(0.0), inside(FARTHEST)) {
            (near, _) if near >= 0.0 => 1.0,
            (_, far) if far <= 0.0 => 0.0,
            (near, far) => 2.0 * gauss::tails(bracketed(inside, (0.0, near), (FARTHEST, far))).1,
        };
        let (ratio_lower, ratio_upper) = mover::ratio(&a, &b, correlation);
        let value = (b.estimate > 0.0).then(|| a.estimate / b.estimate);
        Self {
            difference,
            se: (first.variance + second.variance - 2.0 * covariance).max(0.0).sqrt(),
            lower: lower.max(-1.0),
            upper: upper.min(1.0),
            ratio: Ratio { value, lower: ratio_lower, upper: ratio_upper },
            p_value,
            correlation,
        }
    }
}
