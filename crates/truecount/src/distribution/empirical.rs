//! The empirical distribution: P(S ≥ x) is the share of the labelled scores at or above x, a step function.
//!
//! It has no density, so it is not a [`Distribution`](super::Distribution); Adjusted Count and its relatives use it.

/// Sorted scores of one class.
#[derive(Clone, Debug)]
pub(crate) struct Empirical(Vec<f64>);

impl Empirical {
    pub(crate) fn new(scores: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Self(sorted)
    }

    /// The scores, ascending.
    pub(crate) fn scores(&self) -> &[f64] {
        &self.0
    }

    /// The number of scores.
    pub(crate) fn n(&self) -> u64 {
        self.0.len() as u64
    }

    /// The number of scores at or above x.
    pub(crate) fn at_or_above(&self, x: f64) -> u64 {
        (self.0.len() - self.0.partition_point(|s| *s < x)) as u64
    }
}
