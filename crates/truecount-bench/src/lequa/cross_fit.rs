//! Cross-fitted scores and probabilities of the training data, and the choice of a learner by these
//! scores.

use super::classifier::Learner;
use crate::shared::{CliError, map_range};
use libsvm_rs::probability::sigmoid_train;
use ndarray::{Array2, Axis};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

pub const FOLDS: usize = 5;

/// Returns the fold of every row, 0 to 4. Each class is dealt to the folds in random order, so that
/// every fold gets its share of each class, to within one row.
pub fn stratified_folds(positive: &[bool], seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut folds = vec![0; positive.len()];
    let mut turn = (0..FOLDS).cycle();
    for class in [true, false] {
        let mut rows: Vec<usize> = (0..positive.len()).filter(|row| positive[*row] == class).collect();
        rows.shuffle(&mut rng);
        rows.into_iter().zip(&mut turn).for_each(|(row, fold)| folds[row] = fold);
    }
    folds
}

/// A learner with its cross-fitted scores.
pub struct CrossFitted {
    pub learner: Learner,
    /// Every row's score, from the classifier fitted to the other folds.
    pub scores: Vec<f64>,
    /// The mean of the folds' areas under the ROC curve.
    pub auc: f64,
}

/// Returns the learner with the largest mean area under the ROC curve; ties go to the first.
///
/// `features`, `positive` and `folds` have one entry for each row. Each fold must have rows of both
/// classes.
pub fn choose_learner(
    learners: &[Learner],
    features: &Array2<f64>,
    positive: &[bool],
    folds: &[usize],
    threads: Option<u16>,
) -> Result<CrossFitted, CliError> {
    let rows_in_fold = |fold: usize, inside: bool| -> Vec<usize> {
        (0..folds.len()).filter(|row| (folds[*row] == fold) == inside).collect()
    };
    let select =
        |rows: &[usize]| (features.select(Axis(0), rows), rows.iter().map(|r| positive[*r]).collect::<Vec<_>>());
    let count = u32::try_from(learners.len() * FOLDS).expect("a small grid");
    // The held-out scores of a learner's fold, and their area under the curve.
    let fits: Vec<(Vec<f64>, f64)> = map_range("classifiers", count, threads, |number| {
        let (learner, fold) = (number as usize / FOLDS, number as usize % FOLDS);
        let (training, classes) = select(&rows_in_fold(fold, false));
        let (held_out, truth) = select(&rows_in_fold(fold, true));
        let scores = learners[learner].fit(&training, &classes).scores(&held_out);
        let area = auc(&scores, &truth);
        (scores, area)
    })?;
    let mean = |folds: &[(Vec<f64>, f64)]| folds.iter().map(|(_, auc)| auc).sum::<f64>() / FOLDS as f64;
    let by_learner = learners.iter().zip(fits.chunks(FOLDS));
    let (learner, chosen) = by_learner
        .reduce(|best, next| if mean(next.1) > mean(best.1) { next } else { best })
        .expect("there are learners");
    let mut scores = vec![0.0; positive.len()];
    for (fold, (held_out, _)) in chosen.iter().enumerate() {
        rows_in_fold(fold, true).into_iter().zip(held_out).for_each(|(row, score)| scores[row] = *score);
    }
    Ok(CrossFitted { learner: *learner, scores, auc: mean(chosen) })
}

/// Returns the area under the ROC curve, P(S⁺ > S⁻) + ½ P(S⁺ = S⁻), which counting makes exact with
/// ties (Mann–Whitney). No score may be NaN.
fn auc(scores: &[f64], positive: &[bool]) -> f64 {
    let mut sorted: Vec<(f64, bool)> = scores.iter().copied().zip(positive.iter().copied()).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut negatives, mut positives, mut twice_wins) = (0_u64, 0_u64, 0_u64);
    // −0 and 0 are the same score.
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let tied_positives = tied.iter().filter(|(_, positive)| *positive).count() as u64;
        let tied_negatives = tied.len() as u64 - tied_positives;
        twice_wins += tied_positives * (2 * negatives + tied_negatives);
        negatives += tied_negatives;
        positives += tied_positives;
    }
    twice_wins as f64 / (2 * positives * negatives) as f64
}

