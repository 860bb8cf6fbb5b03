//! Test samples: scores with known labels.

use crate::labelled_scores::select_rows;
use crate::{Batch, Error, LabelledScores, PerClass};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A sample of scores with known labels, positives first.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSample {
    scores: Vec<f64>,
    probabilities: Option<Vec<f64>>,
    positives: usize,
}

/// The number of scores drawn from a pool.
#[derive(Clone, Copy, Debug)]
pub(super) enum DrawCounts {
    /// The number of scores of each class.
    ByClass(PerClass<usize>),
    /// The number of scores of both classes together.
    Total(usize),
}

impl TestSample {
    pub(super) fn draw(parts: &[(&LabelledScores, DrawCounts)], rng: &mut ChaCha8Rng) -> Self {
        let rows: Vec<PerClass<Vec<usize>>> =
            parts.iter().map(|(pool, take)| take.draw_class_rows(pool, rng)).collect();
        let collect = |column: &dyn for<'a> Fn(&'a LabelledScores) -> Option<&'a PerClass<Vec<f64>>>| {
            let mut positive = Vec::new();
            let mut negative = Vec::new();
            for ((pool, _), rows) in parts.iter().zip(&rows) {
                let column = column(pool)?;
                positive.extend(select_rows(&column.positive, &rows.positive));
                negative.extend(select_rows(&column.negative, &rows.negative));
            }
            positive.extend(negative);
            Some(positive)
        };
        Self {
            scores: collect(&|pool| Some(pool.scores())).expect("pools have scores"),
            probabilities: collect(&LabelledScores::probabilities),
            positives: rows.iter().map(|rows| rows.positive.len()).sum(),
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

impl DrawCounts {
    fn draw_class_rows(self, pool: &LabelledScores, rng: &mut ChaCha8Rng) -> PerClass<Vec<usize>> {
        let PerClass { positive, negative } = pool.scores().map(Vec::len);
        match self {
            Self::ByClass(n) => PerClass {
                positive: draw_rows(positive, n.positive, rng),
                negative: draw_rows(negative, n.negative, rng),
            },
            Self::Total(n) => {
                let (positives, negatives) =
                    draw_rows(positive + negative, n, rng).into_iter().partition::<Vec<_>, _>(|row| *row < positive);
                PerClass { positive: positives, negative: negatives.into_iter().map(|row| row - positive).collect() }
            }
        }
    }
}

/// Draws n of the rows 0 to `rows` − 1 without replacement.
fn draw_rows(rows: usize, n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    (0..rows).collect::<Vec<_>>().partial_shuffle(rng, n).0.to_vec()
}
