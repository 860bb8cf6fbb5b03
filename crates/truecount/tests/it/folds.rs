//! The folds' classifiers beside each other: how often the check says that they do not score alike, and names them as the cause of a misfit.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::check::{Cause, Folds, ProfileCounts, ScoreProfile, ShiftCheck, Verdict};
use truecount::{LabelledScores, PerClass, Problem};

const FOLDS: u32 = 5;

fn rng(replicate: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    rng.set_stream(replicate);
    rng
}

/// 200 scores of each class in five folds, each moved by its classifier.
fn labelled(rng: &mut ChaCha8Rng, moved: impl Fn(u32) -> f64) -> (ShiftCheck, LabelledScores, Folds) {
    let of = (0..200).map(|row| row % FOLDS).collect::<Vec<_>>();
    let mut class = |mean: f64| -> Vec<f64> {
        of.iter().map(|fold| moved(*fold) + Normal::new(mean, 1.0).unwrap().sample(rng)).collect()
    };
    let scores = [class(1.5), class(0.0)].concat();
    let labels: Vec<bool> = (0..400).map(|row| row < 200).collect();
    let labelled = LabelledScores::new(&scores, &labels).unwrap();
    let check = ShiftCheck::new(&labelled).unwrap();
    let folds = check.folds(labelled.scores(), &PerClass { positive: of.clone(), negative: of }).unwrap().unwrap();
    (check, labelled, folds)
}

/// The verdict of test scores, and what is named.
fn causes(check: &ShiftCheck, labelled: &LabelledScores, folds: &Folds, test: &[f64]) -> (Verdict, Vec<Cause>) {
    let (mut tally, mut seen, look) = (check.tally(), ProfileCounts::default(), ScoreProfile::new(labelled.scores()));
    check.update(&mut tally, test).unwrap();
    look.see(&mut seen, test, None);
    let checked = check.test_all([&tally]).unwrap().remove(0);
    (checked.verdict(), check.causes(&checked, &tally, (&look, &seen), Some(folds)).unwrap())
}

/// Of 1000 data sets whose folds are alike, as many differ at a level as it says, within four standard errors; and of test scores that are no
/// mixture, for a third component, folds are named in no more than 1 %.
#[test]
fn folds_that_are_alike() {
    let (mut p_values, mut misfits, mut named) = (Vec::new(), 0, 0);
    for replicate in 0..1000 {
        let mut rng = rng(replicate);
        let (check, labelled, folds) = labelled(&mut rng, |_| 0.0);
        p_values.push(folds.p_value);
        let mean = |row: u32| if row.is_multiple_of(5) { -2.5 } else { f64::from(row % 2) * 1.5 };
        let test: Vec<f64> = (0..500).map(|row| Normal::new(mean(row), 1.0).unwrap().sample(&mut rng)).collect();
        let (verdict, causes) = causes(&check, &labelled, &folds, &test);
        misfits += u32::from(verdict != Verdict::Plausible);
        named += u32::from(causes.iter().any(|cause| matches!(cause, Cause::Folds { .. })));
    }
    for level in [0.5, 0.05, 0.01] {
        let share = p_values.iter().filter(|p| **p <= level).count() as f64 / 1000.0;
        println!("{share} at {level}");
        assert!((share - level).abs() < 4.0 * (level * (1.0 - level) / 1000.0).sqrt(), "{share} at {level}");
    }
    println!("{misfits} misfits, {named} named");
    assert!(misfits > 900 && named <= 10, "{misfits} misfits, {named} named");
}

/// The statistic is its definition: W and F by hand on the few edges that few values leave.
#[test]
fn the_statistic_by_hand() {
    // Values 0, 1, 2 and two folds: edges at ½ and 1½.
    let positive: Vec<f64> = (0..12).map(|row| f64::from(u8::from(row > 2) + u8::from(row > 5))).collect();
    let negative: Vec<f64> = (0..12).map(|row| f64::from(u8::from(row > 7))).collect();
    let labels: Vec<bool> = (0..24).map(|row| row < 12).collect();
    let labelled = LabelledScores::new(&[positive.clone(), negative].concat(), &labels).unwrap();
    let check = ShiftCheck::new(&labelled).unwrap();
    // Of the positives the first six, 0 0 0 1 1 1, are of one fold; of the negatives every other one, in shares alike.
    let of = PerClass {
        positive: (0..12).map(|row| u32::from(row > 5)).collect(),
        negative: (0..12).map(|row| row % 2).collect(),
    };
    let folds = check.folds(labelled.scores(), &of).unwrap().unwrap();
    // F₊ = ¾ and ½, F₋ = ⅓ and 0; H = 13/24 and ¼; W = ½ (1 − ¼)/(H(1 − H)) and ½ (13/24)/(H(1 − H)).
    let (h, g) = (13.0 / 24.0, 0.25);
    let (w, v) = (0.5 * (1.0 - g) / (h * (1.0 - h)), 0.5 * h / (g * (1.0 - g)));
    // Folds are ½, 0 and 1, 1; apart by ¼ and ½, twelve rows in all.
    let total = 12.0 * (w * 0.0625 + v * 0.25);
    // One more fold than one, in each class, and n/(n−1).
    let expected = 12.0 / 11.0 * (w * (3.0 / 16.0 + 2.0 / 9.0) + v * 0.25);
    assert_eq!(folds.folds, 2);
    assert!((folds.statistic - total / expected).abs() < 1e-12, "{}, not {}", folds.statistic, total / expected);
}

#[test]
fn what_cannot_be_compared() {
    let mut rng = rng(0);
    let (check, labelled, _) = labelled(&mut rng, |_| 0.0);
    let one = PerClass { positive: vec![3; 200], negative: vec![4; 200] };
    assert!(check.folds(labelled.scores(), &one).unwrap().is_none());
    let short = PerClass { positive: vec![0; 199], negative: vec![0; 200] };
    assert!(matches!(
        check.folds(labelled.scores(), &short).unwrap_err().problem(),
        Some(Problem::LengthMismatch { values: 199, .. })
    ));
    // Two folds of a single class are compared, but say nothing of one more classifier.
    let half = PerClass { positive: (0..200).map(|row| row % 2).collect(), negative: vec![5; 200] };
    assert_eq!(check.folds(labelled.scores(), &half).unwrap().unwrap().folds, 2);
}

/// Folds far apart, and test scores off as one of them is, or by more than any.
#[test]
fn what_folds_explain_and_what_not() {
    let moved = |fold: u32| 0.3 * (f64::from(fold) - 2.0);
    let mut rng = rng(1);
    let (check, labelled, folds) = labelled(&mut rng, moved);
    assert!(folds.differ() && folds.p_value < 1e-6);
    let mut test = |offset: f64| -> Vec<f64> {
        (0..2000).map(|row| Normal::new(offset + f64::from(row % 2) * 1.5, 1.0).unwrap().sample(&mut rng)).collect()
    };
    let names = |test: &[f64]| {
        let (_, causes) = causes(&check, &labelled, &folds, test);
        causes.iter().map(Cause::name).collect::<Vec<_>>()
    };
    assert_eq!(names(&test(-0.6)), ["folds"]);
    assert_eq!(names(&test(6.0)), ["range"]);
}
