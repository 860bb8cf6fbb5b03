//! Survey weights: identities, and the variance by simulation.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::{
    Batch, Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Problem, Settings, Target, Warning,
};

fn normals(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    let (plus, minus) = (Normal::new(1.5, 1.2).unwrap(), Normal::new(0.0, 1.0).unwrap());
    (0..positives + negatives).map(|i| if i < positives { plus.sample(rng) } else { minus.sample(rng) }).collect()
}

fn fit(rng: &mut ChaCha8Rng, methods: &[Method], each: usize) -> Model {
    let labels: Vec<bool> = (0..2 * each).map(|i| i < each).collect();
    let settings = Settings { methods: methods.to_vec(), cutoff: Some(0.75), ..Settings::default() };
    Model::fit(&LabelledScores::new(&normals(rng, each, each), &labels).unwrap(), &settings).unwrap()
}

fn weighable() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.takes_weights()).collect()
}

fn weighted(model: &Model, scores: &[f64], weights: &[f64], reporting: &IntervalOptions) -> Estimates {
    model.estimate(Batch::from(scores).with_weights(weights).unwrap(), reporting).unwrap()
}

#[track_caller]
fn assert_same(a: &Estimate, b: &Estimate) {
    let numbers = |e: &Estimate| {
        let u = e.uncertainty.unwrap();
        [e.raw, e.prevalence, u.se, u.lower, u.upper]
    };
    let close = numbers(a).into_iter().zip(numbers(b)).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close && a.n == b.n, "{a:?}\n{b:?}");
}

#[test]
fn equal_weights_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let model = fit(&mut rng, &weighable(), 150);
    for target in [Target::Sample, Target::Population] {
        let reporting = IntervalOptions::new(0.95, target).unwrap();
        for scores in [normals(&mut rng, 30, 170), normals(&mut rng, 1, 0), vec![-3.0; 20], vec![0.5; 20]] {
            let plain = model.estimate(&scores, &reporting).unwrap();
            for weight in [1.0, 2.0, 0.1, 1e-100, 1e100] {
                let same = weighted(&model, &scores, &vec![weight; scores.len()], &reporting);
                for (method, (same, plain)) in weighable().iter().zip(same.iter().zip(&plain)) {
                    assert_same(same, plain);
                    assert!((same.effective_n.unwrap() - scores.len() as f64).abs() < 1e-10 * scores.len() as f64);
                    let kinds = |e: &Estimate| e.warnings.iter().map(std::mem::discriminant).collect::<Vec<_>>();
                    assert_eq!(kinds(same), kinds(plain), "{method}, {weight}: {same:?}, {plain:?}");
                }
            }
        }
    }
}

#[test]
fn worked_by_hand() {
    // Rates 3/4 and 1/4 at the cutoff 0: Δ = ½, and 3/16·4/3 = ¼ for both variances.
    let labelled = LabelledScores::new(
        &[1.0, 2.0, 3.0, -1.0, -1.0, -2.0, -3.0, 1.0],
        &[true, true, true, true, false, false, false, false],
    );
    let settings = Settings { methods: vec![Method::AC], ..Settings::default() };
    let model = Model::fit(&labelled.unwrap(), &settings).unwrap();
    // Σw = 10, of which 5 above: α̂ = (½ − ¼)/½ = ½; Σw² = 30, of which 17 above: α₂ = 19/30.
    let estimate = &weighted(&model, &[1.0, 1.0, -1.0, -1.0], &[1.0, 4.0, 2.0, 3.0], &IntervalOptions::default())[0];
    assert_eq!(estimate.raw, 0.5);
    assert!((estimate.effective_n.unwrap() - 10.0 / 3.0).abs() < 1e-15);
    // V = [q/4 + (¼ + ¼)·¼/4]/Δ².
    let square = (0.3 / 4.0 + 0.5 / 4.0 / 4.0) * 4.0;
    assert!((estimate.uncertainty.unwrap().se - f64::sqrt(square)).abs() < 1e-14);
    // Drawing adds q[α² + α₂(1−2α)], which at α = ½ is q/4.
    let population = IntervalOptions::new(0.95, Target::Population).unwrap();
    let estimate = &weighted(&model, &[1.0, 1.0, -1.0, -1.0], &[1.0, 4.0, 2.0, 3.0], &population)[0];
    assert!((estimate.uncertainty.unwrap().se - f64::sqrt(square + 0.3 / 4.0)).abs() < 1e-14);
}

