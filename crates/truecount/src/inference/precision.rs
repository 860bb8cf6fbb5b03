//! What decides how precise a quantifier is: the variance of an estimate by source, before the numbers of scores are put in.

use super::quadratic::Quadratic;
use super::third_moments::ThirdMoments;
use crate::PerClass;

/// The parts of V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋ of a quantifier that estimates α without bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// t±: the variance that one test score of the class brings, its class being given.
    pub test: PerClass<f64>,
    /// w±: the variance that learning from one labelled score of the class leaves.
    pub training: PerClass<f64>,
    /// n±: how many labelled scores there are; none where the distributions are known.
    pub labelled: Option<PerClass<u64>>,
    pub(crate) third: PerClass<ThirdMoments>,
}

/// So many labelled scores leave as little uncertain as known distributions.
const AS_GOOD_AS_KNOWN: f64 = u64::MAX as f64;

impl Precision {
    /// Of an influence function g in units of E₊g − E₋g.
    pub(crate) fn new(
        test: PerClass<f64>,
        training: PerClass<f64>,
        third: PerClass<ThirdMoments>,
        labelled: Option<PerClass<u64>>,
    ) -> Self {
        Self { test, training, labelled, third }
    }

    /// What n test scores leave uncertain, their classes being given: [α t₊ + (1−α) t₋]/n.
    pub fn sampling(&self, alpha: f64, n: f64) -> f64 {
        (alpha * self.test.positive + (1.0 - alpha) * self.test.negative) / n
    }

    /// What the labelled scores leave uncertain: α² w₊/n₊ + (1−α)² w₋/n₋.
    pub fn learning(&self, alpha: f64) -> f64 {
        let (Self { training, .. }, sizes) = (self, self.sizes());
        alpha * alpha * training.positive / sizes.positive + (1.0 - alpha).powi(2) * training.negative / sizes.negative
    }

    /// What V was learnt as, for n test scores; none where nothing was learnt.
    pub(super) fn basis(&self, n: f64) -> Option<Basis> {
        self.labelled.map(|labelled| Basis { precision: *self, labelled, n })
    }

    /// The same learnt from other numbers of labelled scores, none for unlimited ones; what is known stays known.
    pub(super) fn learnt_from(&self, labelled: Option<PerClass<u64>>) -> Self {
        Self { labelled: self.labelled.and(labelled), ..*self }
    }

    /// w±/n±: what learning leaves uncertain of each class mean.
    pub(crate) fn training_each(&self) -> PerClass<f64> {
        let sizes = self.sizes();
        PerClass {
            positive: self.training.positive / sizes.positive,
            negative: self.training.negative / sizes.negative,
        }
    }

    /// n±, as numbers to divide by.
    pub(super) fn sizes(&self) -> PerClass<f64> {
        let known = PerClass { positive: AS_GOOD_AS_KNOWN, negative: AS_GOOD_AS_KNOWN };
        self.labelled.map_or(known, |labelled| labelled.map(|n| *n as f64))
    }
}

/// What a variance was learnt as: for so many test scores, from so many labelled ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    pub(super) precision: Precision,
    pub(super) labelled: PerClass<u64>,
    pub(super) n: f64,
}

impl Basis {
    /// What the labelled scores cannot have shown: a sample without errors does not make a classifier without errors. Half an
    /// error in n± labelled scores has the variance ½/n± in units of (E₊g − E₋g)², as an error rate has that Jeffreys' prior puts
    /// at (0 + ½)/n±; where the classes overlap that is next to nothing.
    pub(super) fn unseen(&self) -> Quadratic {
        let Self { labelled, n, .. } = self;
        let half = |labelled: &u64| {
            let each = 0.5 / *labelled as f64;
            (each / n, each / *labelled as f64)
        };
        let PerClass { positive, negative } = Quadratic::of_classes(&labelled.map(half), 0.0);
        positive.plus(&negative)
    }

    /// The degrees of freedom of a variance to which each class contributes so much.
    pub(super) fn freedom(&self, classes: &PerClass<f64>, variance: f64) -> f64 {
        let part = |of: f64, labelled: u64| of.powi(2) / (labelled as f64 - 1.0).max(1.0);
        let parts = part(classes.positive, self.labelled.positive) + part(classes.negative, self.labelled.negative);
        let freedom = variance.powi(2) / parts;
        // Never below the smaller one, but for rounding.
        if freedom.is_nan() { f64::INFINITY } else { freedom.max(1.0) }
    }
}
