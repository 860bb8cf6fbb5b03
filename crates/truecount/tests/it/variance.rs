//! Both parts of the variance against their definitions: the paper's double integral, and the delta
//! method with numerical derivatives by the parameters.

use crate::common::{integral, labelled, parameters, with_parameter};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use truecount::distribution::Distribution;
use truecount::distribution::{Beta, Family, Logistic, Normal, ScoreDistribution, SkewNormal, StudentT};
use truecount::quantifier::{ContinuousSweep, RateSource, Threshold};
use truecount::sweep::{MinSeparation, Separation};
use truecount::{Interval, IntervalOptions, Method, Model, Settings, Target};

/// Theorem 2, with the covariance of survival functions:
/// (1/|R|²) ∬ (F(max) − F(x)F(y))/(J(x)J(y)) dx dy over R × R, twice the integral over y < x.
fn double_integral(separation: &Separation, sweep: &ContinuousSweep, class: &ScoreDistribution) -> f64 {
    let [[left, right]] = sweep.region().intervals() else { panic!("one interval") };
    let below = |x: f64| integral(|y| class.tails(y).0 / separation.j(y), *left, x, 60);
    let whole = integral(|x| class.tails(x).1 / separation.j(x) * below(x), *left, *right, 60);
    2.0 * whole / sweep.region().width().powi(2)
}

#[test]
fn test_variance_is_the_papers_double_integral() {
    let normal = |mean, sd| ScoreDistribution::from(Normal::new(mean, sd).unwrap());
    let skew = |location, shape| ScoreDistribution::from(SkewNormal::new(location, 1.3, shape).unwrap());
    let pairs = [
        (normal(1.0, 1.0), normal(0.0, 1.0)),
        (normal(1.0, 0.5), normal(0.0, 1.5)),
        (normal(1.0, 1.5), normal(0.0, 0.5)),
        (normal(4.0, 1.0), normal(0.0, 0.8)),
        (skew(1.0, 1.0), skew(0.8, -1.8)),
        (StudentT::new(1.5, 1.0, 3.0).unwrap().into(), Logistic::new(0.0, 0.6).unwrap().into()),
    ];
    for (positive, negative) in pairs {
        let separation = Separation::new(positive, negative).unwrap();
        for threshold in [Threshold::Optimal, Threshold::Fixed(MinSeparation::TRADITIONAL)] {
            let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
            let classes = [
                (separation.positive(), sweep.moments().positive.variance),
                (separation.negative(), sweep.moments().negative.variance),
            ];
            for (class, single) in classes {
                let double = double_integral(&separation, &sweep, class);
                assert!((single - double).abs() < 1e-10, "{class:?}, {threshold:?}: {single} {double}");
            }
        }
    }
}

/// ∫ f over all scores, split where the densities and g bend.
fn integral_over_scores(separation: &Separation, sweep: &ContinuousSweep, f: impl Fn(f64) -> f64) -> f64 {
    let mut breaks = [separation.positive().landmarks(), separation.negative().landmarks()].concat();
    breaks.extend(sweep.region().intervals().as_flattened());
    breaks.sort_by(f64::total_cmp);
    breaks.windows(2).map(|w| integral(&f, w[0], w[1], 8)).sum()
}

/// bᵀI⁻¹b with b and I from differences of the densities by the parameters.
fn delta_method(separation: &Separation, sweep: &ContinuousSweep, class: &ScoreDistribution) -> f64 {
    const STEP: f64 = 1e-3;
    let moved: Vec<[ScoreDistribution; 4]> = (parameters(class).iter())
        .map(|(name, value, unit)| {
            [-2.0, -1.0, 1.0, 2.0].map(|k| with_parameter(class, name, value + k * STEP * unit).unwrap())
        })
        .collect();
    // Richardson's fourth-order difference: its error is far below the tolerance, and so is
    // rounding.
    let slope = |k: usize, x: f64| {
        let [far_below, below, above, far_above] = moved[k].each_ref().map(|d| d.ln_pdf(x));
        (8.0 * (above - below) - (far_above - far_below)) / (12.0 * STEP)
    };
    let g = |x: f64| sweep.influence(x);
    let f = |x: f64| class.ln_pdf(x).exp();
    let weighted = |x: f64, y: f64| if f(x) > 1e-300 { y * f(x) } else { 0.0 };
    let n = moved.len();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|k| {
            let information =
                (0..n).map(|l| integral_over_scores(separation, sweep, |x| weighted(x, slope(k, x) * slope(l, x))));
            let b = integral_over_scores(separation, sweep, |x| weighted(x, slope(k, x) * g(x)));
            information.chain([b]).collect()
        })
        .collect();
    let b: Vec<f64> = rows.iter().map(|row| row[n]).collect();
    // Gauss–Jordan elimination; the matrix is positive definite.
    for k in 0..n {
        let pivot = rows[k].clone();
        rows[k].iter_mut().for_each(|x| *x /= pivot[k]);
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    rows.iter().zip(b).map(|(row, b)| row[n] * b).sum()
}

