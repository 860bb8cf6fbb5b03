//! Columns of scores, with optional probabilities and weights.

use truecount::{Batch, Error};

/// Scores with optional probabilities and weights. `T` is a column of values, or its name.
#[derive(Clone, Copy, Default)]
pub struct ScoreValues<T> {
    /// The scores; higher means more positive.
    pub scores: T,
    /// The classifier's probabilities of the positive class, in [0, 1].
    pub probabilities: Option<T>,
    /// The survey weights.
    pub weights: Option<T>,
}

impl<T> ScoreValues<T> {
    /// Applies a function to each column.
    pub fn map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> U) -> ScoreValues<U> {
        ScoreValues {
            scores: f(&self.scores),
            probabilities: self.probabilities.as_ref().map(&mut f),
            weights: self.weights.as_ref().map(&mut f),
        }
    }
}

impl<T: AsRef<[f64]>> ScoreValues<T> {
    /// Concatenates the rows of several tables with the same columns.
    pub fn concatenate<'a>(parts: impl Iterator<Item = &'a Self>) -> ScoreValues<Vec<f64>>
    where
        T: 'a,
    {
        let mut joined = ScoreValues::default();
        parts.for_each(|part| joined.extend(&part.map(AsRef::as_ref)));
        joined
    }

    /// Returns whether any row has a weight above 0; without weights, every row counts.
    pub fn has_positive_weight(&self) -> bool {
        self.weights.as_ref().is_none_or(|weights| weights.as_ref().iter().any(|weight| *weight > 0.0))
    }

    /// Returns the rows as a batch of the library.
    ///
    /// # Errors
    /// Returns an error if the columns have different lengths.
    pub fn batch(&self) -> Result<Batch<'_>, Error> {
        Batch::new(&self.scores).with_probabilities(self.probabilities.as_ref())?.with_weights(self.weights.as_ref())
    }
}

impl ScoreValues<Vec<f64>> {
    /// Appends rows with the same columns.
    pub fn extend(&mut self, rows: &ScoreValues<&[f64]>) {
        let extend = |column: &mut Option<Vec<f64>>, values: Option<&[f64]>| {
            if let Some(values) = values {
                column.get_or_insert_default().extend_from_slice(values);
            }
        };
        self.scores.extend_from_slice(rows.scores);
        extend(&mut self.probabilities, rows.probabilities);
        extend(&mut self.weights, rows.weights);
    }
}
