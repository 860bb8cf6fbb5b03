//! Coverage of intervals by simulation.

use crate::common::{assert_coverage, assert_share, count_covered, fit_normals, labelled, labels, normals, stream};
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use truecount::distribution::Family;
use truecount::quantifier::RateSource;
use truecount::{LabelledScores, Method, Model, Settings};

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

/// Sample-anchored intervals cover at the nominal rate with a hundred labelled scores in each
/// class, even if the family is wrong: 95 % of 3000, up to 1 % for the linear approximation.
#[test]
fn sample_anchored_intervals_cover() {
    let methods = [Method::ES, Method::AC, Method::PACC, Method::FRIEDMAN, Method::SMM];
    let settings = Settings::new(methods).with_cutoff(0.7);
    // Exponential positives and normal negatives: no family fits both.
    let classes = (rand_distr::Exp::new(0.6).unwrap(), rand_distr::Normal::new(0.0, 1.0).unwrap());
    assert_coverage(format!("{methods:?}"), (3000, 20_261_121, 0.01), |rng| {
        let model = Model::fit(&labelled(&draw(rng, &classes, 200, 100), 100), &settings).unwrap();
        Some((model.estimate(&draw(rng, &classes, 400, 120)).unwrap(), 0.3))
    });
}

/// Intervals from fitted normals cover too: with fifty labelled scores per class or fewer, near the
/// ends of [0, 1], and if the labelled classes do not overlap. Coverage is at least 95 %, within
/// four Monte Carlo standard errors plus 2 % for the second-order approximation. It exceeds 95 %
/// only if the labelled classes do not overlap.
#[test]
fn model_anchored_intervals_cover() {
    let methods = [Method::O_CS, Method::ES, Method::ML];
    let settings = Settings::new(methods).with_rates(RateSource::Family);
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
        let (covered, sets) = count_covered(500, 20_261_121 + first, |rng| {
            // Rarely the positives have the lower mean, and the fit fails.
            let train = LabelledScores::new(&draw(rng, &classes, 2 * per_class, per_class), &labels).ok()?;
            let test = draw(rng, &classes, n, positives);
            Some((Model::fit(&train, &settings).unwrap().estimate(&test).unwrap(), positives as f64 / n as f64))
        });
        for (method, covered) in methods.iter().zip(covered) {
            let context = format!("{mean}, {sd_pos}, {sd_neg}; {per_class} per class; {positives} of {n}; {method}");
            // 95 % is an upper limit of what is counted if the classes do not overlap.
            let at_most_nominal = if overlapping { covered } else { covered.min(sets * 19 / 20) };
            assert_share(at_most_nominal, sets, 0.95, 0.02, context);
        }
    }
}

/// Maximum likelihood with few test scores and a prevalence near 0 or 1: the interval covers within
/// four Monte Carlo standard errors plus 2 %, and is narrower than the interval of `es`.
#[test]
fn likelihood_intervals_cover_near_0_and_1() {
    const SETS: u32 = 400;
    let settings = Settings::new([Method::ES, Method::SLD, Method::ML]);
    let least = 0.95 - 4.0 * (0.95_f64 * 0.05 / f64::from(SETS)).sqrt() - 0.02;
    for (first, (positives, mirrored)) in (0..).zip([(0, false), (1, false), (5, true)]) {
        let test_positives = if mirrored { 50 - positives } else { positives };
        let truth = test_positives as f64 / 50.0;
        let (mut covered, mut width) = ([0; 3], [0.0; 3]);
        for set in 0..SETS {
            let mut rng = stream(20_261_123 + first, set.into());
            let model = fit_normals(&mut rng, 2.0, 200, &settings);
            let estimates = model.estimate(&normals(&mut rng, 2.0, test_positives, 50 - test_positives)).unwrap();
            for ((covered, width), estimate) in covered.iter_mut().zip(&mut width).zip(&estimates) {
                let interval = estimate.interval.unwrap();
                *covered += u32::from(interval.contains(truth));
                *width += interval.width();
            }
        }
        for likelihood in [1, 2] {
            let coverage = f64::from(covered[likelihood]) / f64::from(SETS);
            assert!(coverage > least && width[likelihood] < width[0], "{truth}: {covered:?} {width:?}");
        }
    }
}

/// A flexible family separates the scores that it was fitted to better than new ones. Efficient
/// Sweep's rates are out of fold, so its interval covers at a small prevalence too. (Rates from the
/// same fit would cover 87 %.)
#[test]
fn out_of_fold_rates_keep_the_coverage_at_a_small_prevalence() {
    let settings = Settings::new([Method::ES]).with_family(Family::Kernel);
    assert_coverage("es", (600, 20_261_122, 0.01), |rng| {
        let model = fit_normals(rng, 1.0, 100, &settings);
        Some((model.estimate(&normals(rng, 1.0, 25, 475)).unwrap(), 0.05))
    });
}
