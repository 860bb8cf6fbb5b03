//! Bayesian Classify & Count and the Precise Quantifier, against posteriors integrated from the
//! likelihood (`golden`), and properties of every posterior.

use crate::common::{figures, golden, labels, numbers};
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
    let labels = labels(positive[0] + positive[1], scores.len());
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
    let figures = |target, size| {
        let options = IntervalOptions::new(0.9, target).unwrap();
        let options = if let Some(size) = size { options.with_population(size) } else { options };
        figures(&estimate(&model, &test, &options))
    };
    let finite = |size| figures(Target::Population, Some(size));
    let is_close = |a: [f64; 4], b: [f64; 4], tolerance: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() < tolerance);
    assert!(is_close(finite(100), figures(Target::Sample, None), 1e-15));
    assert!(is_close(finite(1_000_000_000_000), figures(Target::Population, None), 2e-11));
    let widths = [100, 150, 300, 1000, 100_000].map(|size| finite(size)[3] - finite(size)[2]);
    assert!(widths.is_sorted_by(|a, b| a < b), "{widths:?}");
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
