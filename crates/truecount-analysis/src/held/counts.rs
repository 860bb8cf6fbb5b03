//! Prevalences from counts and published error rates.

use super::refused::{Failure, Place};
use crate::results::{CountRow, EstimateRow};
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{Error, Estimates, Reporting};

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

/// What was counted of one test, and its rates.
#[derive(Clone, Copy, Debug)]
pub struct CountedRow {
    /// How many were positive.
    pub positives: u64,
    /// How many were tested.
    pub tested: u64,
    /// The sensitivity.
    pub sensitivity: Rate,
    /// The specificity.
    pub specificity: Rate,
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
    let of = |row: usize| CountedRow {
        positives: whole(columns.positives[row]),
        tested: whole(columns.tested[row]),
        sensitivity: columns.sensitivity.rate(row),
        specificity: columns.specificity.rate(row),
    };
    let rows: Vec<CountedRow> = (0..columns.positives.len()).map(of).collect();
    Ok(count_rows(&rows, interval, reporting)?.into_iter().map(|row| row.found.estimate).collect())
}

/// The estimates of rows, with what they are made of; each is a group.
///
/// # Errors
/// Those of [`Rates`], of the row where there are several.
pub fn count_rows(
    rows: &[CountedRow],
    interval: RateInterval,
    reporting: &Reporting,
) -> Result<Vec<CountRow>, Failure> {
    let of = |group: usize, row: &CountedRow| -> Result<CountRow, Error> {
        let rates = Rates::new(row.sensitivity, row.specificity)?;
        let estimate = rates.estimate(row.positives, row.tested, interval, reporting)?;
        Ok(CountRow { positives: row.positives, rates, found: EstimateRow { group, is_total: false, estimate } })
    };
    let place = |row: usize| if rows.len() > 1 { Place::Row(row) } else { Place::Whole };
    rows.iter().enumerate().map(|(at, row)| of(at, row).map_err(|error| Failure::at(place(at), error))).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the door has seen to it that they are whole numbers
fn whole(count: f64) -> u64 {
    count as u64
}
