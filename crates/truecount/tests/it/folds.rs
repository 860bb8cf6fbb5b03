//! The comparison of cross-validation folds: its false alarm rate, and when the check names the
//! folds as the cause of a misfit.

use crate::common::{self, assert_share, normal, stream};
use rand_chacha::ChaCha8Rng;
use truecount::LabelledScores;
use truecount::error::Problem;
use truecount::scores::PerClass;
use truecount::shift_test::{Cause, FoldComparison, ScoreProfile, ScoreProfileCounts, ShiftCheck, Verdict};

const FOLDS: u32 = 5;

/// Draws 200 scores of each class in five folds, each shifted by its fold's offset.
fn labelled(rng: &mut ChaCha8Rng, offset: impl Fn(u32) -> f64) -> (ShiftCheck, LabelledScores, FoldComparison) {
    let fold_of_row = (0..200).map(|row| row % FOLDS).collect::<Vec<_>>();
    let mut class =
        |mean: f64| -> Vec<f64> { fold_of_row.iter().map(|fold| offset(*fold) + normal(rng, mean)).collect() };
    let scores = [class(1.5), class(0.0)].concat();
    let labelled = common::labelled(&scores, 200);
    let check = ShiftCheck::new(&labelled).unwrap();
    let folds = check
        .folds(labelled.scores(), &PerClass { positive: fold_of_row.clone(), negative: fold_of_row })
        .unwrap()
        .unwrap();
    (check, labelled, folds)
}

/// Returns the verdict on test scores and the causes that are named.
fn verdict_and_causes(
    check: &ShiftCheck,
    labelled: &LabelledScores,
    folds: &FoldComparison,
    test: &[f64],
) -> (Verdict, Vec<Cause>) {
    let (mut tally, mut counts, profile) =
        (check.tally(), ScoreProfileCounts::default(), ScoreProfile::new(labelled.scores()));
    check.update(&mut tally, test).unwrap();
    profile.update(&mut counts, test, None);
    let result = check.test_all([&tally]).unwrap().remove(0);
    (result.verdict(), check.causes(&result, &tally, (&profile, &counts), Some(folds)).unwrap())
}

/// In 1000 data sets with equal folds, p-values are uniform within four standard errors. Test
/// scores with a third component do not fit a mixture, and folds are named as the cause in at most
/// 1 %.
#[test]
fn equal_folds_are_rarely_named() {
    let (mut p_values, mut misfits, mut named) = (Vec::new(), 0, 0);
    for replicate in 0..1000 {
        let mut rng = stream(8, replicate);
        let (check, labelled, folds) = labelled(&mut rng, |_| 0.0);
        p_values.push(folds.p_value);
        let mean = |row: u32| if row.is_multiple_of(5) { -2.5 } else { f64::from(row % 2) * 1.5 };
        let test: Vec<f64> = (0..500).map(|row| normal(&mut rng, mean(row))).collect();
        let (verdict, causes) = verdict_and_causes(&check, &labelled, &folds, &test);
        misfits += u32::from(verdict != Verdict::Plausible);
        named += u32::from(causes.iter().any(|cause| matches!(cause, Cause::Folds { .. })));
    }
    for level in [0.5, 0.05, 0.01] {
        assert_share(p_values.iter().map(|p| u32::from(*p <= level)).sum(), 1000, level, 0.0, "folds");
    }
    assert!(misfits > 900 && named <= 10, "{misfits} misfits, {named} named");
}

/// The statistic against its definition, with W and F computed by hand at two edges.
#[test]
fn the_statistic_matches_a_calculation_by_hand() {
    // Values 0, 1, 2 and two folds: edges at ½ and 1½.
    let positive: Vec<f64> = (0..12).map(|row| f64::from(u8::from(row > 2) + u8::from(row > 5))).collect();
    let negative: Vec<f64> = (0..12).map(|row| f64::from(u8::from(row > 7))).collect();
    let labelled = common::labelled(&[positive, negative].concat(), 12);
    let check = ShiftCheck::new(&labelled).unwrap();
    // The first six positives, 0 0 0 1 1 1, are one fold. Negatives alternate, with equal shares.
    let fold_of_row = PerClass {
        positive: (0..12).map(|row| u32::from(row > 5)).collect(),
        negative: (0..12).map(|row| row % 2).collect(),
    };
    let folds = check.folds(labelled.scores(), &fold_of_row).unwrap().unwrap();
    // F₊ = ¾ and ½, F₋ = ⅓ and 0; H = 13/24 and ¼;
    // W = ½ (1 − ¼)/(H(1 − H)) and ½ (13/24)/(H(1 − H)).
    let (h, g) = (13.0 / 24.0, 0.25);
    let (w, v) = (0.5 * (1.0 - g) / (h * (1.0 - h)), 0.5 * h / (g * (1.0 - g)));
    // The folds' shares are ½, 0 and 1, 1: ¼ and ½ from the mean, with twelve rows in all.
    let total = 12.0 * (w * 0.0625 + v * 0.25);
    // One degree of freedom per class (two folds less one), times n/(n−1).
    let expected = 12.0 / 11.0 * (w * (3.0 / 16.0 + 2.0 / 9.0) + v * 0.25);
    assert_eq!(folds.folds, 2);
    assert!((folds.statistic - total / expected).abs() < 1e-12, "{}, not {}", folds.statistic, total / expected);
}

#[test]
fn a_comparison_needs_two_folds_and_one_per_row() {
    let mut rng = stream(8, 0);
    let (check, labelled, _) = labelled(&mut rng, |_| 0.0);
    let one = PerClass { positive: vec![3; 200], negative: vec![4; 200] };
    assert!(check.folds(labelled.scores(), &one).unwrap().is_none());
    let short = PerClass { positive: vec![0; 199], negative: vec![0; 200] };
    assert!(matches!(
        check.folds(labelled.scores(), &short).unwrap_err().problem(),
        Some(Problem::LengthMismatch { values: 199, .. })
    ));
    // Two folds within a single class are enough.
    let half = PerClass { positive: (0..200).map(|row| row % 2).collect(), negative: vec![5; 200] };
    assert_eq!(check.folds(labelled.scores(), &half).unwrap().unwrap().folds, 2);
}

/// Folds with different offsets, and test scores shifted as one fold is, or beyond all folds.
#[test]
fn folds_are_named_only_for_shifts_within_their_range() {
    let fold_offset = |fold: u32| 0.3 * (f64::from(fold) - 2.0);
    let mut rng = stream(8, 1);
    let (check, labelled, folds) = labelled(&mut rng, fold_offset);
    assert!(folds.differ() && folds.p_value < 1e-6);
    let mut test = |offset: f64| -> Vec<f64> {
        (0..2000).map(|row| normal(&mut rng, offset + f64::from(row % 2) * 1.5)).collect()
    };
    let names = |test: &[f64]| {
        let (_, causes) = verdict_and_causes(&check, &labelled, &folds, test);
        causes.iter().map(Cause::name).collect::<Vec<_>>()
    };
    assert_eq!(names(&test(-0.6)), ["folds"]);
    assert_eq!(names(&test(6.0)), ["range"]);
}
