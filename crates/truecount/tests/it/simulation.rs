//! Coverage of intervals by simulation, and the paper's theorems at settings of its Study 1: known
//! normals, μ⁺ = 1 and μ⁻ = 0.
//!
//! For the theorems there are 20,000 test sets per setting, with exactly αn positives. The mean and
//! the variance of the estimates must lie within four Monte Carlo standard errors of α (Theorem 1)
//! and of the formula (Theorem 2).

use crate::common::{labelled, labels, normals, stream};
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use truecount::distribution::{Family, Normal, ScoreDistribution};
use truecount::quantifier::{ContinuousSweep, RateSource, Threshold};
use truecount::sweep::{MinSeparation, Separation};
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings};

const SETS: u32 = 20_000;

/// (σ⁺, σ⁻, positives, n, threshold)
const SETTINGS: [(f64, f64, u32, u32, Threshold); 8] = [
    (1.0, 1.0, 50, 100, Threshold::Optimal),
    (0.5, 1.5, 30, 100, Threshold::Optimal),
    (1.5, 0.5, 90, 100, Threshold::Optimal),
    (0.5, 0.5, 900, 1000, Threshold::Optimal),
    (1.5, 1.5, 300, 1000, Threshold::Optimal),
    (1.0, 1.0, 30, 100, Threshold::Fixed(MinSeparation::TRADITIONAL)),
    (1.5, 1.0, 90, 100, Threshold::Fixed(MinSeparation::TRADITIONAL)),
    (1.0, 0.5, 500, 1000, Threshold::Fixed(MinSeparation::TRADITIONAL)),
];

fn normal_classes((mean, sd_pos): (f64, f64), sd_neg: f64) -> (rand_distr::Normal<f64>, rand_distr::Normal<f64>) {
    (rand_distr::Normal::new(mean, sd_pos).unwrap(), rand_distr::Normal::new(0.0, sd_neg).unwrap())
}

/// Draws `n` scores of two classes, the positives first.
fn draw(
    rng: &mut ChaCha8Rng,
    (plus, minus): &(impl Distribution<f64>, impl Distribution<f64>),
    n: usize,
    positives: usize,
) -> Vec<f64> {
    (0..n).map(|i| if i < positives { plus.sample(rng) } else { minus.sample(rng) }).collect()
}

#[test]
fn unbiased_with_the_variance_of_the_formula() {
    for (number, (sd_pos, sd_neg, positives, n, threshold)) in SETTINGS.into_iter().enumerate() {
        let known = |mean, sd| ScoreDistribution::Normal(Normal::new(mean, sd).unwrap());
        let separation = Separation::new(known(1.0, sd_pos), known(0.0, sd_neg)).unwrap();
        let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
        let alpha = f64::from(positives) / f64::from(n);
        let classes = normal_classes((1.0, sd_pos), sd_neg);
        let mut rng = stream(20_261_120, number as u64);
        let errors: Vec<f64> = (0..SETS)
            .map(|_| {
                let scores = draw(&mut rng, &classes, n as usize, positives as usize);
                sweep.estimate(&scores, &IntervalOptions::default()).unwrap().raw - alpha
            })
            .collect();
        let sets = f64::from(SETS);
        let bias = errors.iter().sum::<f64>() / sets;
        let central = |k| errors.iter().map(|e| (e - bias).powi(k)).sum::<f64>() / sets;
        let (variance, fourth) = (central(2), central(4));
        let formula = sweep.moments().variance(alpha) / f64::from(n);
        let z_bias = bias / (variance / sets).sqrt();
        let z_variance = (variance - formula) / ((fourth - variance * variance) / sets).sqrt();
        let context = format!("sd {sd_pos}/{sd_neg}, alpha {alpha}, n {n}, {threshold:?}");
        println!("{context}: bias {z_bias:+.2} and variance {z_variance:+.2} Monte Carlo standard errors");
        assert!(z_bias.abs() < 4.0, "{context}: bias {bias:e}");
        assert!(z_variance.abs() < 4.0, "{context}: variance {variance:e}, formula {formula:e}");
    }
}

/// Sample-anchored intervals cover at the nominal rate with a hundred labelled scores in each
/// class, even if the family is wrong: 95 % of 3000, within four Monte Carlo standard errors plus
/// 1 % for the linear approximation.
#[test]
fn sample_anchored_intervals_cover() {
    const SETS: u64 = 3000;
    let methods = [Method::ES, Method::AC, Method::PACC, Method::FRIEDMAN, Method::SMM, Method::EDY];
    let settings = Settings::new(methods.iter().copied()).with_cutoff(0.7);
    let mut covered = [0u32; 6];
    for set in 0..SETS {
        let mut rng = stream(20_261_121, set);
        // Exponential positives and normal negatives: no family fits both.
        let classes = (rand_distr::Exp::new(0.6).unwrap(), rand_distr::Normal::new(0.0, 1.0).unwrap());
        let model = Model::fit(&labelled(&draw(&mut rng, &classes, 200, 100), 100), &settings).unwrap();
        let estimates = model.estimate(&draw(&mut rng, &classes, 400, 120)).unwrap();
        for (covered, estimate) in covered.iter_mut().zip(&estimates) {
            *covered += u32::from(estimate.interval.unwrap().contains(0.3));
        }
    }
    for (method, covered) in methods.iter().zip(covered) {
        let coverage = f64::from(covered) / SETS as f64;
        println!("{method}: {coverage}");
        let allowed = 4.0 * (0.95_f64 * 0.05 / SETS as f64).sqrt() + 0.01;
        assert!((coverage - 0.95).abs() < allowed, "{method}: {coverage}");
    }
}

