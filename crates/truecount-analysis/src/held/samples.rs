//! Samples of known prevalence, and how far estimates are off.

use super::refused::{Failure, Place};
use std::ops::Range;
use truecount::evaluation::{Draws, Measure, Outcome, Protocol, TestSample};
use truecount::{Error, LabelledScores};

/// The rows of the samples of these numbers, sample after sample, positives first; and the share of positives in each.
///
/// # Errors
/// Those of [`LabelledScores::new`] and [`Draws::new`].
pub fn rows_of_samples(
    positive: &[bool],
    (protocol, size, seed): (Protocol, usize, u64),
    numbers: Range<u64>,
) -> Result<(Vec<usize>, Vec<f64>), Failure> {
    let pool = of_rows(positive)?;
    let draws = Draws::new(&pool, protocol, size, seed)?;
    let (mut rows, mut prevalences) = (Vec::new(), Vec::new());
    for number in numbers {
        let sample = draws.sample(number);
        rows.extend(rows_of(&sample, positive.len()));
        prevalences.push(sample.prevalence());
    }
    Ok((rows, prevalences))
}

/// A pool whose scores are the numbers of the rows; the positives' are made larger, as scores are.
pub(super) fn of_rows(positive: &[bool]) -> Result<LabelledScores, Error> {
    let n = positive.len();
    let place = |(row, positive): (usize, &bool)| (row + if *positive { n } else { 0 }) as f64;
    let places: Vec<f64> = positive.iter().enumerate().map(place).collect();
    LabelledScores::new(&places, positive)
}

/// The rows of a sample from a pool of so many.
pub(super) fn rows_of(sample: &TestSample, n: usize) -> impl Iterator<Item = usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // row numbers
    sample.scores().iter().map(move |place| *place as usize % n)
}

/// The measure of each estimate; NaN where it needs sizes that are not known.
///
/// # Errors
/// Those of [`Outcome::new`], of the row.
pub fn errors(
    measure: Measure,
    truths: &[f64],
    estimates: &[f64],
    size: impl Fn(usize) -> Option<u64>,
) -> Result<Vec<f64>, Failure> {
    let of = |(row, (truth, estimate)): (usize, (&f64, &f64))| {
        let outcome =
            Outcome::new(*truth, *estimate, size(row)).map_err(|error| Failure::at(Place::Row(row), error))?;
        Ok(measure.of(&outcome).unwrap_or(f64::NAN))
    };
    truths.iter().zip(estimates).enumerate().map(of).collect()
}
