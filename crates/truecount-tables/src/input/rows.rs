//! The rows of a table, read many at a time.

use super::fingerprint::Fingerprint;
use super::text::Decimal;
use crate::places::Places;
use arrow_array::ArrayRef;
use arrow_buffer::ScalarBuffer;
use truecount_analysis::Numbers;
use truecount_analysis::SCORE;

/// The columns to read. Without `by`, all rows form one group.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The column with the scores, if it has a name.
    pub score: Option<&'a str>,
    /// The column with a classifier's probabilities.
    pub probability: Option<&'a str>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// How numbers are written in text, if that is known.
    pub decimal: Option<Decimal>,
    /// The sheet of a workbook, if not the first.
    pub sheet: Option<&'a str>,
    /// What needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
    /// Takes note of every row.
    pub fingerprint: Option<&'a Fingerprint>,
}

impl<'a> Wanted<'a> {
    /// The column with the scores of a table that has such columns: without a name it is `score`, or where there is none that of the
    /// probabilities, which are scores as well.
    pub fn score_in(&self, has: impl Fn(&str) -> bool) -> &'a str {
        match (self.score, self.probability) {
            (Some(named), _) => named,
            (None, Some(probability)) if !has(SCORE) => probability,
            (None, _) => SCORE,
        }
    }
}

/// Rows read and checked together: all scores are finite numbers, probabilities lie between 0 and 1, and so on.
pub struct Chunk {
    pub numbers: Numbers<ScalarBuffer<f64>>,
    /// The grouping columns.
    pub by: Vec<ArrayRef>,
    pub places: Places,
}

impl Chunk {
    /// Takes note of its rows.
    pub(super) fn note(&self, fingerprint: &Fingerprint) {
        let Numbers { scores, probabilities, weights } = self.numbers.map(AsRef::as_ref);
        if self.places.len() > 0 {
            fingerprint.add(self.places.of(0), [Some(scores), probabilities, weights]);
        }
    }
}

/// Takes a cell, whatever its column is for: the place of the column; the cell as people read it, which is empty where it is missing; and the
/// same as a finite number, if it is one.
pub type See<'a> = dyn FnMut(usize, &str, Option<f64>) + 'a;
