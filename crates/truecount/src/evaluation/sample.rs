//! Test samples: scores with known labels.

use crate::labelled_scores::select_rows;
use crate::{Batch, Error, LabelledScores, PerClass};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::mem;

/// A sample of scores with known labels, positives first.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSample {
    scores: Vec<f64>,
    probabilities: Option<Vec<f64>>,
    positives: usize,
}

/// The number of rows drawn from a pool with two or more classes.
#[derive(Clone, Debug)]
pub(super) enum DrawCounts {
    /// The number of rows of each class.
    ByClass(Vec<usize>),
    /// The number of rows of all classes together.
    Total(usize),
}

impl TestSample {
    pub(super) fn draw(parts: &[(&LabelledScores, DrawCounts)], rng: &mut ChaCha8Rng) -> Self {
        let rows: Vec<Vec<Vec<usize>>> = parts.iter().map(|(pool, take)| take.draw(&class_sizes(pool), rng)).collect();
        let collect = |column: &dyn for<'a> Fn(&'a LabelledScores) -> Option<&'a PerClass<Vec<f64>>>| {
            let mut positive = Vec::new();
            let mut negative = Vec::new();
            for ((pool, _), rows) in parts.iter().zip(&rows) {
                let column = column(pool)?;
                positive.extend(select_rows(&column.positive, &rows[0]));
                negative.extend(select_rows(&column.negative, &rows[1]));
            }
            positive.extend(negative);
            Some(positive)
        };
        Self {
            scores: collect(&|pool| Some(pool.scores())).expect("pools have scores"),
            probabilities: collect(&LabelledScores::probabilities),
            positives: rows.iter().map(|rows| rows[0].len()).sum(),
        }
    }

    /// Returns the scores as a batch, with probabilities if the pool has them.
    pub fn batch(&self) -> Batch<'_> {
        Batch { scores: &self.scores, probabilities: self.probabilities.as_deref(), weights: None }
    }

    /// Returns the scores with their labels, to fit a model to.
    ///
    /// # Errors
    /// Returns an error if the sample has only one class.
    pub fn labelled(&self) -> Result<LabelledScores, Error> {
        let positive: Vec<bool> = (0..self.scores.len()).map(|i| i < self.positives).collect();
        LabelledScores::builder(&self.scores, &positive).probabilities(self.probabilities.as_deref()).build()
    }

    /// Returns the scores, positives first.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the number of positives.
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// Returns the share of positives.
    pub fn prevalence(&self) -> f64 {
        self.positives as f64 / self.scores.len() as f64
    }
}

/// Returns the numbers of positives and negatives.
pub(super) fn class_sizes(pool: &LabelledScores) -> [usize; 2] {
    let PerClass { positive, negative } = pool.scores().map(Vec::len);
    [positive, negative]
}

impl DrawCounts {
    /// Draws rows from classes with these numbers of rows. Returns the rows of each class, numbered from 0.
    pub(super) fn draw(&self, pool: &[usize], rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
        match self {
            Self::ByClass(counts) => pool.iter().zip(counts).map(|(rows, n)| draw_rows(*rows, *n, rng)).collect(),
            Self::Total(n) => {
                let rows = draw_rows(pool.iter().sum(), *n, rng);
                let starts = pool.iter().scan(0, |end, n| Some(mem::replace(end, *end + n)));
                let in_class = |(start, n): (usize, &usize)| {
                    rows.iter().filter_map(|row| row.checked_sub(start).filter(|row| row < n)).collect()
                };
                starts.zip(pool).map(in_class).collect()
            }
        }
    }

    /// Returns the index of a class with too few rows (`None`: of all classes together), its number of rows, and the
    /// number needed; `None` if there are enough.
    pub(super) fn shortage(&self, pool: &[usize]) -> Option<(Option<usize>, usize, usize)> {
        let mut needed = match self {
            Self::Total(n) => vec![(None, pool.iter().sum(), *n)],
            Self::ByClass(n) => (0..pool.len()).map(|class| (Some(class), pool[class], n[class])).collect(),
        };
        needed.retain(|(_, n, size)| n < size);
        needed.first().copied()
    }
}

/// Draws n of the rows 0 to `rows` − 1 without replacement.
fn draw_rows(rows: usize, n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    (0..rows).collect::<Vec<_>>().partial_shuffle(rng, n).0.to_vec()
}
