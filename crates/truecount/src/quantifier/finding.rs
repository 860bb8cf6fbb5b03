//! What a quantifier finds in a tally.

use super::origin::Origin;
use super::posterior::Posterior;
use crate::inference::{Variance, Warning};

/// An estimate before it is reported.
pub(super) struct Finding {
    /// The estimator as defined.
    pub(super) raw: f64,
    /// V(α), where there is a formula.
    pub(super) variance: Option<Variance>,
    /// Where the interval is that of a posterior distribution.
    pub(super) posterior: Option<Posterior>,
    /// Of an unbiased mean of a function of the score.
    pub(super) origin: Option<Origin>,
    pub(super) warnings: Vec<Warning>,
}

impl Finding {
    pub(super) fn without_variance(raw: f64, warnings: Vec<Warning>) -> Self {
        Self { raw, variance: None, posterior: None, origin: None, warnings }
    }
}
