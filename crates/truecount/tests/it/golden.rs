//! Golden vectors: reference values of 25 and more digits, computed independently of this library.
//!
//! Tolerances are absolute: 1e-10 at a fixed threshold, 1e-8 at the optimal one.

use crate::common::{assert_golden, golden, labelled, normal_class as normal, number, numbers};
use serde_json::Value;
use truecount::distribution::{ScoreDistribution, SkewNormal};
use truecount::error::Problem;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::{MinSeparation, Separation, optimal_region};
use truecount::{IntervalOptions, Method, Model, Settings};

/// Compares the region, constant, class variances and variances for n scores with a golden entry.
fn check_sweep(context: &str, sweep: &ContinuousSweep, golden: &Value, tolerance: f64) {
    let region = sweep.region().intervals();
    assert_eq!(region.len(), 1, "{context}");
    let moments = sweep.moments();
    for (name, actual) in [
        ("theta_l", region[0][0]),
        ("theta_r", region[0][1]),
        ("c", moments.negative.mean),
        ("Var_pos_g", moments.positive.variance),
        ("Var_neg_g", moments.negative.variance),
    ] {
        assert_golden(&format!("{context} {name}"), actual, &golden[name], tolerance);
    }
    for (setting, value) in golden.get("V").and_then(Value::as_object).into_iter().flatten() {
        let (n, alpha) = setting.strip_prefix("n=").and_then(|s| s.split_once(",alpha=")).unwrap();
        let v = moments.variance(alpha.parse().unwrap()) / n.parse::<f64>().unwrap();
        assert_golden(&format!("{context} V({setting})"), v, value.get("str").unwrap_or(value), tolerance);
    }
}

/// Compares the largest J, and the sweeps at a quarter and at the optimal thresholds, with a golden entry.
fn check_separation(case: &Value, distribution: impl Fn(&str) -> ScoreDistribution, alphas: &[f64], tolerance: f64) {
    let separation = Separation::new(distribution("pos"), distribution("neg")).unwrap();
    let context = format!("{separation:?}");
    assert_golden(&format!("{context} max J"), separation.max_j(), &case["max_D"], 1e-14);
    assert_golden(&format!("{context} theta_max"), separation.theta_max(), &case["theta_max"], 1e-14);
    let sweep = |p| ContinuousSweep::new(&separation, Threshold::Fixed(p)).unwrap();
    check_sweep(&format!("{context} at 1/4"), &sweep(MinSeparation::TRADITIONAL), &case["p=0.25"], 1e-10);
    for alpha in alphas {
        let golden = &case[format!("opt_alpha={alpha}")];
        let context = format!("{context} optimal at alpha {alpha}");
        let p = optimal_region(&separation, *alpha).unwrap().threshold();
        let expected = golden.get("pDelta").unwrap_or(&golden["pDelta_opt"]);
        assert_golden(&format!("{context} p"), p.value(), expected, tolerance);
        check_sweep(&context, &sweep(p), golden, tolerance);
    }
}

#[test]
fn sweeps_of_known_distributions_match_the_golden_values() {
    let file = golden("normal_known_parameters");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let class = |c: &str| normal(number(&case[format!("mu_{c}")]), number(&case[format!("sd_{c}")]));
        check_separation(case, class, &[0.3, 0.5, 0.9], 1e-8);
    }
    for case in golden("skew_normal_sweep").as_array().unwrap() {
        let class = |c: &str| {
            let [xi, omega, alpha] = ["xi", "omega", "alpha"].map(|name| number(&case[format!("{name}_{c}")]));
            SkewNormal::new(xi, omega, alpha).unwrap().into()
        };
        check_separation(case, class, &[0.5], 1e-10);
    }
}

