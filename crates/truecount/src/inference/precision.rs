//! What decides how precise a quantifier is: the variance of an estimate by source, before the numbers of scores are put in.

use super::{Quadratic, Variance};
use crate::PerClass;

/// The parts of V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋ of a quantifier that estimates α without bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// t±: the variance that one test score of the class brings, its class being given.
    pub test: PerClass<f64>,
    /// w±: the variance that learning from one labelled score of the class leaves.
    pub training: PerClass<f64>,
    /// n±: how many labelled scores there are.
    pub labelled: PerClass<u64>,
}

impl Precision {
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

    /// V for so many test scores. Of weighted ones n is the effective number, and the shift what the prevalence by squared weights
    /// has more than α: held fixed, so that V stays a quadratic.
    pub(crate) fn variance(&self, n: f64, shift: f64) -> Variance {
        let PerClass { positive, negative } = self.training;
        let learning = PerClass {
            positive: positive / self.labelled.positive as f64,
            negative: negative / self.labelled.negative as f64,
        };
        let (test, minus) = (self.test.map(|test| test / n), learning.negative);
        let given = PerClass {
            positive: Quadratic::new(test.positive * shift, test.positive, learning.positive),
            negative: Quadratic::new(test.negative * (1.0 - shift) + minus, -test.negative - 2.0 * minus, minus),
        };
        let known = positive == 0.0 && negative == 0.0;
        let freedom =
            self.labelled.map(|labelled| if known { f64::INFINITY } else { (*labelled as f64 - 1.0).max(1.0) });
        Variance { given, drawing: Quadratic::weighted_drawing(n, shift), freedom }
    }
}
