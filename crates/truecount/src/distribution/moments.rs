//! Sample mean and standard deviation, shared by all fits that use them, and when scores have none.

use super::LARGEST;
use crate::numeric::sum::Sum;
use crate::{Class, Error, Problem};

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
    let rough = scores.iter().copied().collect::<Sum>().value() / n as f64;
    let shift = scores.iter().map(|s| s - rough).collect::<Sum>().value() / n as f64;
    let mean = rough + shift;
    let squares = scores.iter().map(|s| (s - rough - shift).powi(2)).collect::<Sum>().value();
    let sd = (squares / (n - 1) as f64).sqrt();
    if scores.iter().all(|s| *s == scores[0]) {
        return Err(Problem::NoSpread { class, n, value: scores[0] }.into());
    }
    // A spread close to the rounding of the scores themselves is meaningless.
    let tellable = sd > 1e-12 * mean.abs() && (LARGEST.recip()..=LARGEST).contains(&sd) && mean.abs() <= LARGEST;
    if tellable { Ok((mean, sd)) } else { Err(Problem::OutOfScale { class }.into()) }
}
