//! How an estimate came about, by which it can be put together with others.

use crate::inference::{Sum, Systematic};

/// Where an estimate comes from that can be put together with others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
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
