//! What rates tell, as labelled scores would: those of a test that is 1 or 0.

use super::rate::Rate;
use crate::PerClass;
use crate::inference::{Precision, ThirdMoments};

/// A rate without a denominator is as good as one from so many.
const WITHOUT_END: u64 = u64::MAX;

/// The share of positive tests in one class.
#[derive(Clone, Copy)]
pub(super) struct OfClass {
    /// The share.
    pub(super) positive: f64,
    /// Of so many, if it was counted.
    pub(super) of: Option<u64>,
}

impl OfClass {
    /// Of those who have what is counted, and of the others.
    pub(super) fn both(sensitivity: &Rate, specificity: &Rate) -> PerClass<Self> {
        PerClass {
            positive: Self { positive: sensitivity.share(), of: sensitivity.of() },
            negative: Self { positive: 1.0 - specificity.share(), of: specificity.of() },
        }
    }

    /// The variance of one test: p(1−p), with m/(m−1) where p was learnt, as for any sample.
    pub(super) fn variance(&self) -> f64 {
        let m = self.of.map(|of| of as f64);
        self.positive * (1.0 - self.positive) * m.map_or(1.0, |m| m / (m - 1.0).max(1.0))
    }

    /// What it leaves uncertain of the share.
    pub(super) fn of_mean(&self) -> f64 {
        self.of.map_or(0.0, |of| self.variance() / of as f64)
    }

    /// E(g − p)³ of g that is 1 or 0.
    fn third(&self) -> f64 {
        self.positive * (1.0 - self.positive) * (1.0 - 2.0 * self.positive)
    }
}

/// V(α) by source, as Adjusted Count has it.
pub(super) fn precision(classes: &PerClass<OfClass>) -> Precision {
    let unit = (classes.positive.positive - classes.negative.positive).recip();
    let variances = classes.map(|class| class.variance() * unit * unit);
    let third = classes.map(|class| ThirdMoments::empirical(class.third() * unit.powi(3)));
    let counted = classes.positive.of.is_some() || classes.negative.of.is_some();
    let labelled = counted.then(|| classes.map(|class| class.of.unwrap_or(WITHOUT_END)));
    Precision::new(variances, variances, third, labelled)
}
