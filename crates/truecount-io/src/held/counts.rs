//! Prevalences from counts and published error rates.

use super::refused::{Failure, Place};
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{Error, Estimate, Estimates, Reporting};

/// A column of rates: shares, or counts with their denominators.
#[derive(Clone, Copy)]
pub struct RateColumn<'a> {
    /// The shares, or the counts, which are whole numbers.
    pub values: &'a [f64],
    /// What these are of, as whole numbers.
    pub denominators: Option<&'a [f64]>,
}

/// Columns of one length, of which the counts are whole numbers.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    /// How many were positive.
    pub positives: &'a [f64],
    /// How many were tested.
    pub tested: &'a [f64],
    /// The sensitivity.
    pub sensitivity: RateColumn<'a>,
    /// The specificity.
    pub specificity: RateColumn<'a>,
}

impl RateColumn<'_> {
    fn rate(&self, row: usize) -> Rate {
        match self.denominators {
            None => Rate::Exact(self.values[row]),
            Some(denominators) => Rate::Counted { count: whole(self.values[row]), of: whole(denominators[row]) },
        }
    }
}

/// The estimates, row by row.
///
/// # Errors
/// Those of [`Rates`], of the row where there are several.
pub fn counts(columns: &Counted, interval: RateInterval, reporting: &Reporting) -> Result<Estimates, Failure> {
    let of = |row: usize| -> Result<Estimate, Error> {
        let rates = Rates::new(columns.sensitivity.rate(row), columns.specificity.rate(row))?;
        rates.estimate(whole(columns.positives[row]), whole(columns.tested[row]), interval, reporting)
    };
    let rows = columns.positives.len();
    let place = |row: usize| if rows > 1 { Place::Row(row) } else { Place::Whole };
    let estimates = (0..rows).map(|row| of(row).map_err(|error| Failure::at(place(row), error)));
    Ok(estimates.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the door has seen to it that they are whole numbers
fn whole(count: f64) -> u64 {
    count as u64
}
