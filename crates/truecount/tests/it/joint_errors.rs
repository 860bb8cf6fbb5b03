//! Joint errors of several estimates: identities, and coverage of differences from the total.

use crate::common::{assert_close, figures, fit_normals, labels, normals};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::compare::{Difference, GroupContrasts, JointErrors, Overlap, Reference};
use truecount::{Estimate, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];

/// Draws `n` scores, of which `positives` are positive.
fn sample(rng: &mut impl Rng, positives: usize, n: usize) -> Vec<f64> {
    normals(rng, 1.5, positives, n - positives)
}

fn model(rng: &mut impl Rng, labels: usize, methods: &[Method]) -> Model {
    fit_normals(rng, 1.5, labels, &Settings::new(methods.iter().copied()).with_cutoff(0.75)).without_check()
}

fn interval_options(target: Target) -> IntervalOptions {
    IntervalOptions::default().with_target(target)
}

#[track_caller]
fn assert_same_interval(a: &Estimate, b: &Estimate) {
    let is_close = figures(a).into_iter().zip(figures(b)).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(is_close && a.interval.is_some(), "{a:?} {b:?}");
}

#[test]
fn a_total_of_one_group_is_the_group() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let scores = sample(&mut rng, 60, 120);
    let (weights, clusters): (Vec<f64>, Vec<u32>) = (0..120).map(|i| (1.0 + f64::from(i % 4), i % 17)).unzip();
    let labels = labels(60, 120);
    let labelled = LabelledScores::builder(&scores, &labels).weights(&weights).clusters(&clusters).build();
    let designed = Model::fit(&labelled.unwrap(), &Settings::new([Method::ES, Method::AC]).with_cutoff(0.75))
        .unwrap()
        .without_check();
    let plain = model(&mut rng, 60, &METHODS);
    let cases = [(0, 40), (3, 200), (70, 150), (198, 200), (50, 50), (1, 3)];
    for (model, (positives, n)) in [&plain, &designed].into_iter().flat_map(|model| cases.map(|case| (model, case))) {
        let scores = sample(&mut rng, positives, n);
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
        for target in [Target::Sample, Target::Population] {
            for weighted in [false, true] {
                let options = interval_options(target);
                let batch = truecount::Batch::from(scores.as_slice());
                let batch = if weighted { batch.with_weights(&weights).unwrap() } else { batch };
                for estimate in &model.estimate_with(batch, &options).unwrap() {
                    let joint = JointErrors::new(model, estimate.method).unwrap();
                    let mut total = joint.total();
                    total.add(estimate, 7.0).unwrap();
                    assert_same_interval(&total.estimate(&options), estimate);
                }
            }
        }
    }
}

/// For methods with a single influence function, and group sizes as weights, the total is the
/// estimate of all scores. For a population, fixed group sizes make its standard error smaller.
#[test]
fn a_total_of_all_groups_is_the_estimate_of_all_scores() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let model = model(&mut rng, 60, &[Method::O_CS, Method::AC, Method::PACC]);
    let groups: Vec<Vec<f64>> =
        [(3, 40), (0, 200), (70, 150), (20, 21)].map(|(positives, n)| sample(&mut rng, positives, n)).into();
    for target in [Target::Sample, Target::Population] {
        let options = interval_options(target);
        let whole = model.estimate_with(&groups.concat(), &options).unwrap();
        for estimate in &whole {
            let joint = JointErrors::new(&model, estimate.method).unwrap();
            let mut total = joint.total();
            for scores in &groups {
                let group_estimates = model.estimate_with(scores, &options).unwrap();
                total.add(group_estimates.by_method(estimate.method).unwrap(), scores.len() as f64).unwrap();
            }
            let total_estimate = total.estimate(&options);
            assert_close(total_estimate.raw, estimate.raw, 1e-12);
            assert_eq!(total_estimate.n, estimate.n);
            if target == Target::Sample {
                assert_same_interval(&total_estimate, estimate);
            } else {
                assert!(total_estimate.std_error.unwrap() < estimate.std_error.unwrap());
            }
        }
    }
}

/// The difference between a group and the total is the difference between the group and the rest,
/// times the rest's share.
#[test]
fn difference_from_the_total_is_proportional_to_that_from_the_rest() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let model = model(&mut rng, 80, &[Method::PACC]);
    for target in [Target::Sample, Target::Population] {
        let options = interval_options(target);
        let sizes = [100, 300, 50];
        let estimates: Vec<Estimate> = sizes
            .iter()
            .map(|n| model.estimate_with(&sample(&mut rng, n / 3, *n), &options).unwrap()[0].clone())
            .collect();
        let joint = JointErrors::new(&model, Method::PACC).unwrap();
        let mut total = joint.total();
        for estimate in &estimates {
            total.add(estimate, estimate.n as f64).unwrap();
        }
        for estimate in &estimates {
            let n = estimate.n as f64;
            let rest = total.without(estimate, n).unwrap();
            let whole = total.estimate(&options);
            let from_total = total.difference(estimate, n, &whole, &options).unwrap();
            let from_rest = joint.difference(estimate, &rest.estimate(&options), Overlap::None, &options).unwrap();
            let share = 1.0 - n / total.weight();
            assert_close(from_total.difference, share * from_rest.difference, 1e-12);
            assert_close(from_total.std_error, share * from_rest.std_error, 1e-12);
        }
    }
}

