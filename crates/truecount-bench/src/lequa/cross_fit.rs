//! Scores and probabilities of the training data from classifiers that have not seen them, and the choice among
//! learners by these scores.

use super::classifier::Learner;
use crate::shared::{CliError, map_range};
use libsvm_rs::probability::sigmoid_train;
use ndarray::{Array2, Axis};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

pub const FOLDS: usize = 5;

/// Stratified folds: the fold of every row, 0 to 4. Each class is dealt out in random order, so that every fold gets its
/// share of each class, to within one row.
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
    /// Every row's score, by the classifier that learnt from the other folds.
    pub scores: Vec<f64>,
    /// The mean of the folds' areas under the ROC curve.
    pub auc: f64,
}

/// Returns the learner with the largest mean area under the ROC curve, the first among equals. Each row has its
/// `features`, whether it is `positive`, and its fold; each fold has rows of both classes.
pub fn choose_learner(
    learners: &[Learner],
    features: &Array2<f64>,
    positive: &[bool],
    folds: &[usize],
    threads: Option<u16>,
) -> Result<CrossFitted, CliError> {
    let of_fold = |fold: usize, inside: bool| -> Vec<usize> {
        (0..folds.len()).filter(|row| (folds[*row] == fold) == inside).collect()
    };
    let select =
        |rows: &[usize]| (features.select(Axis(0), rows), rows.iter().map(|r| positive[*r]).collect::<Vec<_>>());
    let work = u32::try_from(learners.len() * FOLDS).expect("a small grid");
    let scored: Vec<(Vec<f64>, f64)> = map_range("classifiers", work, threads, |number| {
        let (learner, fold) = (number as usize / FOLDS, number as usize % FOLDS);
        let (learnt, classes) = select(&of_fold(fold, false));
        let (held_out, truth) = select(&of_fold(fold, true));
        let scores = learners[learner].fit(&learnt, &classes).scores(&held_out);
        let area = auc(&scores, &truth);
        (scores, area)
    })?;
    let mean = |folds: &[(Vec<f64>, f64)]| folds.iter().map(|(_, auc)| auc).sum::<f64>() / FOLDS as f64;
    let by_learner = learners.iter().zip(scored.chunks(FOLDS));
    let (learner, chosen) = by_learner
        .reduce(|best, next| if mean(next.1) > mean(best.1) { next } else { best })
        .expect("there are learners");
    let mut scores = vec![0.0; positive.len()];
    for (fold, (of_rows, _)) in chosen.iter().enumerate() {
        of_fold(fold, true).into_iter().zip(of_rows).for_each(|(row, score)| scores[row] = *score);
    }
    Ok(CrossFitted { learner: *learner, scores, auc: mean(chosen) })
}

/// The area under the ROC curve: P(S⁺ > S⁻) + ½ P(S⁺ = S⁻), by counting (Mann–Whitney), so that it is exact with ties.
/// No score is NaN.
fn auc(scores: &[f64], positive: &[bool]) -> f64 {
    let mut sorted: Vec<(f64, bool)> = scores.iter().copied().zip(positive.iter().copied()).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut positives, mut twice_won) = (0_u64, 0_u64, 0_u64);
    // −0 and 0 are the same score.
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let above = tied.iter().filter(|(_, positive)| *positive).count() as u64;
        let level = tied.len() as u64 - above;
        twice_won += above * (2 * below + level);
        below += level;
        positives += above;
    }
    twice_won as f64 / (2 * positives * below) as f64
}

/// Probabilities from scores, by Platt scaling: p = 1/(1 + exp(−(slope·s + intercept))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    slope: f64,
    intercept: f64,
}

impl Sigmoid {
    /// Fitted by maximum likelihood to scores that their classifier has not learnt from, with the targets
    /// (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) instead of 1 and 0 (Platt 1999; Lin, Lin and Weng 2007).
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

    /// The definition, pair by pair.
    fn pairs(scores: &[f64], positive: &[bool]) -> f64 {
        let of = |class: bool| scores.iter().zip(positive).filter(move |(_, p)| **p == class).map(|(s, _)| *s);
        let won = |a: f64, b: f64| if a > b { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
        let all: Vec<f64> = of(true).flat_map(|a| of(false).map(move |b| won(a, b))).collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn counts_every_pair_once_and_ties_half() {
        let (scores, positive) = ([0.1, 0.4, 0.4, 0.8, 0.4], [false, true, false, true, true]);
        // Six pairs: 0.4, 0.8 and 0.4 above 0.1, 0.8 above 0.4, and twice 0.4 beside 0.4; sklearn.metrics.roc_auc_score
        // gives the same.
        assert_eq!(auc(&scores, &positive), 5.0 / 6.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[false, false, true, true]), 1.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[true, true, false, false]), 0.0);
        assert_eq!(auc(&[0.0, -0.0, 0.0], &[true, false, false]), 0.5);
    }

    #[test]
    fn agrees_with_the_definition() {
        for seed in 1..50_u64 {
            // Few values, so that there are ties.
            let draw = |i: u64| (i * i * 37 + i * seed * 11 + seed) % 23;
            #[allow(clippy::cast_precision_loss)]
            let scores: Vec<f64> = (0..60).map(|i| draw(i) as f64 - 9.0).collect();
            let positive: Vec<bool> = (0..60).map(|i| (draw(i) + i * seed) % 3 == 0).collect();
            assert!((auc(&scores, &positive) - pairs(&scores, &positive)).abs() < 1e-14);
        }
    }

    #[test]
    fn agrees_with_scikit_learn() {
        let scores = [-2.0, -1.0, -0.5, 0.2, 0.4, 1.5, 2.5, -0.1];
        let positive = [false, false, true, false, true, true, true, false];
        let sigmoid = Sigmoid::platt(&scores, &positive);
        // c = sklearn.calibration._SigmoidCalibration().fit(scores, positive); c.predict([-1, 0, 1])
        let expected = [0.296_508_273_727_536_63, 0.480_452_206_101_733_6, 0.669_852_694_406_100_4];
        let found = sigmoid.probabilities(&[-1.0, 0.0, 1.0]);
        // Both stop where the gradient is below about 1e-5.
        assert!(found.iter().zip(expected).all(|(p, e)| (p - e).abs() < 1e-5), "{found:?}");
        assert_eq!(sigmoid.probabilities(&[-1e6, 1e6]), [0.0, 1.0]);
    }
}
