//! Cox's calibration test of supplied probabilities: the maximum likelihood fit, the false alarm
//! rate, and the warnings that name a cause.

use crate::common::{labels, normal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::error::Condition;
use truecount::scores::PerClass;
use truecount::shift_test::CoxCalibration;
use truecount::{LabelledScores, Method, Model, Settings};

/// Draws probabilities of two normal classes with means one apart, their logits stretched and
/// shifted.
fn draw_probabilities(seed: u64, n: usize, stretch: f64, shift: f64) -> PerClass<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut probabilities = PerClass { positive: Vec::new(), negative: Vec::new() };
    for _ in 0..n {
        let positive = rng.random::<f64>() < 0.4;
        let logit = normal(&mut rng, 0.0) + if positive { 0.5 } else { -0.5 } + (0.4_f64 / 0.6).ln();
        let p = (1.0 + (-(stretch * logit + shift)).exp()).recip();
        if positive { probabilities.positive.push(p) } else { probabilities.negative.push(p) }
    }
    probabilities
}

/// Deviance of the logistic regression on the log odds at these coefficients.
fn deviance(probabilities: &PerClass<Vec<f64>>, intercept: f64, slope: f64) -> f64 {
    let eta = |p: &f64| intercept + slope * (p / (1.0 - p)).ln();
    let positive: f64 = probabilities.positive.iter().map(|p| (1.0 + (-eta(p)).exp()).ln()).sum();
    let negative: f64 = probabilities.negative.iter().map(|p| (1.0 + eta(p).exp()).ln()).sum();
    2.0 * (positive + negative)
}

#[test]
fn coefficients_minimise_the_deviance() {
    for (seed, stretch) in [(1, 0.5), (2, 1.0), (3, 2.0)] {
        let probabilities = draw_probabilities(seed, 500, stretch, 0.2);
        let fit = CoxCalibration::new(&probabilities);
        let min_deviance = deviance(&probabilities, fit.intercept, fit.slope);
        for (a, b) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
            assert!(deviance(&probabilities, fit.intercept + a, fit.slope + b) > min_deviance);
        }
        assert!(
            (fit.p_value / ((min_deviance - deviance(&probabilities, 0.0, 1.0)) / 2.0).exp() - 1.0).abs() < 1e-6,
            "{fit:?}"
        );
        let at_slope_one = deviance(&probabilities, fit.intercept_at_slope_one, 1.0);
        assert!(
            deviance(&probabilities, fit.intercept_at_slope_one + 1e-3, 1.0) > at_slope_one
                && deviance(&probabilities, fit.intercept_at_slope_one - 1e-3, 1.0) > at_slope_one
        );
    }
}

/// Calibrated probabilities: of 2000 p-values, 20 ± 4.4 should be below 0.01.
#[test]
fn false_alarms_match_the_level() {
    let alarms = |p_value: fn(CoxCalibration) -> f64| {
        (0..2000).filter(|seed| p_value(CoxCalibration::new(&draw_probabilities(*seed, 500, 1.0, 0.0))) < 0.01).count()
    };
    assert!(alarms(|fit| fit.p_value).abs_diff(20) < 18);
    assert!(alarms(|fit| fit.slope_p_value).abs_diff(20) < 18);
}

/// With one probability for all rows the fit is the share of positives; with separated classes its
/// deviance is 0.
#[test]
fn degenerate_fits_have_their_limiting_p_value() {
    let p_value = |positive: f64, negative: f64| {
        CoxCalibration::new(&PerClass { positive: vec![positive; 20], negative: vec![negative; 20] }).p_value
    };
    assert!((p_value(0.2, 0.2) / (0.4_f64 * 1.6).powi(20) - 1.0).abs() < 1e-6);
    assert!((p_value(0.7, 0.3) / 0.7_f64.powi(40) - 1.0).abs() < 1e-6);
    assert!((p_value(1.0, 0.0) - 1.0).abs() < 1e-4);
}

#[test]
fn warnings_name_the_cause() {
    let warnings = |stretch, shift| {
        let drawn = draw_probabilities(5, 1000, stretch, shift);
        let probabilities: Vec<f64> = drawn.positive.iter().chain(&drawn.negative).copied().collect();
        let labels = labels(drawn.positive.len(), probabilities.len());
        let labelled = LabelledScores::builder(&probabilities, &labels).probabilities(&probabilities).build().unwrap();
        let model = Model::fit(&labelled, &Settings::new([Method::SLD, Method::PACC, Method::ES])).unwrap();
        let codes =
            |index: usize| model.quantifiers()[index].warnings().iter().map(Condition::code).collect::<Vec<_>>();
        assert!(codes(1).is_empty() && codes(2).is_empty());
        model.quantifiers()[0].warnings().to_vec()
    };
    assert_eq!(warnings(1.0, 0.0), []);
    assert_eq!(warnings(3.0, 0.0)[0].code(), "not-calibrated");
    // As if trained on balanced classes: the logits lack ln(0.4/0.6).
    let warned = warnings(1.0, (0.6_f64 / 0.4).ln());
    assert!(
        matches!(&warned[..], [truecount::Warning::ProbabilitiesPriorMismatch { share, labelled, .. }]
            if (share - 0.5).abs() < 0.05 && (labelled - 0.4).abs() < 0.05),
        "{warned:?}"
    );
}
