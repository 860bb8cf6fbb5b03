//! Quantifiers for known distributions, against those of a fitted model and their definitions.

use crate::common::{labelled, normal_class as normal};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use truecount::distribution::{Distribution, Family, ScoreDistribution, SkewNormal};
use truecount::error::{Problem, UnsupportedOperation};
use truecount::model::KnownDistributions;
use truecount::quantifier::RateSource;
use truecount::sweep::{Separation, optimal_region};
use truecount::{IntervalOptions, Method, Model, Settings};

fn pair(positive: ScoreDistribution, negative: ScoreDistribution) -> Separation {
    Separation::new(positive, negative).unwrap()
}

fn draw(distribution: &ScoreDistribution, n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..n).map(|_| distribution.sample(rng)).collect()
}

fn test_scores(separation: &Separation, rng: &mut ChaCha8Rng) -> Vec<f64> {
    [draw(separation.positive(), 90, rng), draw(separation.negative(), 210, rng)].concat()
}

fn raw(known: &KnownDistributions, scores: &[f64]) -> Vec<f64> {
    known.estimate(scores, &IntervalOptions::default()).unwrap().iter().map(|estimate| estimate.raw).collect()
}

#[test]
fn fitted_distributions_taken_as_known_give_the_estimates_of_the_model() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (family, truth) in [
        (Family::Normal, pair(normal(1.0, 1.5), normal(0.0, 0.5))),
        (Family::SkewNormal, pair(SkewNormal::new(1.5, 1.0, -2.0).unwrap().into(), normal(0.0, 1.0))),
    ] {
        let (positive, negative) = (draw(truth.positive(), 120, &mut rng), draw(truth.negative(), 80, &mut rng));
        let labelled = labelled(&[positive, negative].concat(), 120);
        let methods = vec![Method::O_CS, Method::T_CS, Method::ES, Method::SLD, Method::ML];
        let rates = Some(RateSource::Family);
        let model =
            Model::fit(&labelled, &Settings::new(methods.clone()).with_family(family).with_rates(rates)).unwrap();
        let known = KnownDistributions::new(model.separation().unwrap(), &methods, 0.6, 0.5).unwrap();
        let scores = test_scores(&truth, &mut rng);
        let fitted = model.estimate(&scores).unwrap();
        for ((fitted, known), method) in fitted.iter().zip(raw(&known, &scores)).zip(&methods) {
            assert!((fitted.raw - known).abs() < 1e-13, "{method}: {} {known}", fitted.raw);
        }
    }
}

/// The median is over the test scores with J ≥ p.
#[test]
fn median_sweep_is_the_median_of_adjusted_counts() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    // J of the second pair is negative for low scores, but R is still a single interval.
    for separation in [pair(normal(1.0, 1.0), normal(0.0, 1.0)), pair(normal(1.0, 1.5), normal(0.0, 0.5))] {
        let scores = test_scores(&separation, &mut rng);
        let known = KnownDistributions::new(&separation, &[Method::T_MS, Method::O_MS], 0.5, 0.3).unwrap();
        let optimal = optimal_region(&separation, 0.3).unwrap().threshold().value();
        for (p, actual) in [0.25, optimal].into_iter().zip(raw(&known, &scores)) {
            let count = |cut: f64| scores.iter().filter(|s| **s >= cut).count() as f64 / scores.len() as f64;
            let rates = |cut: f64| (separation.positive().tails(cut).1, separation.negative().tails(cut).1);
            let useful = scores.iter().copied().filter(|s| separation.j(*s) >= p);
            let mut counts: Vec<f64> = useful.map(|s| (count(s) - rates(s).1) / (rates(s).0 - rates(s).1)).collect();
            counts.sort_by(f64::total_cmp);
            let m = counts.len();
            let median = 0.5 * (counts[(m - 1) / 2] + counts[m / 2]);
            assert!((median - actual).abs() < 1e-14, "{p}: {median} {actual}");
        }
    }
    // Without a test score in the region: Adjusted Count at the maximum of J, halfway between equal
    // normals.
    let separation = pair(normal(1.0, 1.0), normal(0.0, 1.0));
    let known = KnownDistributions::new(&separation, &[Method::T_MS], 0.5, 0.5).unwrap();
    let (positive, negative) = (normal(1.0, 1.0).tails(0.5).1, normal(0.0, 1.0).tails(0.5).1);
    let expected = (0.5 - negative) / (positive - negative);
    assert!((raw(&known, &[-9.0, 9.0])[0] - expected).abs() < 1e-12);
}

#[test]
fn undefined_methods_and_parameters_are_errors() {
    let separation = pair(normal(1.0, 1.5), normal(0.0, 1.5));
    let error = |method, prior, alpha| KnownDistributions::new(&separation, &[method], prior, alpha).unwrap_err();
    let message = error(Method::CC, 0.5, 0.5).to_string();
    assert_eq!(
        message,
        "cc needs labelled scores; the methods for known distributions are es, o-cs, t-cs, o-ms, t-ms, sld, ml, dys, \
         dys-topsoe"
    );
    let count_error = error(Method::CC, 0.5, 0.5);
    let able = &count_error.problem::<UnsupportedOperation>().unwrap().able;
    for &method in Method::ALL {
        let known = KnownDistributions::new(&separation, &[method], 0.5, 0.5);
        let needs_labels = known.is_err_and(|error| error.code() == "method-needs-labels");
        assert_eq!(needs_labels, !able.contains(&method.name()), "{method}");
    }
    assert!(matches!(error(Method::SLD, 0.0, 0.5).problem(), Some(Problem::ParameterOutOfRange { name: "prior", .. })));
    assert!(matches!(
        error(Method::SLD, 0.5, f64::NAN).problem(),
        Some(Problem::ParameterOutOfRange { name: "optimal_at", .. })
    ));
    let weak = pair(normal(0.3, 1.0), normal(0.0, 1.0));
    for method in [Method::T_CS, Method::T_MS] {
        assert_eq!(KnownDistributions::new(&weak, &[method], 0.5, 0.5).unwrap_err().code(), "threshold-not-reached");
    }
    let known = KnownDistributions::new(&separation, &[Method::O_CS], 0.5, 0.5).unwrap();
    assert_eq!(known.estimate(&[], &IntervalOptions::default()), Err(Problem::NoTestScores.into()));
    let error = known.estimate(&[0.0, f64::NAN], &IntervalOptions::default()).unwrap_err();
    assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(1)));
}
