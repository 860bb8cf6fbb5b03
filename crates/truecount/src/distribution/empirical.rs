//! Mean, standard deviation and empirical distribution of a class's labelled scores.
//!
//! In the empirical distribution P(S ≥ x) is the fraction of the labelled scores at or above x, a
//! step function. This distribution has no density, so it does not implement
//! [`Distribution`](super::Distribution). Adjusted Count and its variants use it.

use super::MAX_MAGNITUDE;
use crate::numeric::sum::CompensatedSum;
use crate::{Class, Error, Problem};

/// The sorted scores of one class.
#[derive(Clone, Debug)]
pub(crate) struct Empirical(Vec<f64>);

impl Empirical {
    pub(crate) fn new(scores: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Self(sorted)
    }

    /// Returns the scores in ascending order.
    pub(crate) fn scores(&self) -> &[f64] {
        &self.0
    }

    pub(crate) fn n(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the number of scores at or above x.
    pub(crate) fn at_or_above(&self, x: f64) -> u64 {
        (self.0.len() - self.0.partition_point(|s| *s < x)) as u64
    }
}

/// Returns the mean and the standard deviation (divisor n − 1) of a class's scores.
///
/// # Errors
/// Returns [`Problem::ClassTooSmall`] for fewer than `needed` scores, the minimum for the family,
/// [`Problem::NoSpread`] if all scores are equal, and [`Problem::ClassOutOfScale`] if a double cannot
/// hold the squares of the scores or resolve their differences.
pub(super) fn mean_and_sd(
    class: Class,
    scores: &[f64],
    needed: usize,
    family: &'static str,
) -> Result<(f64, f64), Error> {
    let n = scores.len();
    if n < needed {
        return Err(Problem::ClassTooSmall { class, n, needed, family }.into());
    }
    // The second pass corrects the rounding error of the first mean.
    let rough = scores.iter().copied().collect::<CompensatedSum>().value() / n as f64;
    let shift = scores.iter().map(|s| s - rough).collect::<CompensatedSum>().value() / n as f64;
    let mean = rough + shift;
    let squares = scores.iter().map(|s| (s - rough - shift).powi(2)).collect::<CompensatedSum>().value();
    let sd = (squares / (n - 1) as f64).sqrt();
    if scores.iter().all(|s| *s == scores[0]) {
        return Err(Problem::ClassVarianceZero { class, n, value: scores[0] }.into());
    }
    // A standard deviation close to the rounding error of the scores is meaningless.
    let resolvable =
        sd > 1e-12 * mean.abs() && (MAX_MAGNITUDE.recip()..=MAX_MAGNITUDE).contains(&sd) && mean.abs() <= MAX_MAGNITUDE;
    if resolvable { Ok((mean, sd)) } else { Err(Problem::ClassOutOfScale { class }.into()) }
}
