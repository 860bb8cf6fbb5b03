//! An influence function, whose mean over the test scores gives an estimate, and its estimator.

use super::anchored::LinearEstimator;
use crate::tally::InfluenceFunction;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

/// An influence function with the estimator that corrects its mean.
#[derive(Clone, Debug)]
pub(crate) struct InfluenceMean {
    /// The share q of positives of the mixture whose score function this is; irrelevant for a
    /// quantifier with a single function.
    q: f64,
    influence: InfluenceFunction,
    estimator: LazyEstimator,
}

#[derive(Clone, Debug)]
enum LazyEstimator {
    Computed(LinearEstimator),
    /// Computed at the first use, as an estimate uses only one or two of several functions.
    Deferred(Arc<dyn EstimatorFactory>, OnceLock<LinearEstimator>),
}

/// A source of estimators for influence functions.
pub(super) trait EstimatorFactory: Debug + Send + Sync {
    /// Returns the estimator for the influence function that is best at the prevalence alpha.
    fn estimator(&self, alpha: f64, influence: &InfluenceFunction) -> LinearEstimator;
}

impl InfluenceMean {
    pub(super) fn new(q: f64, influence: InfluenceFunction, estimator: LinearEstimator) -> Self {
        Self { q, influence, estimator: LazyEstimator::Computed(estimator) }
    }

    /// Returns a mean whose estimator is computed at the first use.
    pub(super) fn lazy(q: f64, influence: InfluenceFunction, factory: Arc<dyn EstimatorFactory>) -> Self {
        Self { q, influence, estimator: LazyEstimator::Deferred(factory, OnceLock::new()) }
    }

    /// Returns the share q of positives of the mixture whose score function this is.
    pub(crate) fn q(&self) -> f64 {
        self.q
    }

    pub(crate) fn influence(&self) -> &InfluenceFunction {
        &self.influence
    }

    /// Returns the estimator that turns the mean of the function into a prevalence.
    pub(crate) fn estimator(&self) -> &LinearEstimator {
        match &self.estimator {
            LazyEstimator::Computed(estimator) => estimator,
            LazyEstimator::Deferred(factory, cell) => cell.get_or_init(|| factory.estimator(self.q, &self.influence)),
        }
    }

    /// Returns the first function whose q is nearest to a prevalence.
    pub(super) fn nearest(means: &[Self], alpha: f64) -> Option<&Self> {
        let distance = |mean: &Self| (mean.q - alpha).abs();
        means.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}
