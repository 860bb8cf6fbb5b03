//! Bayesian Classify & Count and the Precise Quantifier, against posteriors integrated from the
//! likelihood (`golden`), and properties of every posterior.

use crate::common::{golden, numbers};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::error::Problem;
use truecount::{Estimate, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// Tolerance for rounding.
const TOLERANCE: f64 = 1e-13;

fn estimate(model: &Model, test: &[f64], options: &IntervalOptions) -> Estimate {
    model.estimate_with(test, options).unwrap()[0].clone()
}

fn model(scores: &[f64], labels: &[bool], method: Method, cutoff: Option<f64>) -> Model {
    let settings = Settings::new([method]).with_cutoff(cutoff);
    Model::fit(&LabelledScores::new(scores, labels).unwrap(), &settings).unwrap()
}

fn ones_and_zeros(ones: usize, zeros: usize) -> Vec<f64> {
    [vec![1.0; ones], vec![0.0; zeros]].concat()
}

/// Fits a model with a cutoff, from the numbers of labelled positives and negatives above and below
/// it.
fn at_cutoff(positive: [usize; 2], negative: [usize; 2]) -> Model {
    let scores = [ones_and_zeros(positive[0], positive[1]), ones_and_zeros(negative[0], negative[1])].concat();
    let labels: Vec<bool> = (0..scores.len()).map(|i| i < positive[0] + positive[1]).collect();
    model(&scores, &labels, Method::BCC, Some(0.5))
}

#[test]
fn posteriors_match_the_golden_values() {
    let file = golden("bayes_posterior");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let labels: Vec<bool> = numbers(&case["labels"]).iter().map(|label| *label == 1.0).collect();
        let method: Method = case["method"].as_str().unwrap().parse().unwrap();
        let model = model(&numbers(&case["scores"]), &labels, method, case["cutoff"].as_f64());
        let infinite = |target| IntervalOptions::new(case["level"].as_f64().unwrap(), target).unwrap();
        let finite = infinite(Target::Population).with_population(case["size"].as_u64().unwrap());
        let targets =
            [("sample", infinite(Target::Sample)), ("population", infinite(Target::Population)), ("finite", finite)];
        for (target, options) in targets {
            let result = estimate(&model, &numbers(&case["test"]), &options);
            let uncertainty = result.interval.unwrap();
            let expected: f64 = case["estimate"].as_str().unwrap().parse().unwrap();
            let all = [expected].into_iter().chain(numbers(&case[target]));
            let actual = [result.raw, result.std_error.unwrap(), uncertainty.lower, uncertainty.upper];
            for (actual, expected) in actual.into_iter().zip(all) {
                assert!((actual - expected).abs() < TOLERANCE, "{} {target}: {actual} {expected}", case["name"]);
            }
        }
    }
}

/// A population as large as the sample gives the sample's interval, a large one that of an infinite
/// population.
#[test]
fn finite_populations_lie_between_sample_and_infinite_population() {
    let model = at_cutoff([45, 5], [8, 52]);
    let test = ones_and_zeros(31, 69);
    let interval = |options: &IntervalOptions| {
        let estimate = estimate(&model, &test, options);
        (estimate.std_error.unwrap(), estimate.interval.unwrap())
    };
    let infinite = |target| IntervalOptions::new(0.9, target).unwrap();
    let (sample_se, sample) = interval(&infinite(Target::Sample));
    let (population_se, population) = interval(&infinite(Target::Population));
    let (all_se, all) = interval(&infinite(Target::Population).with_population(100));
    assert_eq!((all.lower, all.upper), (sample.lower, sample.upper));
    assert!((all_se - sample_se).abs() < 1e-15);
    let (large_se, large) = interval(&infinite(Target::Population).with_population(1_000_000_000_000));
    for (large, population) in
        [(large_se, population_se), (large.lower, population.lower), (large.upper, population.upper)]
    {
        assert!((large - population).abs() < 2e-11, "{large} {population}");
    }
    let mut width = sample.upper - sample.lower;
    for size in [150, 300, 1000, 100_000] {
        let (_, finite) = interval(&infinite(Target::Population).with_population(size));
        assert!(finite.width() > width, "{size}");
        width = finite.width();
    }
}

#[test]
fn missing_separation_empty_samples_and_plans_are_errors() {
    let labels = [true, true, false, false];
    let fit = |scores: &[f64], method| {
        let settings = Settings::new([method]).with_cutoff(0.5);
        Model::fit(&LabelledScores::new(scores, &labels).unwrap(), &settings)
    };
    assert!(matches!(fit(&[1.0; 4], Method::PQ).unwrap_err().problem(), Some(Problem::ClassesNotSeparated { .. })));
    for method in [Method::BCC, Method::PQ] {
        let model = fit(&[1.0, 0.9, 0.2, 0.1], method).unwrap();
        assert_eq!(model.estimate(&[]).unwrap_err().code(), "no-test-scores");
        assert_eq!(method.check_precision().unwrap_err().code(), "plan-not-possible");
    }
}

/// Credible intervals cover at a fixed prevalence, with classes one standard deviation apart and
/// the cutoff halfway.
#[test]
fn credible_intervals_cover() {
    for (labels, n, alpha) in [(20, 200, 0.3), (30, 1000, 0.05), (100, 500, 0.5)] {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut draw = |n: usize, mean: f64| {
            (0..n).map(|_| mean + Distribution::<f64>::sample(&StandardNormal, &mut rng)).collect::<Vec<f64>>()
        };
        let (replications, methods) = (3000, [Method::BCC, Method::PQ]);
        let (mut covered, mut bias) = ([0.0; 2], [0.0; 2]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number
        let positives = (alpha * n as f64).round() as usize;
        for _ in 0..replications {
            let scores = [draw(labels, 1.0), draw(labels, 0.0)].concat();
            let truth: Vec<bool> = (0..2 * labels).map(|i| i < labels).collect();
            let settings = Settings::new(methods.iter().copied()).with_cutoff(0.5);
            let Ok(labelled) = LabelledScores::new(&scores, &truth) else { continue };
            let model = Model::fit(&labelled, &settings).unwrap();
            let test = [draw(positives, 1.0), draw(n - positives, 0.0)].concat();
            let estimates = model.estimate(&test).unwrap();
            for (k, estimate) in estimates.iter().enumerate() {
                let interval = estimate.interval.unwrap();
                covered[k] += f64::from(u8::from(interval.lower <= alpha && alpha <= interval.upper));
                bias[k] += (estimate.raw - alpha) / f64::from(replications);
            }
        }
        let covered = covered.map(|covered| covered / f64::from(replications));
        println!("{labels}, {n}, {alpha}: covered {covered:.3?}, bias {bias:.4?}");
        assert!(covered.iter().all(|covered| *covered > 0.92), "{labels}, {n}, {alpha}: {covered:?}");
    }
}
