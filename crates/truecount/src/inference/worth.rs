//! What labelled scores are worth beside as many that are drawn one by one and weigh alike.

use crate::PerClass;

/// The design of a labelled sample in numbers that stay when more are labelled in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// The effective number of scores, (Σw)²/Σw², over their number.
    pub(crate) effective: PerClass<f64>,
    /// Units drawn over scores: clusters that hold the class, or without clusters the effective number. The degrees of freedom are one less.
    pub(crate) units: PerClass<f64>,
    /// Clusters over all scores of both classes, if scores are in clusters.
    pub(crate) clusters: Option<f64>,
    /// The covariance of what is learnt of the two class means, times √(n₊n₋).
    pub(crate) covariance: f64,
}

impl Worth {
    /// Of scores that are drawn one by one and weigh alike.
    pub(crate) const PLAIN: Self = {
        let one = PerClass { positive: 1.0, negative: 1.0 };
        Self { effective: one, units: one, clusters: None, covariance: 0.0 }
    };

    /// What n± scores are worth.
    pub(crate) fn effective(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.effective, labelled)
    }

    /// The units among n± scores.
    pub(crate) fn units(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.units, labelled)
    }

    /// The clusters of n± scores, if they are in clusters.
    pub(crate) fn clusters(&self, labelled: &PerClass<u64>) -> Option<f64> {
        self.clusters.map(|each| each * (labelled.positive + labelled.negative) as f64)
    }
}

fn times(share: &PerClass<f64>, labelled: &PerClass<u64>) -> PerClass<f64> {
    PerClass {
        positive: share.positive * labelled.positive as f64,
        negative: share.negative * labelled.negative as f64,
    }
}
