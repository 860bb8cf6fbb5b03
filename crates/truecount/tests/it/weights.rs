//! Survey weights of test scores.

use crate::common::{figures, labelled, population};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::Tally;
use truecount::error::Problem;
use truecount::{
    Batch, Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Target, Warning,
};

fn normals(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    let (plus, minus) = (Normal::new(1.5, 1.2).unwrap(), Normal::new(0.0, 1.0).unwrap());
    (0..positives + negatives).map(|i| if i < positives { plus.sample(rng) } else { minus.sample(rng) }).collect()
}

fn fit(rng: &mut ChaCha8Rng, methods: &[Method], each: usize) -> Model {
    let settings = Settings::new(methods.iter().copied()).with_cutoff(0.75);
    Model::fit(&labelled(&normals(rng, each, each), each), &settings).unwrap()
}

fn weighted_methods() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.supports_weights()).collect()
}

fn weighted(model: &Model, scores: &[f64], weights: &[f64], options: &IntervalOptions) -> Estimates {
    model.estimate_with(Batch::from(scores).with_weights(weights).unwrap(), options).unwrap()
}

#[track_caller]
fn assert_close(a: &Estimate, b: &Estimate) {
    let close = figures(a).into_iter().zip(figures(b)).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close && (a.prevalence - b.prevalence).abs() < 1e-12 && a.n == b.n, "{a:?}\n{b:?}");
    assert!(a.interval.is_some() && b.interval.is_some());
}

#[test]
fn equal_weights_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let model = fit(&mut rng, &weighted_methods(), 150);
    for target in [Target::Sample, Target::Population] {
        let options = IntervalOptions::new(0.95, target).unwrap();
        for scores in [normals(&mut rng, 30, 170), normals(&mut rng, 1, 0), vec![-3.0; 20], vec![0.5; 20]] {
            let plain = model.estimate_with(&scores, &options).unwrap();
            for weight in [1.0, 2.0, 0.1, 1e-100, 1e100] {
                let same = weighted(&model, &scores, &vec![weight; scores.len()], &options);
                for (method, (same, plain)) in weighted_methods().iter().zip(same.iter().zip(&plain)) {
                    assert_close(same, plain);
                    assert!((same.effective_n.unwrap() - scores.len() as f64).abs() < 1e-10 * scores.len() as f64);
                    let kinds = |e: &Estimate| e.warnings.iter().map(std::mem::discriminant).collect::<Vec<_>>();
                    assert_eq!(kinds(same), kinds(plain), "{method}, {weight}: {same:?}, {plain:?}");
                }
            }
        }
    }
}

#[test]
fn the_variance_matches_a_calculation_by_hand() {
    // Rates 3/4 and 1/4 at the cutoff 0: Δ = ½, and 3/16·4/3 = ¼ for both variances.
    let labelled = LabelledScores::new(
        &[1.0, 2.0, 3.0, -1.0, -1.0, -2.0, -3.0, 1.0],
        &[true, true, true, true, false, false, false, false],
    );
    let model = Model::fit(&labelled.unwrap(), &Settings::new([Method::AC])).unwrap();
    // Weights above the cutoff: 5 of Σw = 10, so α̂ = (½ − ¼)/½ = ½;
    // squared weights: 17 of Σw² = 30, so α₂ = 19/30.
    let estimate = &weighted(&model, &[1.0, 1.0, -1.0, -1.0], &[1.0, 4.0, 2.0, 3.0], &IntervalOptions::default())[0];
    assert_eq!(estimate.raw, 0.5);
    // A score has the variance ¼ + ¼·Δ² in a population of ½, and also by squared weights.
    assert!((estimate.effective_n.unwrap() - 10.0 / 3.0).abs() < 1e-15);
    // V = [q/4 + (¼ + ¼)·¼/4]/Δ².
    let square = (0.3 / 4.0 + 0.5 / 4.0 / 4.0) * 4.0;
    assert!((estimate.std_error.unwrap() - f64::sqrt(square)).abs() < 1e-14);
    // A population adds q[α² + α₂(1−2α)], which at α = ½ is q/4.
    let estimate = &weighted(&model, &[1.0, 1.0, -1.0, -1.0], &[1.0, 4.0, 2.0, 3.0], &population())[0];
    assert!((estimate.std_error.unwrap() - f64::sqrt(square + 0.3 / 4.0)).abs() < 1e-14);
}

#[test]
fn zero_weights_merging_and_repeated_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let model = fit(&mut rng, &weighted_methods(), 150);
    let options = IntervalOptions::default();
    let scores = normals(&mut rng, 40, 60);
    let weights: Vec<f64> = (0..100).map(|i| f64::from(i % 4)).collect();
    let whole = weighted(&model, &scores, &weights, &options);
    // Leaving out rows of weight 0 changes nothing.
    let positive_rows: Vec<usize> = (0..100).filter(|i| weights[*i] > 0.0).collect();
    let select = |column: &[f64]| positive_rows.iter().map(|i| column[*i]).collect::<Vec<_>>();
    for (a, b) in weighted(&model, &select(&scores), &select(&weights), &options).iter().zip(&whole) {
        assert_eq!(a, b);
        assert_eq!(a.n, 75);
    }
    // Merged pieces give the estimates of the whole.
    let tally = |pieces: &[std::ops::Range<usize>]| {
        let mut tallies = Tally::weighted(&model).unwrap();
        for rows in pieces {
            let batch = Batch::from(&scores[rows.clone()]).with_weights(&weights[rows.clone()]).unwrap();
            tallies.update(batch).unwrap();
        }
        tallies
    };
    let (mut left, right) = (tally(&[0..10, 10..11]), tally(&[11..60, 60..100]));
    left.merge(&right).unwrap();
    for (a, b) in left.evaluate_with(&options).unwrap().iter().zip(&whole) {
        assert_close(a, b);
    }
    // A weight of 3 gives the same estimate as three equal scores, but a larger standard error.
    let repeated: Vec<f64> = (0..100).flat_map(|i| vec![scores[i]; i % 4]).collect();
    for (a, b) in model.estimate_with(&repeated, &options).unwrap().iter().zip(&whole) {
        assert!((a.raw - b.raw).abs() < 1e-12);
        assert!(a.std_error.unwrap() < b.std_error.unwrap());
    }
}

