//! How far an estimate moves if some items score otherwise, against scores that are moved.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::quantifier::BinnedSweep;
use truecount::{Class, IntervalOptions, LabelledScores, Model, Problem, Settings};

fn normals(rng: &mut ChaCha8Rng, mean: f64, n: usize) -> Vec<f64> {
    Normal::new(mean, 1.0).unwrap().sample_iter(rng).take(n).collect()
}

fn model() -> Model {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let scores = [normals(&mut rng, 1.5, 400), normals(&mut rng, 0.0, 400)].concat();
    let labels: Vec<bool> = (0..800).map(|i| i < 400).collect();
    Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &Settings::default()).unwrap()
}

fn counts(model: &Model, scores: &[f64]) -> Vec<u64> {
    let check = model.check().unwrap();
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    tally.plain().counts
}

fn sweep(model: &Model) -> &BinnedSweep {
    model.quantifiers()[0].binned_sweep().unwrap()
}

/// One negative in a hundred, taken evenly, is moved to the very top and to the very bottom: the estimate moves by what is said of
/// the best and the worst bin, up to how well those taken stand for all of their class.
#[test]
fn scores_that_are_moved_move_the_estimate_as_said() {
    let model = model();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (positives, mut negatives) = (normals(&mut rng, 1.5, 6000), normals(&mut rng, 0.0, 14_000));
    negatives.sort_unstable_by(f64::total_cmp);
    let estimate = |moved: Option<f64>| {
        let negatives = negatives.iter().enumerate().map(|(i, s)| moved.filter(|_| i % 100 == 50).unwrap_or(*s));
        let scores: Vec<f64> = positives.iter().copied().chain(negatives).collect();
        model.estimate(&scores, &IntervalOptions::default()).unwrap()[0].raw
    };
    let plain = estimate(None);
    let all: Vec<f64> = positives.iter().chain(&negatives).copied().collect();
    let supposed = sweep(&model).suppose(0.01, plain, &counts(&model, &all)).unwrap().negative;
    assert_eq!(supposed.class, Class::Negative);
    let (up, down) = (estimate(Some(50.0)) - plain, estimate(Some(-50.0)) - plain);
    // The labelled negatives stand for those taken to a twentieth of a standard deviation, 0.0005 of what is moved.
    assert!((up - supposed.up).abs() < 0.001, "{up} {supposed:?}");
    assert!((down - supposed.down).abs() < 0.001, "{down} {supposed:?}");
    assert!(supposed.typical < supposed.up.max(-supposed.down) && supposed.typical > 0.0);
    // In proportion to the share.
    let half = sweep(&model).suppose(0.005, plain, &counts(&model, &all)).unwrap().negative;
    assert!((2.0 * half.up - supposed.up).abs() < 1e-15 && (2.0 * half.typical - supposed.typical).abs() < 1e-15);
}

/// A share that scores as its class does moves nothing, one that scores as the other class does moves the estimate by as many.
#[test]
fn moves_average_to_what_they_stand_for() {
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
    let moves = sweep.moves(Class::Negative, 0.02, 0.3);
    // The means of the classes are those of rows that the curve has not seen, so not quite those of the bins.
    assert!(mean(Class::Negative, &moves).abs() < 0.02 * 0.7 * 0.02, "{}", mean(Class::Negative, &moves));
    assert!((mean(Class::Positive, &moves) / (0.02 * 0.7) - 1.0).abs() < 0.03, "{}", mean(Class::Positive, &moves));
}

#[test]
fn what_cannot_be_supposed() {
    let model = model();
    let counts = counts(&model, &[0.5, 1.0]);
    assert!(
        matches!(sweep(&model).suppose(1.5, 0.3, &counts).unwrap_err().problem(), Some(Problem::Parameter { value, .. }) if *value == 1.5)
    );
    assert_eq!(sweep(&model).suppose(0.1, 0.3, &counts[1..]), Err(Problem::OtherTally.into()));
    assert_eq!(sweep(&model).suppose(0.1, 0.3, &vec![0; counts.len()]), Err(Problem::NoTestScores.into()));
}
