//! The prior shift check: exact mixtures, the distribution of its statistic by simulation, and edge
//! cases.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Bernoulli, Distribution, Normal};
use truecount::error::Problem;
use truecount::inference::Excess;
use truecount::shift_test::{ShiftCheck, ShiftStatistics};
use truecount::{Batch, LabelledScores};

fn labelled(positive: &[f64], negative: &[f64]) -> LabelledScores {
    let labels: Vec<bool> = (0..positive.len() + negative.len()).map(|i| i < positive.len()).collect();
    LabelledScores::new(&[positive, negative].concat(), &labels).unwrap()
}

fn draw(rng: &mut ChaCha8Rng, mean: f64, n: usize) -> Vec<f64> {
    Normal::new(mean, 1.0).unwrap().sample_iter(rng).take(n).collect()
}

fn test(check: &ShiftCheck, scores: &[f64]) -> ShiftStatistics {
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    check.test(&tally).unwrap()
}

/// Draws labelled and test scores under prior probability shift, and maps them.
fn draw_null(replicate: u64, n: usize, positives: usize, map: fn(f64) -> f64) -> (LabelledScores, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    rng.set_stream(replicate);
    let mut scores = |mean, n| draw(&mut rng, mean, n).into_iter().map(map).collect::<Vec<_>>();
    let train = labelled(&scores(1.5, 300), &scores(0.0, 400));
    (train, [scores(1.5, positives), scores(0.0, n - positives)].concat())
}

#[test]
fn an_exact_mixture_fits_exactly() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (positive, negative) = (draw(&mut rng, 1.0, 120), draw(&mut rng, 0.0, 360));
    let check = ShiftCheck::new(&labelled(&positive, &negative)).unwrap();
    let shift = test(&check, &[&positive[..], &negative[..], &negative[..]].concat());
    assert!((shift.prevalence - 1.0 / 7.0).abs() < 1e-13);
    assert_eq!((shift.statistic, shift.p_value, shift.n), (0.0, 1.0, 840));
    let mut tally = check.tally();
    check.update(&mut tally, &positive).unwrap();
    let curve = check.curve(&tally).unwrap();
    assert!(curve.len() > 20 && curve.iter().all(|point| (point.prevalence - 1.0).abs() < 1e-12));
    // The formula at α = 1 less half a score, with n − 1 in the variances.
    let alpha: f64 = 1.0 - 0.5 / 120.0;
    let (a, b) = (alpha / 120.0 + alpha * alpha / 120.0, (1.0 - alpha) / 120.0 + (1.0 - alpha).powi(2) / 360.0);
    for point in curve {}
    let code = |scores: &[f64], weights: &[f64]| curve(scores, weights).unwrap_err().code();
    assert_eq!(code(&[f64::NAN], &[1.0]), "score-not-finite");
    assert_eq!((code(&[], &[]), code(&[1.0], &[0.0])), ("no-test-scores", "no-test-scores"));
}
