//! Given probabilities against the labels: a logistic regression done otherwise, false alarms and named causes.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::check::CoxCalibration;
use truecount::{Condition, LabelledScores, Method, Model, PerClass, Settings};

/// Probabilities of two normal classes, one apart, whose logits are stretched and moved.
fn drawn(seed: u64, n: usize, stretch: f64, shift: f64) -> PerClass<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut of = PerClass { positive: Vec::new(), negative: Vec::new() };
    for _ in 0..n {
        let positive = rng.random::<f64>() < 0.4;
        let x: f64 = StandardNormal.sample(&mut rng);
        let logit = x + if positive { 0.5 } else { -0.5 } + (0.4_f64 / 0.6).ln();
        let p = (1.0 + (-(stretch * logit + shift)).exp()).recip();
        if positive { of.positive.push(p) } else { of.negative.push(p) }
    }
    of
}

/// The deviance at these coefficients, plainly.
fn deviance(of: &PerClass<Vec<f64>>, intercept: f64, slope: f64) -> f64 {
    let eta = |p: &f64| intercept + slope * (p / (1.0 - p)).ln();
    let positive: f64 = of.positive.iter().map(|p| (1.0 + (-eta(p)).exp()).ln()).sum();
    let negative: f64 = of.negative.iter().map(|p| (1.0 + eta(p).exp()).ln()).sum();
    2.0 * (positive + negative)
}

#[test]
fn it_is_at_the_least_deviance() {
    for (seed, stretch) in [(1, 0.5), (2, 1.0), (3, 2.0)] {
        let of = drawn(seed, 500, stretch, 0.2);
        let found = CoxCalibration::new(&of);
        let least = deviance(&of, found.intercept, found.slope);
        for (a, b) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
            assert!(deviance(&of, found.intercept + a, found.slope + b) > least);
        }
        assert!((found.p_value / ((least - deviance(&of, 0.0, 1.0)) / 2.0).exp() - 1.0).abs() < 1e-6, "{found:?}");
        let one = deviance(&of, found.intercept_at_slope_one, 1.0);
        assert!(
            deviance(&of, found.intercept_at_slope_one + 1e-3, 1.0) > one
                && deviance(&of, found.intercept_at_slope_one - 1e-3, 1.0) > one
        );
    }
}

/// Of 2000 sets of calibrated probabilities 20 ± 4.4 should be below 0.01.
#[test]
fn false_alarms() {
    let alarms = |of: fn(CoxCalibration) -> f64| {
        (0..2000).filter(|seed| of(CoxCalibration::new(&drawn(*seed, 500, 1.0, 0.0))) < 0.01).count()
    };
    assert!(alarms(|found| found.p_value).abs_diff(20) < 18);
    assert!(alarms(|found| found.slope_p_value).abs_diff(20) < 18);
}

/// One probability for all: the share of positives. Classes that the probabilities separate: a fitted deviance of 0.
#[test]
fn where_there_is_no_maximum() {
    let of = |positive: f64, negative: f64| {
        CoxCalibration::new(&PerClass { positive: vec![positive; 20], negative: vec![negative; 20] }).p_value
    };
    assert!((of(0.2, 0.2) / (0.4_f64 * 1.6).powi(20) - 1.0).abs() < 1e-6);
    assert!((of(0.7, 0.3) / 0.7_f64.powi(40) - 1.0).abs() < 1e-6);
    assert!((of(1.0, 0.0) - 1.0).abs() < 1e-4);
}

#[test]
fn causes_are_named() {
    let warnings = |stretch, shift| {
        let of = drawn(5, 1000, stretch, shift);
        let probabilities: Vec<f64> = of.positive.iter().chain(&of.negative).copied().collect();
        let labels: Vec<bool> = (0..probabilities.len()).map(|i| i < of.positive.len()).collect();
        let labelled = LabelledScores::with_probabilities(&probabilities, &probabilities, &labels).unwrap();
        let settings = Settings { methods: vec![Method::SLD, Method::PACC, Method::ES], ..Settings::default() };
        let model = Model::fit(&labelled, &settings).unwrap();
        let codes =
            |place: usize| model.quantifiers()[place].warnings().iter().map(Condition::code).collect::<Vec<_>>();
        assert!(codes(1).is_empty() && codes(2).is_empty());
        model.quantifiers()[0].warnings().to_vec()
    };
    assert_eq!(warnings(1.0, 0.0), []);
    assert_eq!(warnings(3.0, 0.0)[0].code(), "not-calibrated");
    // Balanced classes in training: the logits lack ln(0.4/0.6), give or take what the labels tell.
    let other = warnings(1.0, (0.6_f64 / 0.4).ln());
    assert!(
        matches!(&other[..], [truecount::Warning::OtherShare { share, labelled, .. }]
            if (share - 0.5).abs() < 0.05 && (labelled - 0.4).abs() < 0.05),
        "{other:?}"
    );
}
