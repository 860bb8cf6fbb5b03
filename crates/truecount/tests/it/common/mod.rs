//! Helpers of several tests: simulated scores, golden files, and a quadrature that is independent of
//! the library's own.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;
use truecount::{Batch, Estimate, IntervalOptions, LabelledScores, Model, Tally, Target};

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

/// Draws scores of two normal classes, the positives first.
pub fn normals(rng: &mut impl Rng, distance: f64, positives: usize, negatives: usize) -> Vec<f64> {
    (0..positives + negatives).map(|i| normal(rng, if i < positives { distance } else { 0.0 })).collect()
}

/// Labels of `n` rows, the positives first.
pub fn labels(positives: usize, n: usize) -> Vec<bool> {
    (0..n).map(|i| i < positives).collect()
}

/// Labels scores, the positives first.
pub fn labelled(scores: &[f64], positives: usize) -> LabelledScores {
    LabelledScores::new(scores, &labels(positives, scores.len())).unwrap()
}

pub fn tally<'a>(model: &Model, scores: impl Into<Batch<'a>>) -> Tally {
    let mut tally = Tally::new(model);
    tally.update(scores).unwrap();
    tally
}

pub fn population() -> IntervalOptions {
    IntervalOptions::new(0.95, Target::Population).unwrap()
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
