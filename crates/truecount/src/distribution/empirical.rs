//! The sample of a class's labelled scores: its moments and its empirical distribution.
//!
//! In the empirical distribution P(S ≥ x) is the share of the labelled scores at or above x, a step
//! function. This distribution has no density, so it is not a [`Distribution`](super::Distribution); Adjusted Count and its relatives use it.

use super::LARGEST;
use crate::numeric::sum::CompensatedSum;
use crate::{Class, Error, Problem};

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

/// Mean and standard deviation (n − 1) of a class's scores, for a family that needs at least `needed` of them.
///
/// # Errors
/// [`Problem::ClassTooSmall`] below `needed` scores; [`Problem::NoSpread`] when all are equal; [`Problem::OutOfScale`] when a
/// double cannot hold their squares or tell them apart.
pub(super) fn moments(class: Class, scores: &[f64], needed: usize, family: &'static str) -> Result<(f64, f64), Error> {
    let n = scores.len();
    if n < needed {
        return Err(Problem::ClassTooSmall { class, n, needed, family }.into());
    }
    // In two passes: the second one finds the rounding error of the first mean.
    let rough = scores.iter().copied().collect::<CompensatedSum>().value() / n as f64;
    let shift = scores.iter().map(|s| s - rough).collect::<CompensatedSum>().value() / n as f64;
    let mean = rough + shift;
    let squares = scores.iter().map(|s| (s - rough - shift).powi(2)).collect::<CompensatedSum>().value();
    let sd = (squares / (n - 1) as f64).sqrt();
    if scores.iter().all(|s| *s == scores[0]) {
        return Err(Problem::NoSpread { class, n, value: scores[0] }.into());
    }
    // A spread close to the rounding of the scores themselves is meaningless.
    let tellable = sd > 1e-12 * mean.abs() && (LARGEST.recip()..=LARGEST).contains(&sd) && mean.abs() <= LARGEST;
    if tellable { Ok((mean, sd)) } else { Err(Problem::OutOfScale { class }.into()) }
}
