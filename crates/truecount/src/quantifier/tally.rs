//! The tally: all a linear quantifier needs to know of the test scores.

use crate::numeric::sum::Sum;

/// n, Σg and Σg² over the test scores pushed so far.
///
/// Small, mergeable in any order, and exact to about one rounding whatever the number of scores: batches, threads,
/// groups and files are all the same operation. Made by [`Linear::push`](super::Linear::push).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    n: u64,
    sum: Sum,
    sum_squares: Sum,
}

impl Tally {
    pub(super) fn add(&mut self, n: u64, sum: &Sum, sum_squares: &Sum) {
        self.n += n;
        self.sum.merge(sum);
        self.sum_squares.merge(sum_squares);
    }

    /// Adds another tally of the **same** quantifier.
    pub fn merge(&mut self, other: &Self) {
        self.add(other.n, &other.sum, &other.sum_squares);
    }

    /// The number of scores.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Σ g.
    pub fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Σ g².
    pub fn sum_squares(&self) -> f64 {
        self.sum_squares.value()
    }
}
