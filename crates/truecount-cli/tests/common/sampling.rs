//! How good methods are on a labelled pool: their errors over random samples of it, at prevalences uniform on [0, 1].

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::{Batch, Error, LabelledScores, Model, PerClass, Reporting, Settings};

const SAMPLES: u32 = 1000;
const SIZE: usize = 250;

/// One method's errors over all samples.
#[derive(Clone, Copy, Default)]
pub struct Errors {
    /// Mean |estimate − truth|.
    pub absolute: f64,
    /// Mean estimate − truth.
    pub bias: f64,
    /// The share of 95 % intervals that hold the truth; none for a method without.
    pub coverage: Option<f64>,
}

/// The errors of every method of the settings: 1000 samples of 250 without replacement, the same for all settings.
pub fn errors(train: &LabelledScores, pool: &LabelledScores, settings: &Settings) -> Result<Vec<Errors>, Error> {
    let model = Model::fit(train, settings)?;
    let mut all = vec![Errors::default(); model.quantifiers().len()];
    for sample in 0..SAMPLES {
        let (drawn, truth) = draw(pool, sample);
        let estimates = match pool.probabilities() {
            Some(_) => model.estimate(Batch::with_probabilities(&drawn.0, &drawn.1)?, &Reporting::default())?,
            None => model.estimate(&drawn.0, &Reporting::default())?,
        };
        let each = f64::from(SAMPLES).recip();
        for (errors, estimate) in all.iter_mut().zip(&estimates) {
            errors.absolute += each * (estimate.prevalence - truth).abs();
            errors.bias += each * (estimate.prevalence - truth);
            if let Some(interval) = estimate.uncertainty {
                let holds = (interval.lower..=interval.upper).contains(&truth);
                *errors.coverage.get_or_insert_default() += if holds { each } else { 0.0 };
            }
        }
    }
    Ok(all)
}

/// The scores of the sample of that number, the probabilities with them, and the share of positives.
fn draw(pool: &LabelledScores, sample: u32) -> ((Vec<f64>, Vec<f64>), f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(2026);
    rng.set_stream(sample.into());
    let alpha: f64 = rng.random();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of SIZE
    let positives = (alpha * SIZE as f64).round() as usize;
    let mut rows = |n: usize, some: usize| (0..n).collect::<Vec<_>>().partial_shuffle(&mut rng, some).0.to_vec();
    let chosen = PerClass {
        positive: rows(pool.positive().len(), positives),
        negative: rows(pool.negative().len(), SIZE - positives),
    };
    let of = |column: &PerClass<Vec<f64>>| -> Vec<f64> {
        let positive = chosen.positive.iter().map(|row| column.positive[*row]);
        positive.chain(chosen.negative.iter().map(|row| column.negative[*row])).collect()
    };
    ((of(pool.scores()), pool.probabilities().map(of).unwrap_or_default()), positives as f64 / SIZE as f64)
}

/// A table with the columns `score` and `label` (1 or 0); with the logistic function of the score as probability if asked.
pub fn read(path: &str, with_probabilities: bool) -> LabelledScores {
    let mut reader = csv::Reader::from_path(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let rows: Vec<(f64, u8)> = reader.deserialize().map(|row| row.unwrap_or_else(|e| panic!("{path}: {e}"))).collect();
    let (scores, labels): (Vec<f64>, Vec<bool>) = rows.into_iter().map(|(score, label)| (score, label == 1)).unzip();
    let labelled = if with_probabilities {
        let probabilities: Vec<f64> = scores.iter().map(|s| (1.0 + (-s).exp()).recip()).collect();
        LabelledScores::with_probabilities(&scores, &probabilities, &labels)
    } else {
        LabelledScores::new(&scores, &labels)
    };
    labelled.unwrap_or_else(|e| panic!("{path}: {e}"))
}
