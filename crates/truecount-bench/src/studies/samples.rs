//! Samples of two classes, and models fitted to them.

use super::ArmOutcome;
use super::intervals::ArmEstimate;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use truecount::distribution::{Distribution, Normal, ScoreDistribution};
use truecount::scores::PerClass;
use truecount::{Batch, Error, Estimate, LabelledScores, Method, Model, Settings};

/// Returns all pairs of the values of two factors of a design; the second factor varies faster.
pub(super) fn cross<A: Copy, B: Copy>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B>,
) -> Vec<(A, B)> {
    let second: Vec<B> = second.into_iter().collect();
    first.into_iter().flat_map(|a| second.iter().map(move |b| (a, *b))).collect()
}

/// Returns normal classes with these means and standard deviation 1.
pub(super) fn normal_classes(positive: f64, negative: f64) -> PerClass<ScoreDistribution> {
    PerClass { positive: normal(positive, 1.0), negative: normal(negative, 1.0) }
}

/// Returns a normal distribution with a mean and standard deviation of a design.
pub(super) fn normal(mean: f64, sd: f64) -> ScoreDistribution {
    Normal::new(mean, sd).expect("a mean and sd of the design").into()
}

/// Draws n scores with exactly this share of positives; the positives come first.
pub(super) fn draw(classes: &PerClass<ScoreDistribution>, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let PerClass { positive, negative } = classes;
    let positives = positives(n, share);
    (0..n).map(|i| if i < positives { positive.sample(rng) } else { negative.sample(rng) }).collect()
}

/// Draws n scores from a population with this share of positives.
pub(super) fn draw_population(
    classes: &PerClass<ScoreDistribution>,
    n: u32,
    share: f64,
    rng: &mut ChaCha8Rng,
) -> Vec<f64> {
    let PerClass { positive, negative } = classes;
    (0..n).map(|_| if rng.random_bool(share) { positive.sample(rng) } else { negative.sample(rng) }).collect()
}

/// Draws a labelled sample of n scores with exactly this share of positives.
///
/// # Errors
/// Returns [`truecount::error::Problem::ClassesInverted`] if the positives score lower than the
/// negatives, which may happen if the classes overlap.
pub(super) fn draw_labelled(
    classes: &PerClass<ScoreDistribution>,
    n: u32,
    share: f64,
    rng: &mut ChaCha8Rng,
) -> Result<LabelledScores, Error> {
    LabelledScores::new(&draw(classes, n, share, rng), &labels(n, share))
}

/// Returns the labels of the scores that [`draw`] returns: true for a positive.
pub(super) fn labels(n: u32, share: f64) -> Vec<bool> {
    (0..n).map(|i| i < positives(n, share)).collect()
}

/// Returns the number out of n that comes closest to this share.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and n
pub(super) fn positives(n: u32, share: f64) -> u32 {
    (f64::from(n) * share).round() as u32
}

/// Returns the prevalence among n scores with this share of positives, rounded to a whole number of positives.
pub(super) fn prevalence(n: u32, share: f64) -> f64 {
    f64::from(positives(n, share)) / f64::from(n)
}

pub(super) fn outcomes<T: Into<ArmEstimate>>(
    truth: f64,
    results: impl IntoIterator<Item = Result<T, Error>>,
) -> Vec<ArmOutcome> {
    results.into_iter().map(|result| ArmOutcome { truth, result: result.map(Into::into) }).collect()
}

/// Splits a joint result of `arms` arms: each arm gets its estimate, or all arms get the error.
pub(super) fn each_arm<T: Clone>(
    arms: usize,
    results: Result<impl IntoIterator<Item = T>, Error>,
) -> Vec<Result<T, Error>> {
    match results {
        Ok(estimates) => estimates.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error); arms],
    }
}

/// Fits several methods in one model, so that they share fitted distributions, and returns the
/// estimate of each method. A method that cannot be fitted to the labelled scores has its error.
pub(super) fn fit_and_estimate<'a, const N: usize>(
    train: &LabelledScores,
    methods: &[Method; N],
    settings: &Settings,
    test: impl Into<Batch<'a>>,
) -> [Result<Estimate, Error>; N] {
    let settings = settings.clone().with_methods(methods.iter().copied()).available_only();
    let fitted = Model::fit(train, &settings).map(Model::without_check);
    let (model, estimates) = match fitted.and_then(|model| Ok((model.clone(), model.estimate(test)?))) {
        Ok(result) => result,
        Err(error) => return std::array::from_fn(|_| Err(error.clone())),
    };
    let mut estimates = estimates.into_iter();
    methods.each_ref().map(|method| match model.omitted().iter().find(|omitted| omitted.method == *method) {
        None => Ok(estimates.next().expect("an estimate by every fitted method")),
        Some(omitted) => Err(omitted.error.clone()),
    })
}
