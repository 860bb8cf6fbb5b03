//! Scores of the training data from classifiers that have not seen them, and the choice among learners by these scores.

use super::auc::auc;
use super::classifier::Learner;
use super::folds::FOLDS;
use crate::failure::Failure;
use crate::parallel;
use ndarray::{Array2, Axis};

/// A learner with its cross-fitted scores.
pub struct CrossFitted {
    pub learner: Learner,
    /// Every row's score, by the classifier that learnt from the other folds.
    pub scores: Vec<f64>,
    /// The mean of the folds' areas under the ROC curve.
    pub auc: f64,
}

/// The learner with the largest mean area under the ROC curve, the first among equals. Each row has its `features`,
/// whether it is `positive`, and its fold; each fold has rows of both classes.
pub fn best(
    learners: &[Learner],
    features: &Array2<f64>,
    positive: &[bool],
    folds: &[usize],
    threads: Option<u16>,
) -> Result<CrossFitted, Failure> {
    let of_fold = |fold: usize, inside: bool| -> Vec<usize> {
        (0..folds.len()).filter(|row| (folds[*row] == fold) == inside).collect()
    };
    let select =
        |rows: &[usize]| (features.select(Axis(0), rows), rows.iter().map(|r| positive[*r]).collect::<Vec<_>>());
    let work = u32::try_from(learners.len() * FOLDS).expect("a small grid");
    let scored: Vec<(Vec<f64>, f64)> = parallel::numbered("classifiers", work, threads, |number| {
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
