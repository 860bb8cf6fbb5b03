//! The empirical distribution of a class's scores: F(θ) = share of the scores at or above θ.
//!
//! It has no density, so it is no [`Distribution`](super::Distribution): what needs rates alone (Median Sweep) uses it.

use crate::Error;

/// Sorted scores and the shares of them below and above any threshold.
///
/// # Examples
/// ```
/// use truecount::distribution::Empirical;
/// let scores = Empirical::new(&[2.0, 0.5, 1.0, 1.0]).unwrap();
/// assert_eq!(scores.rate(1.0), 0.75);
/// assert_eq!(scores.tails(1.0), (0.25, 0.75));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    scores: Vec<f64>,
}

impl Empirical {
    /// # Errors
    /// [`Error::NotFinite`] for a score that is not finite; [`Error::Parameter`] where there is none.
    pub fn new(scores: &[f64]) -> Result<Self, Error> {
        if scores.is_empty() {
            return Err(Error::Parameter { name: "number of scores", value: 0.0, domain: "at least 1" });
        }
        if scores.iter().any(|s| !s.is_finite()) {
            return Err(Error::first_not_finite(scores));
        }
        let mut scores = scores.to_vec();
        scores.sort_by(f64::total_cmp);
        Ok(Self { scores })
    }

    /// How many scores there are; never 0.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// The scores, ascending.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// How many scores are at or above x.
    pub fn count(&self, x: f64) -> usize {
        self.len() - self.scores.partition_point(|s| *s < x)
    }

    /// The share of scores at or above x: the true or the false positive rate at the threshold x.
    pub fn rate(&self, x: f64) -> f64 {
        self.count(x) as f64 / self.len() as f64
    }

    /// (share below x, share at or above x).
    pub fn tails(&self, x: f64) -> (f64, f64) {
        ((self.len() - self.count(x)) as f64 / self.len() as f64, self.rate(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_ties_as_at_or_above() {
        let e = Empirical::new(&[3.0, 1.0, 2.0, 2.0]).unwrap();
        assert_eq!(e.scores(), [1.0, 2.0, 2.0, 3.0]);
        assert_eq!([0.0, 1.0, 1.5, 2.0, 3.0, 3.1].map(|x| e.count(x)), [4, 4, 3, 3, 1, 0]);
        assert_eq!(e.tails(2.0), (0.25, 0.75));
    }

    #[test]
    fn refuses_nothing_and_nan() {
        assert!(matches!(Empirical::new(&[]), Err(Error::Parameter { value: 0.0, .. })));
        assert!(matches!(Empirical::new(&[f64::NAN]), Err(Error::NotFinite { index: 0, .. })));
    }
}
