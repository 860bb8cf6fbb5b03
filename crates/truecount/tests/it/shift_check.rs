//! The prior shift check: exact mixtures, the distribution of its statistic by simulation, and edge
//! cases.

use crate::common::{self, assert_share, normal, normals, stream};
use rand::distr::weighted::WeightedIndex;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::error::Problem;
use truecount::inference::Excess;
use truecount::shift_test::{ShiftCheck, ShiftStatistics};
use truecount::{Batch, LabelledScores};

fn labelled(positive: &[f64], negative: &[f64]) -> LabelledScores {
    common::labelled(&[positive, negative].concat(), positive.len())
}

fn draw(rng: &mut ChaCha8Rng, mean: f64, n: usize) -> Vec<f64> {
    (0..n).map(|_| normal(rng, mean)).collect()
}

fn test(check: &ShiftCheck, scores: &[f64]) -> ShiftStatistics {
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    check.test(&tally).unwrap()
}

/// Draws labelled and test scores under prior probability shift, and maps them.
fn draw_null(replicate: u64, n: usize, positives: usize, map: fn(f64) -> f64) -> (LabelledScores, Vec<f64>) {
    let mut rng = stream(3, replicate);
    let mut scores = |mean, n| draw(&mut rng, mean, n).into_iter().map(map).collect::<Vec<_>>();
    let train = labelled(&scores(1.5, 300), &scores(0.0, 400));
    (train, [scores(1.5, positives), scores(0.0, n - positives)].concat())
}

#[test]
fn an_exact_mixture_fits_exactly() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (positive, negative) = (draw(&mut rng, 1.0, 120), draw(&mut rng, 0.0, 360));
    let check = ShiftCheck::new(&labelled(&positive, &negative)).unwrap();
    let shift = test(&check, &[&positive[..], &negative[..], &negative[..]].concat());
    assert!((shift.prevalence - 1.0 / 7.0).abs() < 1e-13);
    assert_eq!((shift.statistic, shift.p_value, shift.n), (0.0, 1.0, 840));
    let mut tally = check.tally();
    check.update(&mut tally, &positive).unwrap();
    let curve = check.curve(&tally).unwrap();
    assert!(curve.len() > 20 && curve.iter().all(|point| (point.prevalence - 1.0).abs() < 1e-12));
    // The formula at α = 1 less half a score, with n − 1 in the variances.
    let alpha: f64 = 1.0 - 0.5 / 120.0;
    let (a, b) = (alpha / 120.0 + alpha * alpha / 120.0, (1.0 - alpha) / 120.0 + (1.0 - alpha).powi(2) / 360.0);
    for point in curve {
        let share = |scores: &[f64]| scores.iter().filter(|s| **s >= point.theta).count() as f64 / scores.len() as f64;
        let (p, q) = (share(&positive), share(&negative));
        let (positive, negative) = (p * (1.0 - p) * 120.0 / 119.0, q * (1.0 - q) * 360.0 / 359.0);
        let expected = (a * positive + b * negative).sqrt() / (p - q);
        assert!((point.std_error - expected).abs() < 1e-13);
    }
}

/// Under the null hypothesis the statistic has mean 1. In 5 % of the replicates p ≤ 0.05, and in
/// 1 % p ≤ 0.01. Each holds within four Monte Carlo standard errors of 4000 replicates, with five
/// different scores as well as with continuous ones.
#[test]
fn p_values_are_uniform_under_prior_probability_shift() {
    let five_values: fn(f64) -> f64 = |s| s.clamp(-1.0, 3.0).round();
    for (context, map) in [("continuous", (|s| s) as fn(f64) -> f64), ("five values", five_values)] {
        let shift = |replicate| {
            let (train, scores) = draw_null(replicate, 600, 150, map);
            let shift = test(&ShiftCheck::new(&train).unwrap(), &scores);
            (shift.statistic, shift.p_value)
        };
        let (statistics, p_values): (Vec<f64>, Vec<f64>) = (0..4000).map(shift).unzip();
        let (mean, error) = (common::mean(&statistics), (common::variance(&statistics) / 4000.0).sqrt());
        assert!((mean - 1.0).abs() < 4.0 * error, "{context}: mean {mean}");
        for level in [0.5, 0.05, 0.01] {
            assert_share(at_most(&p_values, level), 4000, level, 0.0, context);
        }
    }
}

