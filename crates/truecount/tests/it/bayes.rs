//! Bayesian Classify & Count and the Precise Quantifier, against posteriors integrated from the
//! likelihood (`golden`), and errors.

use crate::common::{golden, numbers};
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