#[test]
fn zero_weights_pieces_and_repetitions() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let model = fit(&mut rng, &weighable(), 150);
    let reporting = IntervalOptions::default();
    let scores = normals(&mut rng, 40, 60);
    let weights: Vec<f64> = (0..100).map(|i| f64::from(i % 4)).collect();
    let whole = weighted(&model, &scores, &weights, &reporting);
    // What weighs nothing might as well not be there.
    let some: Vec<usize> = (0..100).filter(|i| weights[*i] > 0.0).collect();
    let of = |column: &[f64]| some.iter().map(|i| column[*i]).collect::<Vec<_>>();
    for (a, b) in weighted(&model, &of(&scores), &of(&weights), &reporting).iter().zip(&whole) {
        assert_eq!(a, b);
        assert_eq!(a.n, 75);
    }
    // Pieces, pushed and merged, are the whole.
    let tallied = |pieces: &[std::ops::Range<usize>]| {
        let mut tallies = model.weighted_tallies().unwrap();
        for rows in pieces {
            let batch = Batch::from(&scores[rows.clone()]).with_weights(&weights[rows.clone()]).unwrap();
            model.update(&mut tallies, batch).unwrap();
        }
        tallies
    };
    let (mut left, right) = (tallied(&[0..10, 10..11]), tallied(&[11..60, 60..100]));
    left.merge(&right).unwrap();
    for (a, b) in model.estimates(&left, &reporting).unwrap().iter().zip(&whole) {
        assert_same(a, b);
    }
    // A weight of 3 is not three scores: the same estimate, but not the same standard error.
    let repeated: Vec<f64> = (0..100).flat_map(|i| vec![scores[i]; i % 4]).collect();
    for (a, b) in model.estimate(&repeated, &reporting).unwrap().iter().zip(&whole) {
        assert!((a.raw - b.raw).abs() < 1e-12);
        assert!(a.uncertainty.unwrap().se < b.uncertainty.unwrap().se);
    }
}

/// One score that outweighs all others, and many that are alike.
#[test]
fn uneven_weights_are_told() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let model = fit(&mut rng, &weighable(), 150);
    let scores = normals(&mut rng, 40, 60);
    let warned = |weights: &[f64]| {
        let estimates = weighted(&model, &scores, weights, &IntervalOptions::default());
        let told = |e: &Estimate| e.warnings.iter().any(|w| matches!(w, Warning::UnevenWeights { .. }));
        let warned: Vec<bool> = estimates.iter().map(told).collect();
        assert!(warned.iter().all(|told| *told == warned[0]));
        warned[0]
    };
    let with_heaviest = |heaviest: f64, others: f64| [vec![heaviest], vec![others; 99]].concat();
    assert!(warned(&with_heaviest(1e100, 1e-100)));
    // (99 + w)²/(99 + w²) is 30 where 29w² = 198w + 6831, at w = 19.14.
    assert!(!warned(&with_heaviest(19.1, 1.0)) && warned(&with_heaviest(19.2, 1.0)));
    // So few are few, but not for their weights: 20 are worth 20, and 30 are worth 60²/150 = 24.
    assert!(!warned(&[vec![2.0; 20], vec![0.0; 80]].concat()));
    assert!(!warned(&[vec![1.0; 15], vec![3.0; 15], vec![0.0; 70]].concat()));
}