fn at_most(p_values: &[f64], level: f64) -> u32 {
    p_values.iter().map(|p| u32::from(*p <= level)).sum()
}

/// Among a few labelled positives many of thirteen grades are missing. With the variance at the
/// labelled rates, 10 to 45 % of these samples are rejected at 1 %. The limit is 2 % and three
/// standard errors of 400 replicates. Negatives that score two grades higher are rejected in 126 of 400.
#[test]
fn grades_that_no_labelled_positive_has_raise_no_false_alarm() {
    const POSITIVE: [u32; 13] = [20, 20, 20, 10, 30, 30, 20, 50, 100, 150, 200, 300, 50];
    const NEGATIVE: [u32; 13] = [350, 250, 150, 30, 80, 50, 20, 20, 20, 10, 10, 8, 2];
    for (labels, positives) in [((15, 485), 500), ((40, 1960), 900), ((10, 1990), 990)] {
        let rejected = |higher: f64| {
            let is_rejected = |replicate: &u64| {
                let mut rng = stream(14, *replicate);
                let mut grades = |weights: &[u32; 13], n: usize, higher: f64| -> Vec<f64> {
                    let grades = WeightedIndex::new(weights).unwrap();
                    (&mut rng).sample_iter(grades).take(n).map(|grade| (grade as f64 + higher).min(12.0)).collect()
                };
                let train = labelled(&grades(&POSITIVE, labels.0, 0.0), &grades(&NEGATIVE, labels.1, 0.0));
                let scores = [grades(&POSITIVE, positives, 0.0), grades(&NEGATIVE, 1000 - positives, higher)].concat();
                test(&ShiftCheck::new(&train).unwrap(), &scores).p_value < 0.01
            };
            (0..400).filter(is_rejected).count()
        };
        let (sound, moved) = (rejected(0.0), rejected(2.0));
        assert!(sound <= 16, "{labels:?}, {positives}: {sound} of 400");
        assert!(positives > 500 || moved > 80, "{labels:?}, {positives}: {moved} of 400");
    }
}

/// Few test scores, of random classes, are rejected no more often than the level says: within four
/// Monte Carlo standard errors of 3000 test sets, a hundred for each of 30 labelled samples. With
/// the distribution for large samples, 4 to 6 % of single scores are rejected at 1 %.
#[test]
fn few_test_scores_are_not_rejected_too_often() {
    for (per_class, distance, share) in [(100, 1.0, 0.1), (300, 3.0, 0.5), (100, 2.0, 0.95)] {
        for n in [1, 2, 3, 5, 10, 20] {
            let p_values = (0..30).flat_map(|replicate| {
                let mut rng = stream(11, replicate);
                let train = common::labelled(&normals(&mut rng, distance, per_class, per_class), per_class);
                let check = ShiftCheck::new(&train).unwrap();
                let mut p_value = |_| {
                    let positives = (0..n).filter(|_| rng.random_bool(share)).count();
                    test(&check, &normals(&mut rng, distance, positives, n - positives)).p_value
                };
                (0..100).map(&mut p_value).collect::<Vec<f64>>()
            });
            let p_values: Vec<f64> = p_values.collect();
            for level in [0.05, 0.01] {
                let rejected = f64::from(at_most(&p_values, level)) / 3000.0;
                let error = (level * (1.0 - level) / 3000.0f64).sqrt();
                assert!(rejected < level + 4.0 * error, "{rejected} of {n} scores at {level}");
            }
        }
    }
}