/// Intervals from fitted normals cover too: with fifty labelled scores per class or fewer, near the
/// ends of [0, 1], and if the labelled classes do not overlap. Coverage is at least 95 %, within
/// four Monte Carlo standard errors plus 2 % for the second-order approximation. It exceeds 95 %
/// only if the labelled classes do not overlap.
#[test]
fn model_anchored_intervals_cover() {
    const SETS: u64 = 500;
    let methods = [Method::O_CS, Method::ES, Method::ML];
    let settings = Settings::new(methods.iter().copied()).with_rates(RateSource::Family);
    // (mean and sd of the positives, sd of the negatives, labels per class, test scores, positives,
    // whether the classes overlap)
    let designs = [
        (1.0, 1.0, 1.0, 50, 1000, 50, true),
        (1.0, 1.0, 1.0, 50, 100, 90, true),
        (1.0, 0.5, 1.5, 50, 1000, 300, true),
        (1.0, 0.7, 0.7, 100, 500, 25, true),
        (2.0, 1.0, 1.0, 30, 1000, 500, true),
        (4.0, 1.0, 1.0, 30, 1000, 500, false),
    ];
    for (first, (mean, sd_pos, sd_neg, per_class, n, positives, overlapping)) in (0..).zip(designs) {
        let classes = normal_classes((mean, sd_pos), sd_neg);
        let labels = labels(per_class, 2 * per_class);
        let truth = positives as f64 / n as f64;
        let (mut covered, mut sets) = ([0u32; 3], 0.0);
        for set in 0..SETS {
            let mut rng = stream(20_261_121 + first, set);
            let mut draw = |n, positives| draw(&mut rng, &classes, n, positives);
            // Rarely the positives have the lower mean, and the fit fails.
            let Ok(train) = LabelledScores::new(&draw(2 * per_class, per_class), &labels) else { continue };
            let estimates = Model::fit(&train, &settings).unwrap().estimate(&draw(n, positives));
            sets += 1.0;
            for (covered, estimate) in covered.iter_mut().zip(estimates.unwrap()) {
                *covered += u32::from(estimate.interval.unwrap().contains(truth));
            }
        }
        let allowed = 4.0 * (0.95_f64 * 0.05 / sets).sqrt() + 0.02;
        for (method, covered) in methods.iter().zip(covered) {
            let coverage = f64::from(covered) / sets;
            println!("{mean}, {sd_pos}, {sd_neg}; {per_class} per class; {positives} of {n}; {method}: {coverage}");
            assert!(coverage > 0.95 - allowed, "{method}: {coverage}");
            assert!(!overlapping || coverage < 0.95 + allowed, "{method}: {coverage}");
        }
    }
}

/// Maximum likelihood with few test scores and a prevalence near 0 or 1: the interval covers within
/// four Monte Carlo standard errors plus 2 %, and is narrower than the interval of `es`.
#[test]
fn likelihood_intervals_cover_near_0_and_1() {
    const SETS: u64 = 400;
    let methods = [Method::ES, Method::SLD, Method::ML];
    let settings = Settings::new(methods.iter().copied());
    for (first, (positives, mirrored)) in (0..).zip([(0, false), (1, false), (5, true)]) {
        let truth = if mirrored { 1.0 - 0.02 * positives as f64 } else { 0.02 * positives as f64 };
        let (mut covered, mut width) = ([0u32; 3], [0.0; 3]);
        for set in 0..SETS {
            let mut rng = stream(20_261_123 + first, set);
            let train = labelled(&normals(&mut rng, 2.0, 200, 200), 200);
            let test_positives = if mirrored { 50 - positives } else { positives };
            let test = normals(&mut rng, 2.0, test_positives, 50 - test_positives);
            let estimates = Model::fit(&train, &settings).unwrap().estimate(&test).unwrap();
            for ((covered, width), estimate) in covered.iter_mut().zip(&mut width).zip(&estimates) {
                let interval = estimate.interval.unwrap();
                *covered += u32::from((interval.lower..=interval.upper).contains(&truth));
                *width += interval.upper - interval.lower;
            }
        }
        let allowed = 4.0 * (0.95_f64 * 0.05 / SETS as f64).sqrt() + 0.02;
        for (index, method) in methods.iter().enumerate().skip(1) {
            let coverage = f64::from(covered[index]) / SETS as f64;
            println!("{truth}, {method}: {coverage}, widths {:?}", width.map(|width| width / SETS as f64));
            assert!(coverage > 0.95 - allowed, "{truth}, {method}: {coverage}");
            assert!(width[index] < width[0], "{truth}, {method}: {width:?}");
        }
    }
}

/// A flexible family separates the scores that it was fitted to better than new ones. Efficient
/// Sweep's rates are out of fold, so its interval covers at a small prevalence too. (Rates from the
/// same fit would cover 87 %.)
#[test]
fn out_of_fold_rates_keep_the_coverage_at_a_small_prevalence() {
    const SETS: u64 = 600;
    let settings = Settings::new([Method::ES]).with_family(Family::Kernel);
    let mut covered = 0;
    for set in 0..SETS {
        let mut rng = stream(20_261_122, set);
        let model = Model::fit(&labelled(&normals(&mut rng, 1.0, 100, 100), 100), &settings).unwrap();
        let interval = model.estimate(&normals(&mut rng, 1.0, 25, 475)).unwrap()[0].interval.unwrap();
        covered += u32::from(interval.contains(0.05));
    }
    let coverage = f64::from(covered) / SETS as f64;
    println!("{coverage}");
    let allowed = 4.0 * (0.95_f64 * 0.05 / SETS as f64).sqrt() + 0.01;
    assert!((coverage - 0.95).abs() < allowed, "{coverage}");
}
