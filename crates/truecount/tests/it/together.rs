//! Several estimates at once: identities, and covariances, intervals and totals against simulation.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::{
    Estimate, IntervalOptions, JointErrors, LabelledRows, LabelledScores, Method, Model, Overlap, Settings, Target,
    inference::Difference,
};

const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];

fn normal(rng: &mut impl Rng, mean: f64) -> f64 {
    let x: f64 = StandardNormal.sample(rng);
    x + mean
}

/// Scores of a sample with so many positives.
fn sample(rng: &mut impl Rng, positives: usize, n: usize) -> Vec<f64> {
    (0..n).map(|i| normal(rng, if i < positives { 1.5 } else { 0.0 })).collect()
}

fn model(rng: &mut impl Rng, labels: usize, methods: &[Method]) -> Model {
    let scores = sample(rng, labels, 2 * labels);
    let positive: Vec<bool> = (0..scores.len()).map(|i| i < labels).collect();
    let settings = Settings { methods: methods.to_vec(), cutoff: Some(0.75), ..Settings::default() };
    Model::fit(&LabelledScores::new(&scores, &positive).unwrap(), &settings).unwrap().without_check()
}

fn reporting(target: Target) -> IntervalOptions {
    IntervalOptions::new(0.95, target).unwrap()
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[track_caller]
fn same_interval(a: &Estimate, b: &Estimate, tolerance: f64) {
    let (p, q) = (a.uncertainty.unwrap(), b.uncertainty.unwrap());
    close(a.raw, b.raw, tolerance);
    close(p.se, q.se, tolerance);
    close(p.lower, q.lower, tolerance);
    close(p.upper, q.upper, tolerance);
}

#[test]
fn a_total_of_one_group_is_the_group() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let scores = sample(&mut rng, 60, 120);
    let (labels, weights): (Vec<bool>, Vec<f64>) = (0..120).map(|i| (i < 60, 1.0 + f64::from(i % 4))).unzip();
    let clusters: Vec<u32> = (0..120).map(|i| i % 17).collect();
    let labelled = LabelledScores::from_rows(&LabelledRows {
        scores: &scores,
        positive: &labels,
        weights: Some(&weights),
        clusters: Some(&clusters),
        ..LabelledRows::default()
    });
    let labelled = labelled.unwrap();
    let settings = Settings { methods: vec![Method::ES, Method::AC], cutoff: Some(0.75), ..Settings::default() };
    let designed = Model::fit(&labelled, &settings).unwrap().without_check();
    let plain = model(&mut rng, 60, &METHODS);
    let cases = [(0, 40), (3, 200), (70, 150), (198, 200), (50, 50), (1, 3)];
    for (model, (positives, n)) in [&plain, &designed].into_iter().flat_map(|model| cases.map(|case| (model, case))) {
        let scores = sample(&mut rng, positives, n);
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
        for target in [Target::Sample, Target::Population] {
            for weighted in [false, true] {
                let reporting = reporting(target);
                let batch = truecount::Batch::from(scores.as_slice());
                let batch = if weighted { batch.with_weights(&weights).unwrap() } else { batch };
                for estimate in &model.estimate(batch, &reporting).unwrap() {
                    let together = JointErrors::new(model, estimate.method).unwrap();
                    let mut total = together.total();
                    total.add(estimate, 7.0).unwrap();
                    same_interval(&total.estimate(&reporting), estimate, 1e-12);
                }
            }
        }
    }
}

/// With the numbers of scores as weights, and one function, it is the estimate of all scores together; and groups drawn one by one
/// are known no worse than all drawn at once.
#[test]
fn a_total_of_all_groups_is_that_of_all_scores() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let model = model(&mut rng, 60, &[Method::O_CS, Method::AC, Method::PACC]);
    let groups: Vec<Vec<f64>> =
        [(3, 40), (0, 200), (70, 150), (20, 21)].map(|(positives, n)| sample(&mut rng, positives, n)).into();
    for target in [Target::Sample, Target::Population] {
        let reporting = reporting(target);
        let whole = model.estimate(&groups.concat(), &reporting).unwrap();
        for estimate in &whole {
            let together = JointErrors::new(&model, estimate.method).unwrap();
            let mut total = together.total();
            for scores in &groups {
                let of_group = model.estimate(scores, &reporting).unwrap();
                total.add(of_group.by_method(estimate.method).unwrap(), scores.len() as f64).unwrap();
            }
            let found = total.estimate(&reporting);
            close(found.raw, estimate.raw, 1e-12);
            assert_eq!(found.n, estimate.n);
            if target == Target::Sample {
                same_interval(&found, estimate, 1e-12);
            } else {
                assert!(found.uncertainty.unwrap().se < estimate.uncertainty.unwrap().se);
            }
        }
    }
}

