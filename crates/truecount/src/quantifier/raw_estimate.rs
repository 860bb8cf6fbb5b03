//! An estimate before it is reported, and its origin, by which it can be combined with others.

use super::posterior::Posterior;
use crate::inference::{Sum, Systematic, Variance, Warning};

/// An estimate before it is reported.
pub(super) struct RawEstimate {
    /// The estimator as defined.
    pub(super) raw: f64,
    /// V(α), where there is a formula.
    pub(super) variance: Option<Variance>,
    /// Where the interval is that of a posterior distribution.
    pub(super) posterior: Option<Posterior>,
    /// Of an unbiased mean of a function of the score.
    pub(super) origin: Option<EstimateSource>,
    pub(super) warnings: Vec<Warning>,
}

impl RawEstimate {
    pub(super) fn without_variance(raw: f64, warnings: Vec<Warning>) -> Self {
        Self { raw, variance: None, posterior: None, origin: None, warnings }
    }
}

/// Where an estimate comes from that can be put together with others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EstimateSource {
    /// It is the mean of a function of the score.
    Mean {
        /// The function's place among those of its method.
        place: usize,
        /// What the prevalence by squared weights has more than that by weights.
        shift: f64,
        /// Σw; n without weights.
        total: f64,
        /// Which share of the drawing counts for what it was reported for.
        drawn: f64,
        /// One less than the clusters its scores were drawn in; infinite if they were drawn one by one.
        freedom: f64,
        /// What misfit adds to its variance.
        systematic: Systematic,
    },
    /// It is a mean of others.
    Sum(Box<Sum>),
}
