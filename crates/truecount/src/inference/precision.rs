//! What decides how precise a quantifier is: the variance of an estimate by source, before the numbers of scores are put in.

use super::{Quadratic, ThirdMoments, Variance};
use crate::PerClass;

/// The parts of V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋ of a quantifier that estimates α without bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// t±: the variance that one test score of the class brings, its class being given.
    pub test: PerClass<f64>,
    /// w±: the variance that learning from one labelled score of the class leaves.
    pub training: PerClass<f64>,
    /// n±: how many labelled scores there are; as many as can be counted where the distributions are known.
    pub labelled: PerClass<u64>,
    pub(crate) third: PerClass<ThirdMoments>,
}

/// The numbers of labelled scores where the distributions are known.
pub(crate) const KNOWN: PerClass<u64> = PerClass { positive: u64::MAX, negative: u64::MAX };

impl Precision {
    /// Of an influence function g in units of E₊g − E₋g.
    pub(crate) fn new(
        test: PerClass<f64>,
        training: PerClass<f64>,
        third: PerClass<ThirdMoments>,
        labelled: PerClass<u64>,
    ) -> Self {
        Self { test, training, labelled, third }
    }

    /// What n test scores leave uncertain, their classes being given: [α t₊ + (1−α) t₋]/n.
    pub fn sampling(&self, alpha: f64, n: f64) -> f64 {
        (alpha * self.test.positive + (1.0 - alpha) * self.test.negative) / n
    }

    /// What the labelled scores leave uncertain: α² w₊/n₊ + (1−α)² w₋/n₋.
    pub fn learning(&self, alpha: f64) -> f64 {
        let Self { training, labelled, .. } = self;
        alpha * alpha * training.positive / labelled.positive as f64
            + (1.0 - alpha).powi(2) * training.negative / labelled.negative as f64
    }

    /// The same learnt from other numbers of labelled scores; what is known stays known.
    pub(super) fn learnt_from(&self, labelled: PerClass<u64>) -> Self {
        Self { labelled: if self.is_known() { self.labelled } else { labelled }, ..*self }
    }

    /// Whether nothing had to be learnt.
    fn is_known(&self) -> bool {
        self.labelled == KNOWN
    }

    /// V for so many test scores. Of weighted ones n is the effective number, and the shift what the prevalence by squared weights
    /// has more than α: held fixed, so that V stays a quadratic.
    pub(crate) fn variance(&self, n: f64, shift: f64) -> Variance {
        let parts = |test: f64, training: f64, labelled: u64| (test / n, training / labelled as f64);
        let given = PerClass {
            positive: parts(self.test.positive, self.training.positive, self.labelled.positive),
            negative: parts(self.test.negative, self.training.negative, self.labelled.negative),
        };
        Variance {
            given: Quadratic::of_classes(&given, shift),
            drawing: Quadratic::weighted_drawing(n, shift),
            learnt: (!self.is_known()).then_some((*self, n)),
        }
    }
}