/// A single score is in each of the 64 bins with the same probability if both classes are equally
/// frequent. So the p-value is the share of the bins with a T at least as large. Bins at the same
/// distance from the middle have the same T, as the classes are mirror images. The p-value of a
/// simulation that ends at 50 exceedances has a relative standard error of at most 1/√50.
#[test]
fn p_values_of_a_single_score_are_shares_of_the_bins() {
    let uniform = |from: f64| (0..640).map(move |k| from + 0.75 * (f64::from(k) + 0.5) / 640.0).collect::<Vec<f64>>();
    let check = ShiftCheck::new(&labelled(&uniform(0.25), &uniform(0.0))).unwrap();
    let balanced = |quantile: f64| match quantile {
        low if low < 1.0 / 6.0 => 1.5 * low,
        high if high > 5.0 / 6.0 => 1.0 - 1.5 * (1.0 - high),
        middle => 0.25 + 0.75 * (middle - 1.0 / 6.0),
    };
    let mut results: Vec<ShiftStatistics> =
        (0..64).map(|bin| test(&check, &[balanced((f64::from(bin) + 0.5) / 64.0)])).collect();
    results.sort_by(|a, b| b.statistic.total_cmp(&a.statistic));
    for (pair, results) in results.chunks(2).enumerate() {
        let expected = (pair + 1) as f64 / 32.0;
        for result in results {
            assert!((result.p_value / expected - 1.0).abs() < 4.0 / 50f64.sqrt(), "{expected}: {result:?}");
        }
    }
    assert!(results[0].p_value > 0.02, "{:?}", results[0]);
}

/// The power is at least 80 %; 2000 replicates have a Monte Carlo standard error of at most 1.1
/// points.
#[test]
fn a_third_component_is_detected_and_located() {
    let (mut rejected, mut located) = (0, 0);
    for replicate in 0..2000 {
        let mut rng = stream(4, replicate);
        let train = labelled(&draw(&mut rng, 1.0, 500), &draw(&mut rng, 0.0, 500));
        let scores = [draw(&mut rng, 1.0, 300), draw(&mut rng, 0.0, 630), draw(&mut rng, -2.0, 70)].concat();
        let check = ShiftCheck::new(&train).unwrap();
        let mut tally = check.tally();
        check.update(&mut tally, &scores).unwrap();
        rejected += u32::from(check.test(&tally).unwrap().p_value <= 0.05);
        let Excess { from, to, .. } = check.worst(&tally).unwrap();
        located += u32::from(from == f64::NEG_INFINITY && (-2.5..-0.5).contains(&to));
    }
    assert!(rejected > 1600 && located > 1600, "{rejected} rejected, {located} located");
}

#[test]
fn merged_tallies_give_the_test_of_all_scores() {
    let (train, scores) = draw_null(7, 500, 400, |s| s);
    let check = ShiftCheck::new(&train).unwrap();
    let (mut tally, mut other) = (check.tally(), check.tally());
    check.update(&mut other, &scores[..123]).unwrap();
    check.update(&mut tally, &scores[123..]).unwrap();
    tally.merge(&other).unwrap();
    assert_eq!(check.test(&tally).unwrap(), test(&check, &scores));
}