#[test]
fn uneven_weights_give_a_warning() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let model = fit(&mut rng, &weighted_methods(), 150);
    let scores = normals(&mut rng, 40, 60);
    let warned = |weights: &[f64]| {
        let estimates = weighted(&model, &scores, weights, &IntervalOptions::default());
        let is_warned = |e: &Estimate| e.warnings.iter().any(|w| matches!(w, Warning::UnevenWeights { .. }));
        let warned: Vec<bool> = estimates.iter().map(is_warned).collect();
        assert!(warned.iter().all(|is_warned| *is_warned == warned[0]));
        warned[0]
    };
    let with_heaviest = |heaviest: f64, others: f64| [vec![heaviest], vec![others; 99]].concat();
    assert!(warned(&with_heaviest(1e100, 1e-100)));
    // (99 + w)²/(99 + w²) is 30 where 29w² = 198w + 6831, at w = 19.14.
    assert!(!warned(&with_heaviest(19.1, 1.0)) && warned(&with_heaviest(19.2, 1.0)));
    // Few scores with even weights: the effective sizes are 20 of 20, and 60²/150 = 24 of 30.
    assert!(!warned(&[vec![2.0; 20], vec![0.0; 80]].concat()));
    assert!(!warned(&[vec![1.0; 15], vec![3.0; 15], vec![0.0; 70]].concat()));
}

#[test]
fn invalid_weights_are_errors() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for &method in Method::ALL {
        assert_eq!(Tally::weighted(&fit(&mut rng, &[method], 60)).is_ok(), method.supports_weights(), "{method}");
    }
    let model = fit(&mut rng, &[Method::O_CS, Method::X], 60);
    let scores = [0.5, 1.0, 2.0];
    let batch = |weights: &'static [f64]| Batch::from(&scores).with_weights(weights);
    let mismatch = Problem::LengthMismatch { column: "weights", values: 2, others: 3 }.into();
    assert_eq!(batch(&[1.0, 1.0]).unwrap_err(), mismatch);
    let mut tallies = Tally::weighted(&model).unwrap();
    let empty = tallies.clone();
    for bad in [&[1.0, -1.0, 1.0], &[1.0, f64::NAN, 1.0], &[1.0, f64::INFINITY, 1.0], &[1.0, 1e-200, 1.0]] {
        let error = tallies.update(batch(bad).unwrap()).unwrap_err();
        assert_eq!((error.code(), error.location().row), ("weight-out-of-range", Some(1)));
    }
    assert_eq!(tallies.update(&scores).unwrap_err(), Problem::WeightsMissing.into());
    assert_eq!(Tally::new(&model).update(batch(&[1.0; 3]).unwrap()).unwrap_err(), Problem::WeightsUnexpected.into());
    let not_finite = Batch::from(&[f64::NAN, 1.0, 1.0]).with_weights(&[1.0; 3]).unwrap();
    let error = tallies.update(not_finite).unwrap_err();
    assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(0)));
    assert_eq!(tallies, empty);
    // Weights that are all 0, and a single positive weight.
    let all_zero = model.estimate(batch(&[0.0; 3]).unwrap());
    assert_eq!(all_zero.unwrap_err(), Problem::AllWeightsZero.into());
    let single = &weighted(&model, &scores, &[0.0, 3.0, 0.0], &IntervalOptions::default())[0];
    assert_eq!((single.n, single.effective_n), (1, Some(1.0)));
    assert!(single.warnings.contains(&Warning::SingleScore));
    assert_close(single, &model.estimate(&scores[1..2]).unwrap()[0]);
}

/// With a perfect classifier, p(1 − p)/V independent scores have the same variance.
#[test]
fn the_effective_size_is_that_of_independent_scores() {
    let labelled = LabelledScores::new(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[true, true, true, false, false, false]);
    let model = Model::fit(&labelled.unwrap(), &Settings::new([Method::AC]).with_cutoff(0.5)).unwrap().without_check();
    let scores: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i < 50))).collect();
    let weights: Vec<f64> = scores.iter().map(|score| 1.0 + 9.0 * score).collect();
    let estimate = &weighted(&model, &scores, &weights, &population())[0];
    // Σw² (y − p)²/(Σw)², with Σw = 550 and p = 10/11.
    let p = 10.0 / 11.0;
    let variance = (50.0 * 100.0 * (1.0_f64 - p).powi(2) + 50.0 * p * p) / 550.0_f64.powi(2);
    assert!((estimate.std_error.unwrap().powi(2) / variance - 1.0).abs() < 1e-12);
    assert!((estimate.effective_n.unwrap() / (p * (1.0 - p) / variance) - 1.0).abs() < 1e-12);
}
