//! Helpers of several tests: simulated scores, golden files, and a quadrature that is independent of
//! the library's own.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;
use std::fmt::Display;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{Batch, Estimate, Estimates, IntervalOptions, LabelledScores, Model, Settings, Tally, Target};

/// Generator of one of the independent streams of a seed.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// Draws a normal score with the standard deviation 1.
pub fn normal(rng: &mut impl Rng, mean: f64) -> f64 {
    let x: f64 = StandardNormal.sample(rng);
    x + mean
}

/// The normal distribution of a class.
pub fn normal_class(mean: f64, sd: f64) -> ScoreDistribution {
    Normal::new(mean, sd).unwrap().into()
}

/// Draws scores of two normal classes, the positives first.
pub fn normals(rng: &mut impl Rng, distance: f64, positives: usize, negatives: usize) -> Vec<f64> {
    (0..positives + negatives).map(|i| normal(rng, if i < positives { distance } else { 0.0 })).collect()
}

/// Labels of `n` rows, the positives first.
pub fn labels(positives: usize, n: usize) -> Vec<bool> {
    (0..n).map(|i| i < positives).collect()
}

/// Labels probabilities, which also serve as scores, the positives first.
pub fn labelled_probabilities(probabilities: &[f64], positives: usize) -> LabelledScores {
    let labels = labels(positives, probabilities.len());
    LabelledScores::builder(probabilities, &labels).probabilities(probabilities).build().unwrap()
}

/// The test rows with these probabilities, which also serve as scores.
pub fn probabilities(values: &[f64]) -> Batch<'_> {
    Batch::new(values).with_probabilities(values).unwrap()
}

/// Labels scores, the positives first.
pub fn labelled(scores: &[f64], positives: usize) -> LabelledScores {
    LabelledScores::new(scores, &labels(positives, scores.len())).unwrap()
}

/// Fits a model to scores of two normal classes this far apart, with as many labels of each class.
pub fn fit_normals(rng: &mut impl Rng, distance: f64, labels: usize, settings: &Settings) -> Model {
    Model::fit(&labelled(&normals(rng, distance, labels, labels), labels), settings).unwrap()
}

pub fn tally<'a>(model: &Model, scores: impl Into<Batch<'a>>) -> Tally {
    let mut tally = Tally::new(model);
    tally.update(scores).unwrap();
    tally
}

pub fn population() -> IntervalOptions {
    IntervalOptions::new(0.95, Target::Population).unwrap()
}

