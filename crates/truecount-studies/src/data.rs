//! Samples of two classes that hold exactly the share of positives they should.

use rand_chacha::ChaCha8Rng;
use truecount::PerClass;
use truecount::distribution::ScoreDistribution;

/// n scores, first those of the positives.
pub(crate) fn draw(classes: &PerClass<ScoreDistribution>, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let PerClass { positive, negative } = classes;
    let positives = positives(n, share);
    (0..n).map(|i| if i < positives { positive.sample(rng) } else { negative.sample(rng) }).collect()
}

/// Whether each of them belongs to a positive.
pub(crate) fn labels(n: u32, share: f64) -> Vec<bool> {
    (0..n).map(|i| i < positives(n, share)).collect()
}

/// The number that makes up this share, or comes nearest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and n
pub(crate) fn positives(n: u32, share: f64) -> u32 {
    (f64::from(n) * share).round() as u32
}