#[test]
fn edge_cases_give_a_result_or_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (positive, negative) = (draw(&mut rng, 100.0, 50), draw(&mut rng, 0.0, 50));
    // Classes far apart.
    let check = ShiftCheck::new(&labelled(&positive, &negative)).unwrap();
    assert!(test(&check, &[&draw(&mut rng, 100.0, 30)[..], &draw(&mut rng, 0.0, 30)].concat()).p_value > 0.01);
    let between = test(&check, &draw(&mut rng, 50.0, 30));
    assert!(between.p_value < 1e-6, "{between:?}");
    // A single score is no evidence, but forty equal scores are.
    assert!(test(&check, &[0.1]).p_value > 0.05);
    assert!(test(&check, &[0.1; 40]).p_value < 1e-4);
    assert!(test(&check, &[1e300; 40]).p_value < 1e-6);
    // The warning names the score range, and more test sets need a smaller p-value.
    let mut tally = check.tally();
    check.update(&mut tally, &[50.0; 8]).unwrap();
    let p = check.test(&tally).unwrap().p_value;
    assert!((1e-6..1e-3).contains(&p), "{p}");
    let warning = check.warning(&tally, 1).unwrap().unwrap().to_string();
    assert!(warning.contains(" % between "), "{warning}");
    assert_eq!(check.warning(&tally, 1_000_000), Ok(None));
    // An empty tally, and a score that is not finite.
    let mut tally = check.tally();
    let none = Some(Problem::NoTestScores.into());
    assert_eq!((check.test(&tally).err(), check.curve(&tally).err()), (none.clone(), none.clone()));
    assert_eq!((check.worst(&tally).err(), check.warning(&tally, 1).err()), (none.clone(), none));
    let error = check.update(&mut tally, &[1.0, f64::NAN]).unwrap_err();
    assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(1)));
    assert_eq!(tally, check.tally());
    // Labelled scores that do not suffice.
    let error = |positive: &[f64], negative: &[f64]| ShiftCheck::new(&labelled(positive, negative)).unwrap_err();
    assert!(matches!(
        error(&[1.0; 9], &negative).problem(),
        Some(Problem::ClassTooSmallToCheck { n: 9, needed: 10, .. })
    ));
    assert_eq!(error(&[1.0; 20], &[0.0; 20]), Problem::TooFewValuesToCheck.into());
    let same: Vec<f64> = (0..30).map(f64::from).collect();
    assert_eq!(error(&same, &same), Problem::ClassesNotSeparated { max_j: 0.0 }.into());
    // A class without spread: the statistic has almost no variance under the null.
    let constant = ShiftCheck::new(&labelled(&(1..20).map(f64::from).collect::<Vec<_>>(), &[0.0; 20])).unwrap();
    let shift = test(&constant, &[0.0; 30]);
    assert_eq!((shift.p_value, shift.prevalence), (1.0, 0.0));
}

/// Equal weights change nothing. If the test scores are the labelled ones and positives weigh 3,
/// the curve is flat at their weighted share.
#[test]
fn the_weighted_curve_counts_rows_by_their_weights() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let (positive, negative) = (draw(&mut rng, 1.0, 120), draw(&mut rng, 0.0, 360));
    let check = ShiftCheck::new(&labelled(&positive, &negative)).unwrap();
    let assert_close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    let some = [&positive[..50], &negative[..70]].concat();
    let mut tally = check.tally();
    check.update(&mut tally, &some).unwrap();
    let curve = |scores: &[f64], weights: &[f64]| {
        let mut tally = check.tally();
        check.update(&mut tally, Batch::new(scores).with_weights(weights)?)?;
        check.curve(&tally)
    };
    let equal = curve(&some, &[2.5; 120]).unwrap();
    for (weighted, plain) in equal.iter().zip(check.curve(&tally).unwrap()) {
        assert_eq!(weighted.theta, plain.theta);
        assert_close(weighted.prevalence, plain.prevalence);
        assert_close(weighted.std_error, plain.std_error);
    }
    let weights: Vec<f64> = (0..480).map(|row| if row < 120 { 3.0 } else { 1.0 }).collect();
    let weighted = curve(&[&positive[..], &negative[..]].concat(), &weights).unwrap();
    assert!(weighted.len() > 20);
    for point in weighted {
        assert_close(point.prevalence, 0.5);
    }
    let code = |scores: &[f64], weights: &[f64]| curve(scores, weights).unwrap_err().code();
    assert_eq!(code(&[f64::NAN], &[1.0]), "score-not-finite");
    assert_eq!((code(&[], &[]), code(&[1.0], &[0.0])), ("no-test-scores", "no-test-scores"));
}
