//! A sample of scores whose labels are known.

use crate::scores::taken;
use crate::{Batch, Error, LabelledScores, PerClass};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Scores whose labels are known, positives first.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSample {
    scores: Vec<f64>,
    probabilities: Option<Vec<f64>>,
    positives: usize,
}

/// How many scores are taken from a pool.
#[derive(Clone, Copy, Debug)]
pub(super) enum DrawCounts {
    /// So many of each class.
    Classes(PerClass<usize>),
    /// So many, of whichever class.
    Any(usize),
}

impl TestSample {
    /// So many scores of each of these pools.
    pub(super) fn draw(parts: &[(&LabelledScores, DrawCounts)], rng: &mut ChaCha8Rng) -> Self {
        let rows: Vec<PerClass<Vec<usize>>> = parts.iter().map(|(pool, take)| take.rows(pool, rng)).collect();
        let of = |column: &dyn for<'a> Fn(&'a LabelledScores) -> Option<&'a PerClass<Vec<f64>>>| {
            let mut positive = Vec::new();
            let mut negative = Vec::new();
            for ((pool, _), rows) in parts.iter().zip(&rows) {
                let column = column(pool)?;
                positive.extend(taken(&column.positive, &rows.positive));
                negative.extend(taken(&column.negative, &rows.negative));
            }
            positive.extend(negative);
            Some(positive)
        };
        Self {
            scores: of(&|pool| Some(pool.scores())).expect("pools have scores"),
            probabilities: of(&LabelledScores::probabilities),
            positives: rows.iter().map(|rows| rows.positive.len()).sum(),
        }
    }

    /// The scores, with their probabilities if the pool has some.
    pub fn batch(&self) -> Batch<'_> {
        Batch { scores: &self.scores, probabilities: self.probabilities.as_deref(), weights: None }
    }

    /// The scores with their labels, to learn from.
    ///
    /// # Errors
    /// Those of [`LabelledScores::new`]: a sample may have one class alone.
    pub fn labelled(&self) -> Result<LabelledScores, Error> {
        let positive: Vec<bool> = (0..self.scores.len()).map(|i| i < self.positives).collect();
        match &self.probabilities {
            Some(probabilities) => LabelledScores::with_probabilities(&self.scores, probabilities, &positive),
            None => LabelledScores::new(&self.scores, &positive),
        }
    }

    /// The scores, positives first.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The number of positives.
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// The share of positives.
    pub fn prevalence(&self) -> f64 {
        self.positives as f64 / self.scores.len() as f64
    }
}

impl DrawCounts {
    /// Rows of each class.
    fn rows(self, pool: &LabelledScores, rng: &mut ChaCha8Rng) -> PerClass<Vec<usize>> {
        let PerClass { positive, negative } = pool.scores().map(Vec::len);
        match self {
            Self::Classes(n) => {
                PerClass { positive: some(positive, n.positive, rng), negative: some(negative, n.negative, rng) }
            }
            Self::Any(n) => {
                let (positives, negatives) =
                    some(positive + negative, n, rng).into_iter().partition::<Vec<_>, _>(|row| *row < positive);
                PerClass { positive: positives, negative: negatives.into_iter().map(|row| row - positive).collect() }
            }
        }
    }
}

/// n of the rows 0 to `of` − 1, without replacement.
fn some(of: usize, n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    (0..of).collect::<Vec<_>>().partial_shuffle(rng, n).0.to_vec()
}
