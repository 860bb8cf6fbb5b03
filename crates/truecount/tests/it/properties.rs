//! Properties of every labelled sample, every threshold and every split of the test scores.

use crate::common::labels;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::inference::IntervalKind;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::{MinSeparation, Separation};
use truecount::{Interval, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// Two normals, from almost equal to hundreds of standard deviations apart, with ratios of standard
/// deviations up to 1 : 1000.
fn separations() -> impl Strategy<Value = Separation> {
    let sd = || (-3.0..0.0).prop_map(|exponent| 10f64.powf(exponent));
    (-5.0..5.0, 0.02..20.0, sd(), sd()).prop_map(|(mean, distance, sd_pos, sd_neg)| {
        let normal = |mean, sd| ScoreDistribution::Normal(Normal::new(mean, sd).unwrap());
        Separation::new(normal(mean + distance, sd_pos), normal(mean, sd_neg)).unwrap()
    })
}

/// Sweeps at a fraction of max J, or at the optimal threshold.
fn sweeps() -> impl Strategy<Value = (Separation, ContinuousSweep)> {
    (separations(), prop::option::of(0.001..0.999)).prop_map(|(separation, share)| {
        let threshold =
            share.map_or(Threshold::Optimal, |s| Threshold::Fixed(MinSeparation::new(s * separation.max_j()).unwrap()));
        let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
        (separation, sweep)
    })
}

/// Training and test scores whose classes are about 1.5 standard deviations apart.
fn data() -> impl Strategy<Value = (LabelledScores, Vec<f64>)> {
    let class = |mean: f64| prop::collection::vec(mean - 2.0..mean + 2.0, 30..80);
    let parts = (class(1.5), class(0.0), prop::collection::vec(-3.0..4.5, 1..300));
    parts.prop_filter_map("max J above the traditional threshold", |(positive, negative, test)| {
        let labels = labels(positive.len(), positive.len() + negative.len());
        let train = LabelledScores::new(&[positive, negative].concat(), &labels).ok()?;
        Model::fit(&train, &all_methods()).ok().map(|_| (train, test))
    })
}

fn all_methods() -> Settings {
    Settings::new(Method::ALL.iter().copied())
}

/// Configuration with the same cases in every run.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 100,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn influence_is_non_decreasing_from_zero((separation, sweep) in sweeps()) {
        let (ends, g) = (sweep.region().intervals(), |s: f64| sweep.influence(s));
        prop_assert_eq!(ends.len(), 1);
        let [left, right] = ends[0];
        let largest = g(f64::MAX);
        // Rounding of the score shows at the ends of R, but not beyond them.
        let step = 4.0 * f64::EPSILON * (left.abs() + right.abs());
        let rounding = |end: f64| 1e-14 * largest + 10.0 * step / ((right - left) * separation.j(end));
        prop_assert_eq!(g(left - step), 0.0);
        prop_assert_eq!(g(f64::MIN), 0.0);
        prop_assert_eq!(g(right + step), largest);
        prop_assert!(g(left) < rounding(left) && largest - g(right) < rounding(right));
        // Points are far enough apart for the slope, at least 1/|R|, to exceed rounding.
        let points: Vec<f64> = (0..=2000).map(|k| left + (right - left) * f64::from(k) / 2000.0).collect();
        prop_assert!(points.windows(2).all(|w| g(w[0]) < g(w[1]) + 4.0 * f64::EPSILON * largest));
        prop_assert!((separation.j(left) / separation.j(right) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn intervals_include_the_estimate_and_grow_with_the_level((train, test) in data()) {
        let model = Model::fit(&train, &all_methods()).unwrap();
        let n = test.len() as f64;
        for target in [Target::Sample, Target::Population] {
            for kind in [IntervalKind::Wilson, IntervalKind::Wald] {
                let mut narrower_intervals = vec![(1.0, 0.0); model.quantifiers().len()];
                for level in [0.7, 0.8, 0.9, 0.95, 0.99, 0.999] {
                    let options = IntervalOptions::new(level, target).unwrap().with_interval(kind);
                    let estimates = model.estimate_with(&test, &options).unwrap();
                    for (e, narrower) in estimates.iter().zip(&mut narrower_intervals) {
                        let (Some(se), Some(Interval { lower, upper })) = (e.std_error, e.interval) else { continue };
                        prop_assert!(se.is_finite() && se >= 0.0);
                        prop_assert!(0.0 <= lower && lower <= e.prevalence && e.prevalence <= upper && upper <= 1.0);
                        // Never narrower than one score, clipped at 0 and 1.
                        prop_assert!(upper - lower >= 0.5 / n - 1e-15, "{} to {}", lower, upper);
                        prop_assert!(
                            lower <= narrower.0 && narrower.1 <= upper,
                            "{level} {kind:?}: {lower} {upper} {narrower:?}"
                        );
                        *narrower = (lower, upper);
                    }
                }
            }
        }
    }

    #[test]
    fn a_model_round_trips_through_json((train, test) in data()) {
        let model = Model::fit(&train, &all_methods()).unwrap();
        let read = Model::from_json(&model.to_json()).unwrap();
        prop_assert_eq!(read.to_json(), model.to_json());
        let estimates = |m: &Model| m.estimate(&test).unwrap();
        prop_assert_eq!(estimates(&read), estimates(&model));
    }
}

/// A file that names a method thousands of times would take long to fit.
#[test]
fn a_model_file_names_each_method_once() {
    let scores: Vec<f64> = (0..40).rev().map(f64::from).collect();
    let train = LabelledScores::new(&scores, &labels(20, 40)).unwrap();
    let json = |methods: &[Method]| Model::fit(&train, &Settings::new(methods.iter().copied())).unwrap().to_json();
    assert!(Model::from_json(&json(&[Method::ES, Method::SMM])).is_ok());
    let error = Model::from_json(&json(&[Method::ES, Method::SMM, Method::ES])).unwrap_err();
    assert!(error.to_string().contains("it names a method more than once"), "{error}");
}