#[test]
fn training_variance_is_the_delta_methods_for_every_family() {
    let skew = |location, scale, shape| ScoreDistribution::from(SkewNormal::new(location, scale, shape).unwrap());
    let classes: [(Family, ScoreDistribution, ScoreDistribution); 6] = [
        (Family::Normal, Normal::new(1.0, 1.0).unwrap().into(), Normal::new(0.0, 0.6).unwrap().into()),
        (Family::SkewNormal, skew(0.5, 1.5, 3.0), skew(0.4, 1.2, -2.0)),
        // Shapes near 0, where the three derivatives nearly lie in a plane.
        (Family::SkewNormal, skew(1.0, 1.0, 0.7), skew(0.0, 1.0, -0.8)),
        (Family::Logistic, Logistic::new(1.0, 0.5).unwrap().into(), Logistic::new(0.0, 0.7).unwrap().into()),
        (Family::StudentT, StudentT::new(2.0, 1.0, 4.0).unwrap().into(), StudentT::new(0.0, 0.8, 6.0).unwrap().into()),
        (Family::Beta, Beta::new(4.0, 2.0).unwrap().into(), Beta::new(1.5, 4.0).unwrap().into()),
    ];
    for (seed, (family, positive, negative)) in (1..).zip(classes) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let scores: Vec<f64> = (0..900).map(|i| if i < 400 { &positive } else { &negative }.sample(&mut rng)).collect();
        let train = labelled(&scores, 400);
        let model = Model::fit(&train, &Settings::new([Method::O_CS, Method::T_CS]).with_family(family)).unwrap();
        let separation = model.separation().unwrap();
        for quantifier in model.quantifiers() {
            let (sweep, precision) = (quantifier.sweep().unwrap(), quantifier.precision(0.5, 1.0).unwrap());
            for (class, actual) in [
                (separation.positive(), precision.training.positive),
                (separation.negative(), precision.training.negative),
            ] {
                let expected = delta_method(separation, sweep, class);
                assert!((actual / expected - 1.0).abs() < 1e-9, "{family}: {actual}, not {expected}");
            }
        }
    }
}

/// A kernel density has no parameters to project on: the training variance is Var g itself.
#[test]
fn training_variance_of_a_kernel_density_is_that_of_g() {
    let scores: Vec<f64> = (0..60).map(|k| f64::from(k % 30) * 0.1 + if k < 30 { 1.2 } else { 0.0 }).collect();
    let train = labelled(&scores, 30);
    let settings = Settings::default().with_family(Family::Kernel).with_rates(RateSource::Family);
    let precision = Model::fit(&train, &settings).unwrap().quantifiers()[0].precision(0.5, 1.0).unwrap();
    assert!((precision.training.positive / precision.test.positive - 1.0).abs() < 1e-9);
    assert!((precision.training.negative / precision.test.negative - 1.0).abs() < 1e-9);
}

/// Classes so far apart that the training variance almost vanishes. For a population, the sampling
/// variance vanishes too at prevalences 0 and 1.
#[test]
fn intervals_are_valid_for_far_apart_classes_at_0_and_1() {
    let quantiles = |mean: f64, n: i32| (1..n).map(move |k| mean + (f64::from(k) / f64::from(n - k)).ln());
    for distance in [8.0, 16.0, 33.0, 60.0] {
        let scores: Vec<f64> = quantiles(distance, 21).chain(quantiles(0.0, 21)).collect();
        let train = labelled(&scores, 20);
        for family in [Family::Normal, Family::SkewNormal, Family::Kernel] {
            let methods = vec![Method::O_CS, Method::ES, Method::ML];
            let model =
                Model::fit(&train, &Settings::new(methods).with_family(family).with_rates(RateSource::Family)).unwrap();
            for (mean, prevalence) in [(distance, 1.0), (0.0, 0.0)] {
                let test: Vec<f64> = quantiles(mean, 51).collect();
                for level in [0.5, 0.8, 0.95, 0.999] {
                    let options = IntervalOptions::new(level, Target::Population).unwrap();
                    for estimate in model.estimate_with(&test, &options).unwrap() {
                        let (se, Interval { lower, upper }) = (estimate.std_error.unwrap(), estimate.interval.unwrap());
                        assert!(se >= 0.0 && lower <= estimate.prevalence && estimate.prevalence <= upper);
                        // With 50 scores the ends must still be near the truth.
                        assert!((lower - prevalence).abs().max((upper - prevalence).abs()) < 0.5, "{estimate:?}");
                    }
                }
            }
        }
    }
}