#[test]
fn estimates_and_variances_match_the_golden_values() {
    let (estimates, datasets, trained) =
        (golden("continuous_sweep_estimates"), golden("datasets"), golden("training_variance"));
    let datasets = datasets.as_array().unwrap();
    let mut checked = 0;
    for case in estimates["cases"].as_array().unwrap() {
        let data = datasets.iter().find(|d| d["id"] == case["id"]).unwrap();
        let (positive, negative, test) =
            (numbers(&data["train_pos"]), numbers(&data["train_neg"]), numbers(&data["test"]));
        let train = labelled(&[&positive[..], &negative].concat(), positive.len());
        let name = case["name"].as_str().unwrap();
        let golden = &case["variants"]["sd_n_minus_1"];
        for (method, key, tolerance) in [(Method::T_CS, "p=0.25", 1e-10), (Method::O_CS, "opt", 1e-8)] {
            let (context, golden) = (format!("{name} {key}"), &golden[key]);
            let model = match Model::fit(&train, &Settings::new([method])) {
                Err(error) if golden["estimate"].is_null() => {
                    let problem = error.problem();
                    assert!(
                        matches!(problem, Some(Problem::ThresholdNotReached { max_j, .. }) if *max_j < 0.25),
                        "{context}"
                    );
                    continue;
                }
                fit => fit.unwrap(),
            };
            assert_golden(
                &format!("{context} max J"),
                model.separation().unwrap().max_j(),
                &case["variants"]["sd_n_minus_1"]["max_D"],
                1e-14,
            );
            let estimate = &model.estimate(&test).unwrap()[0];
            let quantifier = &model.quantifiers()[0];
            let sweep = quantifier.sweep().unwrap();
            check_sweep(&context, sweep, golden, tolerance);
            assert_golden(&format!("{context} p"), sweep.threshold().value(), &golden["pDelta"], tolerance);
            assert_golden(&format!("{context} estimate"), estimate.raw, &golden["estimate"], tolerance);
            let precision = quantifier.precision(estimate.prevalence, test.len() as f64).unwrap();
            let (sampling, learning) = (
                precision.sampling_variance(estimate.prevalence, test.len() as f64),
                precision.training_variance(estimate.prevalence),
            );
            assert_golden(&format!("{context} V_test"), sampling, &golden["V_at_clipped_estimate"], tolerance);
            let is_of_case = |row: &&Value| row["id"] == case["id"] && row["boundaries"] == key;
            let row = trained["rows"].as_array().unwrap().iter().find(is_of_case).unwrap();
            assert_golden(&format!("{context} V_train"), learning, &row["V_train_closed_form"], 1e-10);
            let whole = estimate.std_error.unwrap().powi(2);
            assert!((whole - sampling - learning).abs() <= 1e-15 * whole, "{context}: {whole} {sampling} {learning}");
            assert_golden(&format!("{context} g"), sweep.influence(f64::MAX), &golden["g_max"], tolerance);
            checked += 1;
        }
        check_known_parameters(name, &case["variants"]["sd_ml"], &test);
    }
    assert_eq!(checked, 41, "21 data sets at two thresholds, one of which is not reached");
}

/// Checks estimates with the parameters of a golden entry, whose standard deviations have divisor
/// n.
fn check_known_parameters(name: &str, golden: &Value, test: &[f64]) {
    let class = |class: &str| normal(number(&golden[format!("mean_{class}")]), number(&golden[format!("sd_{class}")]));
    let separation = Separation::new(class("pos"), class("neg")).unwrap();
    let quarter = Threshold::Fixed(MinSeparation::TRADITIONAL);
    for (key, threshold, tolerance) in [("p=0.25", quarter, 1e-10), ("opt", Threshold::Optimal, 1e-8)] {
        let (context, golden) = (format!("{name} sd_ml {key}"), &golden[key]);
        if golden["estimate"].is_null() {
            assert!(ContinuousSweep::new(&separation, threshold).is_err(), "{context}");
            continue;
        }
        let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
        check_sweep(&context, &sweep, golden, tolerance);
        let estimate = sweep.estimate(test, &IntervalOptions::default()).unwrap();
        assert_golden(&format!("{context} estimate"), estimate.raw, &golden["estimate"], tolerance);
    }
}
