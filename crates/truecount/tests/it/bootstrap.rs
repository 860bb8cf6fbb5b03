//! The bootstrap of both samples, against formulas, known probabilities and simulation.

use crate::common::{assert_share, count_true, covers, labelled, labels, normals, stream};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::bootstrap::{Bootstrap, Replicate};
use truecount::error::Problem;
use truecount::{Batch, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings};
use truecount::{Target, Warning};

fn replicates(bootstrap: &Bootstrap, resamples: u64) -> Vec<Replicate> {
    (0..resamples).map(|number| bootstrap.replicate(number)).collect()
}

fn estimates(model: &Model, test: &[f64], resamples: u64, options: &IntervalOptions) -> Estimates {
    let bootstrap = Bootstrap::new(model, vec![test.into()], 1).unwrap();
    bootstrap.estimates(&replicates(&bootstrap, resamples), options).unwrap().remove(0)
}

#[test]
fn a_replicate_depends_on_seed_and_number_alone() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let model = Model::fit(&labelled(&normals(&mut rng, 1.5, 40, 40), 40), &Settings::new([Method::SLD, Method::T_MS]))
        .unwrap();
    let (first, second) = (normals(&mut rng, 1.5, 20, 20), normals(&mut rng, 1.5, 30, 10));
    let with_seed = |seed| Bootstrap::new(&model, vec![(&first).into(), (&second).into()], seed).unwrap();
    let forwards = replicates(&with_seed(3), 10);
    let backwards: Vec<Replicate> = (0..10).rev().map(|number| with_seed(3).replicate(number)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
    assert!(forwards.windows(2).all(|pair| pair[0] != pair[1]));
    assert_ne!(forwards[0], with_seed(4).replicate(0));
}

/// A resample of k different scores has a single value with probability k^(1−k), so no normal can
/// be fitted: 1/9 for three, 1/64 for four.
#[test]
fn resamples_that_cannot_be_fitted_are_counted() {
    for (positives, chance, withheld) in [(3_usize, 1.0 / 9.0, true), (4, 1.0 / 64.0, false)] {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let scores: Vec<f64> =
            (0..positives).map(|i| 5.0 + i as f64).chain((0..50).map(|i| f64::from(i) / 25.0)).collect();
        let model = Model::fit(&labelled(&scores, positives), &Settings::new([Method::O_CS])).unwrap();
        let estimate = estimates(&model, &normals(&mut rng, 1.5, 20, 20), 3000, &IntervalOptions::default())[0].clone();
        let lost_share = estimate.warnings.iter().find_map(|warning| match *warning {
            Warning::ResamplesLost { lost, of } => Some((lost as f64 / of as f64, false)),
            Warning::TooManyResamplesLost { lost, of } => Some((lost as f64 / of as f64, true)),
            _ => None,
        });
        let (share, too_many) = lost_share.expect("a warning");
        assert!((share - chance).abs() < 4.0 * (chance * (1.0 - chance) / 3000.0).sqrt(), "{share}");
        assert_eq!((too_many, estimate.interval.is_none()), (withheld, withheld));
    }
}

/// With one score, equal scores, or classes far apart, the interval is never empty and never a
/// point.
#[test]
fn intervals_have_positive_width_with_hardly_any_information() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let methods = Method::ALL.to_vec();
    let settings = Settings::new(methods).with_cutoff(0.75);
    let close = normals(&mut rng, 1.5, 30, 30);
    let far: Vec<f64> = close.iter().enumerate().map(|(i, s)| if i < 30 { s + 50.0 } else { *s }).collect();
    for (scores, tests) in
        [(&close, [vec![0.7], vec![1.5; 20], vec![9.0; 5]]), (&far, [vec![0.0], vec![50.0; 20], far.clone()])]
    {
        let model = Model::fit(&labelled(scores, 30), &settings).unwrap();
        let bootstrap = Bootstrap::new(&model, tests.iter().map(Batch::from).collect(), 2).unwrap();
        let estimates = bootstrap.estimates(&replicates(&bootstrap, 60), &IntervalOptions::default()).unwrap();
        for (test, estimates) in tests.iter().zip(estimates) {
            for estimate in estimates {
                let Some(interval) = estimate.interval else {
                    assert!(estimate.warnings.iter().any(|w| matches!(w, Warning::TooManyResamplesLost { .. })));
                    continue;
                };
                assert!(estimate.std_error.is_some_and(|se| se >= 0.0 && se.is_finite()));
                assert!(0.0 <= interval.lower && interval.upper <= 1.0, "{interval:?}");
                assert!(interval.upper - interval.lower >= 0.4999 / test.len() as f64, "{interval:?}");
                assert!((interval.lower..=interval.upper).contains(&estimate.prevalence), "{estimate:?}");
            }
        }
    }
    let model = Model::fit(&labelled(&close, 30), &settings).unwrap();
    let empty: &[f64] = &[];
    assert_eq!(Bootstrap::new(&model, vec![empty.into()], 1).unwrap_err(), Problem::NoTestScores.into());
}

/// With a hundred labels per class, 95 % of the intervals cover the prevalence of the sample or of
/// the population, within four Monte Carlo standard errors plus 2 % for the bootstrap's own error.
#[test]
fn intervals_cover() {
    const SETS: u32 = 400;
    let settings = Settings::new([Method::DYS, Method::T_MS]);
    // Exact posteriors spare dys a fit, which keeps the test fast.
    let posteriors =
        |scores: &[f64]| -> Vec<f64> { scores.iter().map(|s| (1.0 + (1.125 - 1.5 * s).exp()).recip()).collect() };
    let (covered, _) = count_true((0..SETS).map(|set| {
        let mut rng = stream(9, set.into());
        let train = normals(&mut rng, 1.5, 100, 100);
        let positives = (0..300).filter(|_| rng.random::<f64>() < 0.4).count();
        let test = normals(&mut rng, 1.5, positives, 300 - positives);
        let train = LabelledScores::builder(&train, &labels(100, 200)).probabilities(&posteriors(&train)).build();
        let model = Model::fit(&train.unwrap(), &settings).unwrap();
        let probabilities = posteriors(&test);
        let batch = Batch::new(&test).with_probabilities(&probabilities).unwrap();
        let bootstrap = Bootstrap::new(&model, vec![batch], set.into()).unwrap();
        let replicates = replicates(&bootstrap, 200);
        let truths = [(Target::Sample, positives as f64 / 300.0), (Target::Population, 0.4)];
        truths
            .map(|(target, truth)| {
                let options = IntervalOptions::new(0.95, target).unwrap();
                covers(&bootstrap.estimates(&replicates, &options).unwrap()[0], truth)
            })
            .concat()
    }));
    for covered in covered {
        assert_share(covered, SETS, 0.95, 0.02, "dys and t-ms, for the sample and the population");
    }
}
