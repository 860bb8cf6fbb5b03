//! An estimate before clipping, and its source, with which it can be combined with other estimates.

use super::posterior::Posterior;
use crate::inference::{ErrorContributions, SystematicError, Variance, Warning, WeightedSum};
use std::sync::Arc;

/// An unclipped estimate with its variance.
pub(super) struct RawEstimate {
    /// The value of the estimator, which may lie outside [0, 1].
    pub(super) raw: f64,
    /// The effective number of test scores, for the mean of a function; n without weights.
    pub(super) effective_n: Option<f64>,
    /// Factor that turns `effective_n` into the number of independent scores with the same variance; not 1
    /// if one class has larger weights.
    pub(super) class_weight_gain: f64,
    /// V(α), if there is a formula.
    pub(super) variance: Option<Variance>,
    /// The posterior distribution, if the interval comes from it.
    pub(super) posterior: Option<Posterior>,
    /// The source, for an unbiased mean of a function of the score.
    pub(super) origin: Option<EstimateSource>,
    pub(super) warnings: Vec<Warning>,
}

impl RawEstimate {
    pub(super) fn without_variance(raw: f64, warnings: Vec<Warning>) -> Self {
        Self { raw, effective_n: None, class_weight_gain: 1.0, variance: None, posterior: None, origin: None, warnings }
    }

    /// Returns the index of the function whose mean the estimate is, if it is one.
    pub(super) fn function(&self) -> Option<usize> {
        match &self.origin {
            Some(EstimateSource::Mean { function, .. }) => Some(*function),
            _ => None,
        }
    }

    /// Sets the fraction of the sampling variance that applies to the estimand.
    pub(super) fn set_fpc(&mut self, fraction: f64) {
        if let Some(EstimateSource::Mean { fpc, .. }) = &mut self.origin {
            *fpc = fraction;
        }
    }
}

/// The source of an estimate that can be combined with other estimates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EstimateSource {
    /// The mean of a function of the score.
    Mean {
        /// The index of the function among those of its method.
        function: usize,
        /// The number of scores of the variance: the effective number without the gain of a class with
        /// larger weights.
        n: f64,
        /// Difference between the w²-weighted and the w-weighted prevalence.
        weight_shift: f64,
        /// Σw; n without weights.
        total: f64,
        /// Fraction of the sampling variance that applies to the estimand (0 sample, 1 population).
        fpc: f64,
        /// Degrees of freedom of the variance from the test scores; infinite without a sampling
        /// design.
        test_dof: f64,
        /// The variance that misfit adds.
        misfit_variance: SystematicError,
        /// The sources of the sampling error, if the test scores have a sampling design.
        contributions: Option<Arc<ErrorContributions>>,
    },
    /// A weighted mean of other estimates.
    Sum(Box<WeightedSum>),
}
