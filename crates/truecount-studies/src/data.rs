//! Samples of two classes, with exactly the required share of positives or from a population that has it.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use truecount::PerClass;
use truecount::distribution::ScoreDistribution;

/// n scores, those of the positives first.
pub(crate) fn draw(classes: &PerClass<ScoreDistribution>, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let PerClass { positive, negative } = classes;
    let positives = positives(n, share);
    (0..n).map(|i| if i < positives { positive.sample(rng) } else { negative.sample(rng) }).collect()
}

/// n scores, each that of a positive with this probability.
pub(crate) fn sample(classes: &PerClass<ScoreDistribution>, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let PerClass { positive, negative } = classes;
    (0..n).map(|_| if rng.random_bool(share) { positive.sample(rng) } else { negative.sample(rng) }).collect()
}

/// The label of each of these scores: whether it is of a positive.
pub(crate) fn labels(n: u32, share: f64) -> Vec<bool> {
    (0..n).map(|i| i < positives(n, share)).collect()
}

/// The number out of n that comes closest to this share.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and n
pub(crate) fn positives(n: u32, share: f64) -> u32 {
    (f64::from(n) * share).round() as u32
}