/// The estimate of a model's first method.
pub fn first_estimate<'a>(model: &Model, scores: impl Into<Batch<'a>>) -> Estimate {
    model.estimate(scores).unwrap()[0].clone()
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The second moment about the mean, with the divisor n.
pub fn variance(values: &[f64]) -> f64 {
    central_moment(values, 2)
}

pub fn central_moment(values: &[f64], order: i32) -> f64 {
    let centre = mean(values);
    values.iter().map(|x| (x - centre).powi(order)).sum::<f64>() / values.len() as f64
}

/// The Monte Carlo standard error of the variance of these values.
pub fn variance_error(values: &[f64]) -> f64 {
    ((central_moment(values, 4) - variance(values).powi(2)) / values.len() as f64).sqrt()
}

/// Asserts that a share occurred as often as expected, within four Monte Carlo standard errors and `slack`.
#[track_caller]
pub fn assert_share(count: u32, sets: u32, expected: f64, slack: f64, context: impl Display) {
    let share = f64::from(count) / f64::from(sets);
    let allowed = 4.0 * (expected * (1.0 - expected) / f64::from(sets)).sqrt() + slack;
    assert!((share - expected).abs() < allowed, "{context}: {share}, not {expected} ± {allowed}");
}

/// Returns for each estimate whether its interval holds the true share.
pub fn covers(estimates: &Estimates, truth: f64) -> Vec<bool> {
    estimates.iter().map(|estimate| estimate.interval.unwrap().contains(truth)).collect()
}

/// Counts for each condition in how many of the samples it holds, and counts the samples.
pub fn count_true<C: IntoIterator<Item = bool>>(samples: impl IntoIterator<Item = C>) -> (Vec<u32>, u32) {
    let (mut counts, mut n) = (Vec::new(), 0);
    for conditions in samples {
        for (index, condition) in conditions.into_iter().enumerate() {
            counts.resize(counts.len().max(index + 1), 0);
            counts[index] += u32::from(condition);
        }
        n += 1;
    }
    (counts, n)
}

/// Counts for each estimate of the samples how often its interval holds the true share. A sample is drawn
/// from each stream of the seed; those for which `draw` returns `None` are not counted.
pub fn count_covered(
    sets: u32,
    seed: u64,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> Option<(Estimates, f64)>,
) -> (Vec<u32>, u32) {
    let samples = (0..sets).filter_map(|set| draw(&mut stream(seed, set.into())));
    count_true(samples.map(|(estimates, truth)| covers(&estimates, truth)))
}

/// Asserts that 95 % of the intervals cover, within four Monte Carlo standard errors and `slack`.
#[track_caller]
pub fn assert_coverage(
    context: impl Display,
    (sets, seed, slack): (u32, u64, f64),
    draw: impl FnMut(&mut ChaCha8Rng) -> Option<(Estimates, f64)>,
) {
    let (covered, drawn) = count_covered(sets, seed, draw);
    for (index, covered) in covered.into_iter().enumerate() {
        assert_share(covered, drawn, 0.95, slack, format!("{context}, method {index}"));
    }
}

/// The estimate, its standard error and the ends of its interval, or 0.
pub fn figures(estimate: &Estimate) -> [f64; 4] {
    let [se, lower, upper] = estimate.interval.map_or([0.0; 3], |u| [estimate.std_error.unwrap(), u.lower, u.upper]);
    [estimate.raw, se, lower, upper]
}

#[track_caller]
pub fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Reads a file of `golden`.
pub fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A number, or a string that carries more digits than a double.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap_or_else(|| panic!("{value}")).parse().unwrap())
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// Returns the rows of a table of `quoted_values.json`, whose `source` describes the columns.
pub fn quoted<const N: usize>(table: &str) -> Vec<[f64; N]> {
    let rows = &golden("quoted_values")[table]["rows"];
    rows.as_array().unwrap().iter().map(|row| numbers(row).try_into().unwrap()).collect()
}

#[track_caller]
pub fn assert_golden(context: &str, actual: f64, expected: &Value, tolerance: f64) {
    let expected = number(expected);
    let difference = (actual - expected).abs();
    assert!(difference <= tolerance, "{context}: {actual:e}, not {expected:e} (off by {difference:.1e})");
}

/// ∫ f over [from, to] by five-point Gauss–Legendre (NIST DLMF §3.5, Table 3.5.1) in equal panels.
pub fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64, panels: u32) -> f64 {
    const NODES: [(f64, f64); 5] = [
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = 0.5 * (to - from) / f64::from(panels);
    let panel = |k: u32| {
        let middle = from + (2.0 * f64::from(k) + 1.0) * half;
        NODES.map(|(t, w)| w * half * f(middle + half * t)).iter().sum::<f64>()
    };
    (0..panels).map(panel).sum()
}

/// The parameters of a distribution, each with its value and the unit in which it varies.
pub fn parameters(d: &ScoreDistribution) -> Vec<(String, f64, f64)> {
    let fields = serde_json::to_value(d).unwrap();
    let width = fields["scale"].as_f64().or(fields["sd"].as_f64());
    let parameter = |(name, value): (&String, &Value)| {
        let value = value.as_f64()?;
        let is_location = name == "location" || name == "mean";
        Some((name.clone(), value, width.filter(|_| is_location).unwrap_or(value.abs())))
    };
    fields.as_object().unwrap().iter().filter_map(parameter).collect()
}

/// The distribution with another value of a parameter, if that is possible.
pub fn with_parameter(d: &ScoreDistribution, name: &str, value: f64) -> Option<ScoreDistribution> {
    let mut fields = serde_json::to_value(d).unwrap();
    fields[name] = value.into();
    serde_json::from_value(fields).ok()
}