/// The intervals of differences from all groups together hold the true differences: of a group with
/// most of the scores, and of groups without negatives and without positives. The p-value is below
/// 0.05 exactly where the interval does not hold 0. Of 400 samples, 95 % has a Monte Carlo error of
/// 1.1 %.
#[test]
fn intervals_of_differences_from_the_total_cover() {
    const SAMPLES: u64 = 400;
    let groups = [(150, 1500), (90, 300), (100, 100), (0, 200)];
    let n: f64 = groups.iter().map(|(_, n)| *n as f64).sum();
    let whole = groups.iter().map(|(positives, _)| *positives as f64).sum::<f64>() / n;
    let options = interval_options(Target::Sample);
    let mut covered = [0_u64; 4];
    for seed in 0..SAMPLES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let model = model(&mut rng, 100, &[Method::ES]);
        let estimate = |(positives, n)| model.estimate(&sample(&mut rng, positives, n)).unwrap()[0].clone();
        let estimates = groups.map(estimate);
        let joint = JointErrors::new(&model, Method::ES).unwrap();
        let estimates: Vec<&Estimate> = estimates.iter().collect();
        let range = 0..groups.len();
        let contrasts =
            GroupContrasts::new(&joint, &estimates, std::slice::from_ref(&range), &Reference::Total, None, &options);
        let contrasts = contrasts.unwrap();
        for (contrast, covered) in contrasts.contrasts().iter().zip(&mut covered) {
            let comparison = contrasts.compare(*contrast).unwrap();
            let Difference { difference, interval, p_value, ratio, .. } = comparison.difference;
            let (positives, size) = groups[contrast.group];
            *covered += u64::from(interval.contains(positives as f64 / size as f64 - whole));
            assert_close(comparison.other + difference, estimates[contrast.group].prevalence, 1e-12);
            assert!(interval.contains(difference), "{comparison:?}");
            assert_eq!(p_value < 0.05, !interval.contains(0.0), "{comparison:?}");
            assert!(ratio.value.is_none_or(|value| (ratio.lower..=ratio.upper).contains(&value)), "{comparison:?}");
        }
    }
    let coverage = covered.map(|covered| covered as f64 / SAMPLES as f64);
    assert!(coverage.iter().all(|share| *share > 0.917), "{coverage:?}");
}

#[test]
fn an_estimate_does_not_differ_from_itself() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let model = model(&mut rng, 60, &METHODS);
    for target in [Target::Sample, Target::Population] {
        let options = interval_options(target);
        for estimate in &model.estimate_with(&sample(&mut rng, 30, 100), &options).unwrap() {
            let joint = JointErrors::new(&model, estimate.method).unwrap();
            let difference = joint.difference(estimate, estimate, Overlap::All, &options).unwrap();
            assert_eq!((difference.difference, difference.p_value), (0.0, 1.0));
            assert_close(difference.std_error, 0.0, 1e-8);
            assert_close(difference.correlation, 1.0, 1e-12);
        }
    }
}

/// The interval at level 1 − p ends at 0.
#[test]
fn p_values_agree_with_the_intervals() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let model = model(&mut rng, 60, &METHODS);
    let default = IntervalOptions::default();
    for (a, b) in [(30, 50), (0, 20), (90, 99), (50, 40)] {
        let [first, second] =
            [a, b].map(|positives| model.estimate_with(&sample(&mut rng, positives, 100), &default).unwrap());
        for (first, second) in first.iter().zip(&second) {
            let joint = JointErrors::new(&model, first.method).unwrap();
            let difference_with =
                |options: &IntervalOptions| joint.difference(first, second, Overlap::None, options).unwrap();
            let difference = difference_with(&default);
            assert_eq!(difference.p_value < 0.05, difference.interval.lower > 0.0 || difference.interval.upper < 0.0);
            if difference.p_value < 1.0 && difference.p_value > 1e-12 {
                let limit = difference_with(&IntervalOptions::new(1.0 - difference.p_value, Target::Sample).unwrap());
                assert_close(
                    if difference.difference > 0.0 { limit.interval.lower } else { limit.interval.upper },
                    0.0,
                    1e-6,
                );
            }
        }
    }
}