/// Probabilities from scores, by Platt scaling: p = 1/(1 + exp(−(slope·s + intercept))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    slope: f64,
    intercept: f64,
}

impl Sigmoid {
    /// Fits the sigmoid to held-out scores by maximum likelihood, with the targets (n₊ + 1)/(n₊ +
    /// 2) and 1/(n₋ + 2) instead of 1 and 0 (Platt 1999; Lin, Lin and Weng 2007).
    pub fn platt(scores: &[f64], positive: &[bool]) -> Self {
        let labels: Vec<f64> = positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect();
        let (a, b) = sigmoid_train(scores, &labels);
        Self { slope: -a, intercept: -b }
    }

    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().map(|s| (1.0 + (-(self.slope * s + self.intercept)).exp()).recip()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_each_class() {
        let positive: Vec<bool> = (0..103).map(|i| i % 3 == 0).collect();
        let folds = stratified_folds(&positive, 4);
        for (class, whole) in [(true, 35), (false, 68)] {
            for fold in 0..FOLDS {
                let n = (0..103).filter(|row| folds[*row] == fold && positive[*row] == class).count();
                assert!(n == whole / FOLDS || n == whole / FOLDS + 1, "{n} of {whole}");
            }
        }
        assert_eq!(folds, stratified_folds(&positive, 4));
        assert_ne!(folds, stratified_folds(&positive, 5));
    }

    /// Returns the area under the ROC curve by its definition, pair by pair.
    fn auc_by_pairs(scores: &[f64], positive: &[bool]) -> f64 {
        let class_scores =
            |class: bool| scores.iter().zip(positive).filter(move |(_, p)| **p == class).map(|(s, _)| *s);
        let win = |a: f64, b: f64| if a > b { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
        let all: Vec<f64> = class_scores(true).flat_map(|a| class_scores(false).map(move |b| win(a, b))).collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn auc_counts_every_pair_once_and_ties_half() {
        let (scores, positive) = ([0.1, 0.4, 0.4, 0.8, 0.4], [false, true, false, true, true]);
        // Six pairs: 0.4, 0.8 and 0.4 above 0.1, 0.8 above 0.4, and twice 0.4 tied with 0.4;
        // sklearn.metrics.roc_auc_score gives the same.
        assert_eq!(auc(&scores, &positive), 5.0 / 6.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[false, false, true, true]), 1.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[true, true, false, false]), 0.0);
        assert_eq!(auc(&[0.0, -0.0, 0.0], &[true, false, false]), 0.5);
    }

    #[test]
    fn auc_agrees_with_the_definition() {
        for seed in 1..50_u64 {
            // Few different values make ties.
            let draw = |i: u64| (i * i * 37 + i * seed * 11 + seed) % 23;
            #[allow(clippy::cast_precision_loss)]
            let scores: Vec<f64> = (0..60).map(|i| draw(i) as f64 - 9.0).collect();
            let positive: Vec<bool> = (0..60).map(|i| (draw(i) + i * seed) % 3 == 0).collect();
            assert!((auc(&scores, &positive) - auc_by_pairs(&scores, &positive)).abs() < 1e-14);
        }
    }

    #[test]
    fn sigmoid_agrees_with_scikit_learn() {
        let scores = [-2.0, -1.0, -0.5, 0.2, 0.4, 1.5, 2.5, -0.1];
        let positive = [false, false, true, false, true, true, true, false];
        let sigmoid = Sigmoid::platt(&scores, &positive);
        // c = sklearn.calibration._SigmoidCalibration().fit(scores, positive); c.predict([-1, 0,
        // 1])
        let expected = [0.296_508_273_727_536_63, 0.480_452_206_101_733_6, 0.669_852_694_406_100_4];
        let probabilities = sigmoid.probabilities(&[-1.0, 0.0, 1.0]);
        // Both stop when the gradient is below about 1e-5.
        assert!(probabilities.iter().zip(expected).all(|(p, e)| (p - e).abs() < 1e-5), "{probabilities:?}");
        assert_eq!(sigmoid.probabilities(&[-1e6, 1e6]), [0.0, 1.0]);
    }
}
