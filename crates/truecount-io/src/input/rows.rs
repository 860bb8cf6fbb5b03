//! The rows of a table, read many at a time.

use super::fingerprint::Fingerprint;
use super::text::Decimal;
use crate::places::Places;
use arrow_array::ArrayRef;
use arrow_buffer::ScalarBuffer;
use truecount::{Batch, Error};

/// The column of scores that is meant if none is named.
pub const SCORE: &str = "score";

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

/// Scores, with probabilities and weights beside them where those are read.
#[derive(Clone, Default)]
pub struct Numbers<T> {
    /// Higher means more positive.
    pub scores: T,
    /// A classifier's probabilities of being positive.
    pub probabilities: Option<T>,
    /// Survey weights.
    pub weights: Option<T>,
}

impl<T> Numbers<T> {
    /// Applies a function to each column.
    pub fn map<'a, U>(&'a self, mut column: impl FnMut(&'a T) -> U) -> Numbers<U> {
        Numbers {
            scores: column(&self.scores),
            probabilities: self.probabilities.as_ref().map(&mut column),
            weights: self.weights.as_ref().map(&mut column),
        }
    }
}

impl Numbers<Vec<f64>> {
    /// Rows of several tables with the same columns, one after the other.
    pub fn joined<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let add = |column: &mut Option<Vec<f64>>, more: &Option<Vec<f64>>| {
            if let Some(more) = more {
                column.get_or_insert_default().extend_from_slice(more);
            }
        };
        parts.fold(Self::default(), |mut joined, part| {
            joined.scores.extend_from_slice(&part.scores);
            add(&mut joined.probabilities, &part.probabilities);
            add(&mut joined.weights, &part.weights);
            joined
        })
    }
}

impl<T: AsRef<[f64]>> Numbers<T> {
    /// Whether any row counts: without weights all do.
    pub(crate) fn any_weighs(&self) -> bool {
        self.weights.as_ref().is_none_or(|weights| weights.as_ref().iter().any(|weight| *weight > 0.0))
    }

    /// The same rows as the library takes them.
    ///
    /// # Errors
    /// Those of [`Batch`].
    pub fn batch(&self) -> Result<Batch<'_>, Error> {
        let batch = match &self.probabilities {
            None => Batch::from(self.scores.as_ref()),
            Some(probabilities) => Batch::with_probabilities(self.scores.as_ref(), probabilities.as_ref())?,
        };
        Ok(match &self.weights {
            None => batch,
            Some(weights) => batch.with_weights(weights.as_ref())?,
        })
    }
}