/// What is the whole less the rest is so far from the whole as its share of the rest's distance says.
#[test]
fn a_group_its_rest_and_the_total() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let model = model(&mut rng, 80, &[Method::PACC]);
    for target in [Target::Sample, Target::Population] {
        let reporting = reporting(target);
        let sizes = [100, 300, 50];
        let estimates: Vec<Estimate> = sizes
            .iter()
            .map(|n| model.estimate(&sample(&mut rng, n / 3, *n), &reporting).unwrap()[0].clone())
            .collect();
        let together = JointErrors::new(&model, Method::PACC).unwrap();
        let mut total = together.total();
        for estimate in &estimates {
            total.add(estimate, estimate.n as f64).unwrap();
        }
        for estimate in &estimates {
            let n = estimate.n as f64;
            let rest = total.without(estimate, n).unwrap();
            let whole = total.estimate(&reporting);
            let from_total = total.difference(estimate, n, &whole, &reporting).unwrap();
            let from_rest =
                together.difference(estimate, &rest.estimate(&reporting), Overlap::None, &reporting).unwrap();
            let share = 1.0 - n / total.weight();
            close(from_total.difference, share * from_rest.difference, 1e-12);
            close(from_total.se, share * from_rest.se, 1e-12);
        }
    }
}

#[test]
fn an_estimate_does_not_differ_from_itself() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let model = model(&mut rng, 60, &METHODS);
    for target in [Target::Sample, Target::Population] {
        let reporting = reporting(target);
        for estimate in &model.estimate(&sample(&mut rng, 30, 100), &reporting).unwrap() {
            let together = JointErrors::new(&model, estimate.method).unwrap();
            let found = together.difference(estimate, estimate, Overlap::All, &reporting).unwrap();
            assert_eq!((found.difference, found.p_value), (0.0, 1.0));
            close(found.se, 0.0, 1e-8);
            close(found.correlation, 1.0, 1e-12);
        }
    }
}

/// An interval that just leaves 0 out is that of the level 1 − p.
#[test]
fn p_values_are_those_of_the_intervals() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let model = model(&mut rng, 60, &METHODS);
    let usual = IntervalOptions::default();
    for (a, b) in [(30, 50), (0, 20), (90, 99), (50, 40)] {
        let [first, second] =
            [a, b].map(|positives| model.estimate(&sample(&mut rng, positives, 100), &usual).unwrap());
        for (first, second) in first.iter().zip(&second) {
            let together = JointErrors::new(&model, first.method).unwrap();
            let at =
                |reporting: &IntervalOptions| together.difference(first, second, Overlap::None, reporting).unwrap();
            let found = at(&usual);
            assert_eq!(found.p_value < 0.05, found.lower > 0.0 || found.upper < 0.0);
            if found.p_value < 1.0 && found.p_value > 1e-12 {
                let limit = at(&IntervalOptions::new(1.0 - found.p_value, Target::Sample).unwrap());
                close(if found.difference > 0.0 { limit.lower } else { limit.upper }, 0.0, 1e-6);
            }
        }
    }
}

/// One repetition: both estimates, the covariance that is said, and the difference.
type Found = (f64, f64, f64, Difference);

/// The spread of differences over new labelled and new test samples is their standard error, and their covariance what it is said to
/// be: ratio 1 within four Monte Carlo errors and a second order that falls with the labels. And the intervals hold.
#[test]
fn differences_are_spread_as_they_say() {
    const SETS: usize = 1000;
    const N: usize = 400;
    for (target, first, second) in [
        (Target::Sample, 120, 80),
        (Target::Sample, 360, 80),
        (Target::Population, 120, 80),
        (Target::Population, 360, 80),
    ] {
        let reporting = reporting(target);
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut found: Vec<Vec<Found>> = vec![Vec::new(); METHODS.len()];
        for _ in 0..SETS {
            let model = model(&mut rng, 150, &METHODS);
            let mut draw = |expected: usize| {
                let drawn = match target {
                    Target::Sample => expected,
                    Target::Population => (0..N).filter(|_| rng.random_range(0..N) < expected).count(),
                };
                model.estimate(&sample(&mut rng, drawn, N), &reporting).unwrap()
            };
            let (a, b) = (draw(first), draw(second));
            for ((a, b), found) in a.iter().zip(&b).zip(&mut found) {
                let together = JointErrors::new(&model, a.method).unwrap();
                let difference = together.difference(a, b, Overlap::None, &reporting).unwrap();
                let product = a.uncertainty.unwrap().se * b.uncertainty.unwrap().se;
                found.push((a.raw, b.raw, difference.correlation * product, difference));
            }
        }
        let (sets, truth) = (SETS as f64, (first as f64 - second as f64) / N as f64);
        for (method, found) in METHODS.iter().zip(&found) {
            let mean = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / sets;
            let (ma, mb) = (mean(&|f| f.0), mean(&|f| f.1));
            let (covariance, said) = (mean(&|f| (f.0 - ma) * (f.1 - mb)), mean(&|f| f.2));
            let (va, vb) = (mean(&|f| (f.0 - ma).powi(2)), mean(&|f| (f.1 - mb).powi(2)));
            let error = ((va * vb + covariance * covariance) / sets).sqrt();
            assert!(
                (covariance - said).abs() < 4.0 * error + 0.05 * said,
                "{method}: {covariance:e} {said:e} {error:e}"
            );
            let spread = mean(&|f| (f.0 - f.1 - ma + mb).powi(2)).sqrt();
            let ratio = mean(&|f| f.3.se.powi(2)).sqrt() / spread;
            assert!((ratio - 1.0).abs() < 4.0 / (2.0 * sets).sqrt() + 0.02, "{target} {method}: {ratio}");
            let holds = mean(&|f| f64::from(u8::from(f.3.lower <= truth && truth <= f.3.upper)));
            assert!((holds - 0.95).abs() < 4.0 * (0.05 * 0.95 / sets).sqrt(), "{target} {method}: {holds}");
        }
    }
}
