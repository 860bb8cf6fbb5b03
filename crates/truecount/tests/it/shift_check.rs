//! The shift check against what must hold: exact mixtures, its law by simulation, and honest answers to odd input.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::check::{Excess, ShiftCheck, ShiftStatistics};
use truecount::{LabelledScores, Problem};

fn labelled(positive: &[f64], negative: &[f64]) -> LabelledScores {
    let labels: Vec<bool> = (0..positive.len() + negative.len()).map(|i| i < positive.len()).collect();
    LabelledScores::new(&[positive, negative].concat(), &labels).unwrap()
}

fn draw(rng: &mut ChaCha8Rng, mean: f64, n: usize) -> Vec<f64> {
    Normal::new(mean, 1.0).unwrap().sample_iter(rng).take(n).collect()
}

fn test(check: &ShiftCheck, scores: &[f64]) -> ShiftStatistics {
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    check.test(&tally).unwrap()
}

/// Labelled and test scores under prior probability shift, passed through a map.
fn null(replicate: u64, n: usize, positives: usize, map: fn(f64) -> f64) -> (LabelledScores, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    rng.set_stream(replicate);
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
        assert!((point.se - expected).abs() < 1e-13);
    }
}

/// Under the null hypothesis the statistic has mean 1, p is at most 0.05 in 5 % of the cases and at most 0.01 in 1 %, each within
/// four Monte Carlo standard errors of 4000 replicates; with five different scores as well as with continuous ones.
#[test]
fn the_law_holds_under_prior_probability_shift() {
    let five_values: fn(f64) -> f64 = |s| s.clamp(-1.0, 3.0).round();
    for (what, map) in [("continuous", (|s| s) as fn(f64) -> f64), ("five values", five_values)] {
        let shifts: Vec<ShiftStatistics> = (0..4000)
            .map(|replicate| {
                let (train, scores) = null(replicate, 600, 150, map);
                test(&ShiftCheck::new(&train).unwrap(), &scores)
            })
            .collect();
        let n = shifts.len() as f64;
        let mean = shifts.iter().map(|s| s.statistic).sum::<f64>() / n;
        let variance = shifts.iter().map(|s| (s.statistic - mean).powi(2)).sum::<f64>() / n;
        assert!((mean - 1.0).abs() < 4.0 * (variance / n).sqrt(), "{what}: mean {mean}");
        for level in [0.5, 0.05, 0.01] {
            let share = shifts.iter().filter(|s| s.p_value <= level).count() as f64 / n;
            println!("{what}: {share} at {level}");
            assert!((share - level).abs() < 4.0 * (level * (1.0 - level) / n).sqrt(), "{what}: {share} at {level}");
        }
    }
}

/// At level 0.05 between 3 and 7 % are to be rejected, in small samples too: (labelled of each class, test scores, standard
/// deviations between the classes, prevalence). 3000 replicates have a Monte Carlo standard error of 0.4 points; the shares themselves, from
/// 10,000, are in `docs/evidence/checks.md`.
#[test]
fn the_size_is_right_in_small_samples() {
    for (labelled_each, n, apart, positives) in [(50, 200, 1.0, 60), (100, 1000, 2.0, 100), (500, 1000, 1.0, 500)] {
        let rejected = (0..3000).filter(|replicate| {
            let mut rng = ChaCha8Rng::seed_from_u64(8);
            rng.set_stream(*replicate);
            let train = labelled(&draw(&mut rng, apart, labelled_each), &draw(&mut rng, 0.0, labelled_each));
            let scores = [draw(&mut rng, apart, positives), draw(&mut rng, 0.0, n - positives)].concat();
            test(&ShiftCheck::new(&train).unwrap(), &scores).p_value <= 0.05
        });
        let share = rejected.count() as f64 / 3000.0;
        println!("{labelled_each} + {labelled_each}, {n}: {share}");
        assert!((0.03..=0.07).contains(&share), "{share} of {labelled_each} + {labelled_each}, {n}");
    }
}

