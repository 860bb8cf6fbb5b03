//! The columns of scores: in a file, in memory, or a part of them.

use truecount::{Batch, Error};

/// Scores, with probabilities and weights beside them where those are read.
#[derive(Clone, Copy, Default)]
pub struct ScoreValues<T> {
    /// Higher means more positive.
    pub scores: T,
    /// A classifier's probabilities of being positive.
    pub probabilities: Option<T>,
    /// Survey weights.
    pub weights: Option<T>,
}

impl<T> ScoreValues<T> {
    /// Applies a function to each column.
    pub fn map<'a, U>(&'a self, mut column: impl FnMut(&'a T) -> U) -> ScoreValues<U> {
        ScoreValues {
            scores: column(&self.scores),
            probabilities: self.probabilities.as_ref().map(&mut column),
            weights: self.weights.as_ref().map(&mut column),
        }
    }
}

impl<T: AsRef<[f64]>> ScoreValues<T> {
    /// Rows of several tables with the same columns, one after the other.
    pub fn concatenate<'a>(parts: impl Iterator<Item = &'a Self>) -> ScoreValues<Vec<f64>>
    where
        T: 'a,
    {
        let mut joined = ScoreValues::default();
        parts.for_each(|part| joined.extend(&part.map(AsRef::as_ref)));
        joined
    }

    /// Whether any row counts: without weights all do.
    pub fn has_positive_weight(&self) -> bool {
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

impl ScoreValues<Vec<f64>> {
    /// Adds rows with the same columns.
    pub fn extend(&mut self, rows: &ScoreValues<&[f64]>) {
        let add = |column: &mut Option<Vec<f64>>, more: Option<&[f64]>| {
            if let Some(more) = more {
                column.get_or_insert_default().extend_from_slice(more);
            }
        };
        self.scores.extend_from_slice(rows.scores);
        add(&mut self.probabilities, rows.probabilities);
        add(&mut self.weights, rows.weights);
    }
}
