//! The skew-normal family against golden vectors, identities and brute force.

use crate::common::{assert_golden, golden, number};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::f64::consts::PI;
use truecount::distribution::{Distribution, Normal, ScoreDistribution, SkewNormal};
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::scores::Class;
use truecount::sweep::{MinSeparation, Separation};

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

fn skew_normal(location: f64, scale: f64, shape: f64) -> SkewNormal {
    SkewNormal::new(location, scale, shape).unwrap()
}

/// Asserts closeness relative to the expected value, unless that is subnormal.
#[track_caller]
fn assert_relatively_close(context: &str, actual: f64, expected: &Value, tolerance: f64) {
    let value = number(expected);
    if value.abs() >= f64::MIN_POSITIVE {
        assert_golden(context, actual, expected, tolerance * value.abs());
    } else {
        assert!(actual.abs() < f64::MIN_POSITIVE, "{context}: {actual:e}, not {expected}");
    }
}

#[test]
fn densities_and_tails_match_the_golden_values() {
    let file = golden("skew_normal");
    let mut checked = 0;
    for set in list(&file["sets"]) {
        let s = skew_normal(number(&set["xi"]), number(&set["omega"]), number(&set["alpha"]));
        for point in list(&set["points"]) {
            let x = number(&point["x"]);
            let (lower, upper) = s.tails(x);
            for (name, actual) in [("cdf", lower), ("sf", upper), ("log_pdf", s.ln_pdf(x))] {
                assert_relatively_close(&format!("{name}({x}) of {s:?}"), actual, &point[name], 1e-12);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 8 * 15 * 3);
}

#[test]
fn centred_parameters_convert_to_direct_ones() {
    for case in list(&golden("skew_normal")["centred"]) {
        let [mean, sd, shape] = ["mean", "sd", "shape"].map(|name| number(&case[name]));
        let s = SkewNormal::centred(mean, sd, shape).unwrap();
        assert_golden("xi", s.location(), &case["xi"], 1e-15);
        assert_golden("omega", s.scale(), &case["omega"], 1e-15);
        for point in list(&case["points"]) {
            assert_relatively_close("sf", s.tails(number(&point["x"])).1, &point["sf"], 1e-14);
        }
    }
}

/// P(S < −h) + 2T(h, α) = P(Z > h), for h, α ≥ 0.
#[test]
fn light_tail_agrees_with_owens_t() {
    let normal = Normal::new(0.0, 1.0).unwrap();
    for case in list(&golden("skew_normal")["owens_t"]) {
        let (h, a, t) = (number(&case["h"]).abs(), number(&case["a"]).abs(), number(&case["T"]).abs());
        let (sum, tail) = (skew_normal(0.0, 1.0, a).tails(-h).0 + 2.0 * t, normal.tails(h).1);
        if tail > f64::MIN_POSITIVE {
            assert!((sum / tail - 1.0).abs() < 1e-14, "h = {h}, a = {a}: {sum:e}, not {tail:e}");
        }
    }
}

#[test]
fn shape_zero_is_the_normal_and_infinity_the_half_normal() {
    let normal = Normal::new(1.0, 2.0).unwrap();
    let (symmetric, right) = (skew_normal(1.0, 2.0, 0.0), skew_normal(1.0, 2.0, f64::INFINITY));
    let left = skew_normal(1.0, 2.0, f64::NEG_INFINITY);
    for x in [1.0, 1.5, 3.0, 9.0, 60.0] {
        let tail = normal.tails(x).1;
        assert!((symmetric.tails(x).1 / tail - 1.0).abs() < 1e-15);
        assert_eq!(right.tails(x).1, 2.0 * tail);
        assert_eq!(left.tails(2.0 - x).0, 2.0 * tail);
        let ln_pdf = normal.ln_pdf(x) + 2f64.ln();
        assert!((right.ln_pdf(x) / ln_pdf - 1.0).abs() < 1e-15);
    }
    assert_eq!((right.tails(0.5), right.ln_pdf(0.5)), ((0.0, 1.0), f64::NEG_INFINITY));
    assert_eq!((right.support(), left.support()), ((1.0, f64::INFINITY), (f64::NEG_INFINITY, 1.0)));
    // The limit is continuous.
    let steep = skew_normal(1.0, 2.0, 1e9);
    assert!((steep.tails(1.5).0 - right.tails(1.5).0).abs() < 1e-9);
}

fn log_likelihood(s: &SkewNormal, scores: &[f64]) -> f64 {
    scores.iter().map(|y| s.ln_pdf(*y)).sum()
}

#[test]
fn fits_reach_the_reference_optimum() {
    let file = golden("skew_normal");
    assert_eq!(list(&file["mle_fits"]).count(), 5);
    for case in list(&file["mle_fits"]) {
        let y: Vec<f64> = list(&case["y"]).map(number).collect();
        let s = SkewNormal::fit(Class::Positive, &y).unwrap();
        let mle = &case["mle"];
        assert_golden("log-likelihood", log_likelihood(&s, &y), &mle["logL"], 1e-10);
        assert_golden("xi", s.location(), &mle["xi"], 1e-9);
        assert_golden("omega", s.scale(), &mle["omega"], 1e-9);
        assert_golden("alpha", s.shape(), &mle["alpha"], 1e-9);
    }
}

#[test]
fn likelihoods_without_maximum_give_the_half_normal() {
    // Crowded just above 0: the likelihood increases with the shape without bound.
    let y = [0.02, 0.11, 0.15, 0.4, 0.47, 0.81, 1.3, 2.2];
    let rms = |from: f64, y: &[f64]| (y.iter().map(|y| (y - from).powi(2)).sum::<f64>() / y.len() as f64).sqrt();
    let s = SkewNormal::fit(Class::Positive, &y).unwrap();
    assert_eq!((s.location(), s.shape()), (0.02, f64::INFINITY));
    assert!((s.scale() - rms(0.02, &y)).abs() < 1e-15);
    let mirrored = y.map(|y| 3.0 - y);
    let s = SkewNormal::fit(Class::Negative, &mirrored).unwrap();
    assert_eq!((s.location(), s.shape()), (3.0 - 0.02, f64::NEG_INFINITY));
    // No finite shape does better, however large.
    let best = log_likelihood(&SkewNormal::fit(Class::Positive, &y).unwrap(), &y);
    for shape in [1.0, 10.0, 1e3, 1e6, 1e9] {
        for below in [0.5, 1e-2, 1e-4, 1e-7, 0.0] {
            let s = skew_normal(0.02 - below, rms(0.02 - below, &y), shape);
            assert!(log_likelihood(&s, &y) < best);
        }
    }
}

/// Maximum of the likelihood over a fine grid of locations, with the best scale for each, and the
/// shape by golden section (the likelihood is unimodal in the shape).
fn max_on_grid(y: &[f64]) -> f64 {
    let (min, max) = y.iter().fold((f64::MAX, f64::MIN), |(a, b), y| (a.min(*y), b.max(*y)));
    // Easing twice makes the grid dense at both ends.
    let ease = |u: f64| 0.5 - 0.5 * (PI * u).cos();
    let at_location = |k: u32| {
        let xi = min + (max - min) * ease(ease((f64::from(k) + 0.5) / 300.0));
        let omega = (y.iter().map(|y| (y - xi).powi(2)).sum::<f64>() / y.len() as f64).sqrt();
        let at = |angle: f64| log_likelihood(&skew_normal(xi, omega, angle.tan()), y);
        let (mut a, mut b) = (-0.499 * PI, 0.499 * PI);
        for _ in 0..40 {
            let (c, d) = (a + 0.382 * (b - a), b - 0.382 * (b - a));
            (a, b) = if at(c) > at(d) { (a, d) } else { (c, b) };
        }
        at(0.5 * (a + b))
    };
    (0..300).map(at_location).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn no_parameters_on_a_grid_are_likelier_than_the_fit() {
    let mut rng = ChaCha8Rng::seed_from_u64(2014);
    let shapes = [0.0, 1.0, -3.0, 8.0, f64::INFINITY];
    let mut limits = 0;
    for round in 0..100 {
        let s = skew_normal(0.0, 1.0, shapes[round % 5]);
        let n = [4, 8, 20, 60, 120][round / 20];
        let mut y: Vec<f64> = (0..n).map(|_| s.sample(&mut rng)).collect();
        match round / 5 % 4 {
            // Heavy tails; two clusters.
            1 => y.iter_mut().for_each(|y| *y = y.powi(3)),
            2 => y.iter_mut().for_each(|y| *y = if rng.random::<bool>() { *y } else { 2.0 + 0.1 * *y }),
            _ => {}
        }
        let fit = SkewNormal::fit(Class::Positive, &y).unwrap();
        limits += u32::from(fit.shape().is_infinite());
        let (fitted, grid) = (log_likelihood(&fit, &y), max_on_grid(&y));
        assert!(fitted >= grid - 1e-10, "round {round}, {n} scores: {fitted} at {fit:?}, but {grid} on the grid");
    }
    assert!((20..80).contains(&limits), "{limits} half-normals");
}

#[test]
fn fits_and_parameters_out_of_range_are_errors() {
    let error = SkewNormal::fit(Class::Positive, &[1e-200, 2e-200, 0.0]).unwrap_err();
    assert_eq!(error.code(), "class-out-of-scale");
    for (location, scale, shape) in [(f64::NAN, 1.0, 0.0), (1e200, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 1.0, f64::NAN)] {
        assert_eq!(SkewNormal::new(location, scale, shape).unwrap_err().code(), "parameter-out-of-range");
    }
    assert!(SkewNormal::centred(0.0, -1.0, 2.0).is_err());
}

#[test]
fn json_represents_every_shape() {
    for (shape, text) in [(-1.25, "-1.25"), (f64::INFINITY, r#""infinity""#), (f64::NEG_INFINITY, r#""-infinity""#)] {
        let s = ScoreDistribution::from(skew_normal(0.5, 2.0, shape));
        let json = format!(r#"{{"family":"skew-normal","location":0.5,"scale":2.0,"shape":{text}}}"#);
        assert_eq!(serde_json::to_string(&s).unwrap(), json);
        assert_eq!(serde_json::from_str::<ScoreDistribution>(&json).unwrap(), s);
    }
    for shape in ["null", "\"inf\"", "\"NaN\""] {
        let json = format!(r#"{{"location":0.5,"scale":2.0,"shape":{shape}}}"#);
        assert!(serde_json::from_str::<SkewNormal>(&json).is_err(), "{shape}");
    }
    assert!(serde_json::from_str::<SkewNormal>(r#"{"location":0.5,"scale":-2.0,"shape":1}"#).is_err());
}

/// The positives' density jumps at 0, within the negatives' lower tail: J has two local maxima.
#[test]
fn a_region_may_have_several_intervals() {
    for shape in [f64::INFINITY, 500.0] {
        let separation =
            Separation::new(skew_normal(0.0, 2.0, shape).into(), skew_normal(0.8, 0.5, 0.0).into()).unwrap();
        let threshold = Threshold::Fixed(MinSeparation::new(0.045).unwrap());
        let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
        let [[a, b], [c, d]] = sweep.region().intervals() else { panic!("{:?}", sweep.region()) };
        assert!(*a < 0.0 && 0.0 < *b && *b < 0.25 && 0.25 < *c && *c < *d);
    }
}
