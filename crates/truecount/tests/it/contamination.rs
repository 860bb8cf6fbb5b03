//! Contamination: how far an estimate moves if a share of a class scores differently, against
//! scores that are moved.

use crate::common::{fit_normals, normals, tally};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use truecount::error::Problem;
use truecount::quantifier::BinnedSweep;
use truecount::scores::Class;
use truecount::{Model, Settings};

fn model() -> Model {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    fit_normals(&mut rng, 1.5, 400, &Settings::default())
}

fn counts(model: &Model, scores: &[f64]) -> Vec<u64> {
    tally(model, scores).take_shift().unwrap().plain().counts
}

fn sweep(model: &Model) -> &BinnedSweep {
    model.quantifiers()[0].binned_sweep().unwrap()
}

/// One negative in a hundred, spread evenly, is moved to the very top or bottom. The estimate moves
/// as predicted for the outermost bins, up to the sampling error of the moved scores.
#[test]
fn moving_scores_moves_the_estimate_as_predicted() {
    let model = model();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (positives, mut negatives) = (normals(&mut rng, 1.5, 6000, 0), normals(&mut rng, 0.0, 0, 14_000));
    negatives.sort_unstable_by(f64::total_cmp);
    let estimate = |moved: Option<f64>| {
        let negatives = negatives.iter().enumerate().map(|(i, s)| moved.filter(|_| i % 100 == 50).unwrap_or(*s));
        let scores: Vec<f64> = positives.iter().copied().chain(negatives).collect();
        model.estimate(&scores).unwrap()[0].raw
    };
    let plain = estimate(None);
    let all: Vec<f64> = positives.iter().chain(&negatives).copied().collect();
    let predicted = sweep(&model).contamination(0.01, plain, &counts(&model, &all)).unwrap().negative;
    assert_eq!(predicted.class, Class::Negative);
    let (up, down) = (estimate(Some(50.0)) - plain, estimate(Some(-50.0)) - plain);
    // The mean of 400 labelled negatives has an error of a twentieth of a standard deviation, which
    // is 0.0005 here.
    assert!((up - predicted.up).abs() < 0.001, "{up} {predicted:?}");
    assert!((down - predicted.down).abs() < 0.001, "{down} {predicted:?}");
    assert!(predicted.typical < predicted.up.max(-predicted.down) && predicted.typical > 0.0);
    // Moves are proportional to the share.
    let half = sweep(&model).contamination(0.005, plain, &counts(&model, &all)).unwrap().negative;
    assert!((2.0 * half.up - predicted.up).abs() < 1e-15 && (2.0 * half.typical - predicted.typical).abs() < 1e-15);
}

/// Rows that score like their own class leave the estimate as it is. Rows that score like the other
/// class move it by their share.
#[test]
fn mean_moves_are_zero_within_a_class_and_the_share_across_classes() {
    let model = model();
    let sweep = sweep(&model);
    let bins = sweep.bins();
    let mean = |class: Class, moves: &[f64]| {
        let share = |bin: &truecount::quantifier::CalibrationBin| match class {
            Class::Positive => bin.share.positive,
            Class::Negative => bin.share.negative,
        };
        bins.iter().zip(moves).map(|(bin, by)| share(bin) * by).sum::<f64>()
    };
    let moves = sweep.contamination_by_bin(Class::Negative, 0.02, 0.3, 1000.0);
    // Class means are along the curve, so they differ a little from those of the bins.
    assert!(mean(Class::Negative, &moves).abs() < 0.02 * 0.7 * 0.02, "{}", mean(Class::Negative, &moves));
    assert!((mean(Class::Positive, &moves) / (0.02 * 0.7) - 1.0).abs() < 0.03, "{}", mean(Class::Positive, &moves));
}

#[test]
fn invalid_shares_and_counts_are_errors() {
    let model = model();
    let counts = counts(&model, &[0.5, 1.0]);
    let error = sweep(&model).contamination(1.5, 0.3, &counts).unwrap_err();
    assert!(matches!(error.problem(), Some(Problem::ParameterOutOfRange { value, .. }) if *value == 1.5));
    assert_eq!(sweep(&model).contamination(0.1, 0.3, &counts[1..]), Err(Problem::TallyModelMismatch.into()));
    assert_eq!(sweep(&model).contamination(0.1, 0.3, &vec![0; counts.len()]), Err(Problem::NoTestScores.into()));
}