/// Positives and negatives whose weights differ, within the classes and between them: the variance of the estimates about the
/// weighted share of positives of the very sample, and about that of the population, is what the standard errors say, within
/// four Monte Carlo errors and 2 %, which linear theory may be off with 400 labelled scores in each class.
#[test]
fn the_variance_by_simulation() {
    const SETS: u32 = 3000;
    const N: usize = 400;
    let methods = [Method::AC, Method::SMM, Method::O_CS, Method::ES];
    // Positives are a quarter of those drawn and weigh 1 on average, negatives 3: of the population ¼/(¼ + 9/4) are positive.
    let alpha = 0.1;
    let targets = [Target::Sample, Target::Population].map(|target| IntervalOptions::new(0.95, target).unwrap());
    let mut errors = vec![Vec::new(); 8];
    let mut expected = vec![0.0; 8];
    for set in 0..SETS {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        rng.set_stream(set.into());
        let model = fit(&mut rng, &methods, 400);
        let positives = (0..N).filter(|_| rng.random::<f64>() < 0.25).count();
        let scores = normals(&mut rng, positives, N - positives);
        let weights: Vec<f64> = (0..N)
            .map(|i| match (i < positives, rng.random::<bool>()) {
                (true, true) => 0.5,
                (true, false) => 1.5,
                (false, true) => 1.0,
                (false, false) => 5.0,
            })
            .collect();
        let share = weights[..positives].iter().sum::<f64>() / weights.iter().sum::<f64>();
        for (t, (reporting, truth)) in targets.iter().zip([share, alpha]).enumerate() {
            for (m, estimate) in weighted(&model, &scores, &weights, reporting).iter().enumerate() {
                errors[4 * t + m].push(estimate.raw - truth);
                expected[4 * t + m] += estimate.uncertainty.unwrap().se.powi(2) / f64::from(SETS);
            }
        }
    }
    let sets = f64::from(SETS);
    for (place, (errors, expected)) in errors.iter().zip(expected).enumerate() {
        let bias = errors.iter().sum::<f64>() / sets;
        let central = |k| errors.iter().map(|e| (e - bias).powi(k)).sum::<f64>() / sets;
        let (variance, fourth) = (central(2), central(4));
        let error = ((fourth - variance * variance) / sets).sqrt() / variance;
        let ratio = expected / variance;
        let what = format!("{}, {:?}", methods[place % 4], targets[place / 4].target());
        println!("{what}: variance {variance:.3e}, expected / found {ratio:.3} ± {error:.3}, bias {bias:+.5}");
        assert!((ratio - 1.0).abs() < 4.0 * error + 0.02, "{what}: {ratio}");
        assert!(bias.abs() < 4.0 * (variance / sets).sqrt() + 0.002, "{what}: {bias}");
    }
}

#[test]
fn what_cannot_be_weighted() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    // What the table of methods says is what the fitted quantifiers do.
    for &method in Method::ALL {
        assert_eq!(fit(&mut rng, &[method], 60).weighted_tallies().is_ok(), method.takes_weights(), "{method}");
    }
    let error = fit(&mut rng, &[Method::SLD, Method::O_CS, Method::HDY], 60).weighted_tallies().unwrap_err();
    assert_eq!(
        error.to_string(),
        "weights are not possible for sld, hdy; the methods that take them are es, o-cs, t-cs, cc, ac, max, t50, x, pcc, pacc, friedman, smm, edy"
    );
    let model = fit(&mut rng, &[Method::O_CS, Method::X], 60);
    let scores = [0.5, 1.0, 2.0];
    let batch = |weights: &'static [f64]| Batch::from(&scores).with_weights(weights);
    let mismatch = Problem::LengthMismatch { column: "weights", values: 2, others: 3 }.into();
    assert_eq!(batch(&[1.0, 1.0]).unwrap_err(), mismatch);
    let mut tallies = model.weighted_tallies().unwrap();
    let empty = tallies.clone();
    for bad in [&[1.0, -1.0, 1.0], &[1.0, f64::NAN, 1.0], &[1.0, f64::INFINITY, 1.0], &[1.0, 1e-200, 1.0]] {
        let error = model.update(&mut tallies, batch(bad).unwrap()).unwrap_err();
        assert_eq!((error.code(), error.location().row), ("weight-out-of-range", Some(1)));
    }
    assert_eq!(model.update(&mut tallies, &scores).unwrap_err(), Problem::WeightsMissing.into());
    assert_eq!(
        model.update(&mut model.tallies(), batch(&[1.0; 3]).unwrap()).unwrap_err(),
        Problem::WeightsUnknown.into()
    );
    let not_finite = Batch::from(&[f64::NAN, 1.0, 1.0]).with_weights(&[1.0; 3]).unwrap();
    let error = model.update(&mut tallies, not_finite).unwrap_err();
    assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(0)));
    assert_eq!(tallies, empty);
    // Nothing but weights of 0 is nothing; a single weight is a single score.
    let none = model.estimate(batch(&[0.0; 3]).unwrap(), &IntervalOptions::default());
    assert_eq!(none.unwrap_err(), Problem::AllWeightsZero.into());
    let one = &weighted(&model, &scores, &[0.0, 3.0, 0.0], &IntervalOptions::default())[0];
    assert_eq!((one.n, one.effective_n), (1, Some(1.0)));
    assert!(one.warnings.contains(&Warning::SingleScore));
    assert_same(one, &model.estimate(&scores[1..2], &IntervalOptions::default()).unwrap()[0]);
}