/// 80 % are asked for; 2000 replicates have a Monte Carlo standard error of at most 1.1 points.
#[test]
fn a_third_component_is_found_and_located() {
    let (mut rejected, mut located) = (0, 0);
    for replicate in 0..2000 {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        rng.set_stream(replicate);
        let train = labelled(&draw(&mut rng, 1.0, 500), &draw(&mut rng, 0.0, 500));
        let scores = [draw(&mut rng, 1.0, 300), draw(&mut rng, 0.0, 630), draw(&mut rng, -2.0, 70)].concat();
        let check = ShiftCheck::new(&train).unwrap();
        let mut tally = check.tally();
        check.update(&mut tally, &scores).unwrap();
        rejected += u32::from(check.test(&tally).unwrap().p_value <= 0.05);
        let Excess { from, to, .. } = check.worst(&tally).unwrap();
        located += u32::from(from == f64::NEG_INFINITY && (-2.5..-0.5).contains(&to));
    }
    println!("rejected {rejected}, located {located} of 2000");
    assert!(rejected > 1600 && located > 1600, "{rejected} rejected, {located} located");
}

#[test]
fn shift_and_scale_of_the_scores_and_the_order_of_pushing_do_not_matter() {
    let (train, scores) = null(7, 500, 400, |s| s);
    let check = ShiftCheck::new(&train).unwrap();
    let shift = test(&check, &scores);
    let moved = |scores: &[f64]| scores.iter().map(|s| 4.0 * s - 64.0).collect::<Vec<_>>();
    let of_moved =
        test(&ShiftCheck::new(&labelled(&moved(train.positive()), &moved(train.negative()))).unwrap(), &moved(&scores));
    assert_eq!((of_moved.statistic, of_moved.p_value), (shift.statistic, shift.p_value));
    let (mut tally, mut other) = (check.tally(), check.tally());
    check.update(&mut other, &scores[..123]).unwrap();
    check.update(&mut tally, &scores[123..]).unwrap();
    tally.merge(&other).unwrap();
    assert_eq!(check.test(&tally).unwrap(), shift);
}

#[test]
fn odd_input_gets_an_answer_or_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (positive, negative) = (draw(&mut rng, 100.0, 50), draw(&mut rng, 0.0, 50));
    // Classes far apart.
    let check = ShiftCheck::new(&labelled(&positive, &negative)).unwrap();
    assert!(test(&check, &[&draw(&mut rng, 100.0, 30)[..], &draw(&mut rng, 0.0, 30)].concat()).p_value > 0.01);
    let between = test(&check, &draw(&mut rng, 50.0, 30));
    assert!(between.p_value < 1e-6, "{between:?}");
    // One score is no evidence, unless it lies where none can; all equal are.
    assert!(test(&check, &[0.1]).p_value > 0.05);
    assert!(test(&check, &[0.1; 40]).p_value < 1e-4);
    assert!(test(&check, &[1e300; 40]).p_value < 1e-6);
    // The warning names the place, and more test sets need a smaller p-value.
    let mut tally = check.tally();
    check.update(&mut tally, &[50.0; 8]).unwrap();
    let p = check.test(&tally).unwrap().p_value;
    assert!((1e-6..1e-3).contains(&p), "{p}");
    let warning = check.warning(&tally, 1).unwrap().unwrap().to_string();
    assert!(warning.contains(" % between "), "{warning}");
    assert_eq!(check.warning(&tally, 1_000_000), Ok(None));
    // Nothing pushed, or no number.
    let mut tally = check.tally();
    assert_eq!(check.test(&tally), Err(Problem::NoTestScores.into()));
    assert_eq!(check.curve(&tally), Err(Problem::NoTestScores.into()));
    assert_eq!(check.worst(&tally), Err(Problem::NoTestScores.into()));
    assert_eq!(check.warning(&tally, 1), Err(Problem::NoTestScores.into()));
    let error = check.update(&mut tally, &[1.0, f64::NAN]).unwrap_err();
    assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(1)));
    assert_eq!(tally, check.tally());
    // What cannot be learnt from.
    let refused = |positive: &[f64], negative: &[f64]| ShiftCheck::new(&labelled(positive, negative)).unwrap_err();
    assert!(matches!(refused(&[1.0; 9], &negative).problem(), Some(Problem::TooFewToCheck { n: 9, needed: 10, .. })));
    assert_eq!(refused(&[1.0; 20], &[0.0; 20]), Problem::TooFewDifferent.into());
    let same: Vec<f64> = (0..30).map(f64::from).collect();
    assert_eq!(refused(&same, &same), Problem::NoSeparation { max_j: 0.0 }.into());
    // A class without spread: next to no mixture leaves room for chance.
    let constant = ShiftCheck::new(&labelled(&(1..20).map(f64::from).collect::<Vec<_>>(), &[0.0; 20])).unwrap();
    let shift = test(&constant, &[0.0; 30]);
    assert_eq!((shift.p_value, shift.prevalence), (1.0, 0.0));
}
