//! Cross-validation folds of a class's scores, and the choice of a family by held-out likelihood.
//!
//! # Folds
//!
//! Scores are assigned to folds at random, with a fixed seed and by rank, so that the order of the
//! rows does not matter. (Assignment in turn would thin out the neighbours of every score evenly,
//! so that each fit would still see scores close to the held-out ones.)
//!
//! Counting ranks from the other end must give the same folds. If a score is in fold k of the ten folds 0 to 9, its
//! mirror image, the score with the same rank from the other end, is in fold 9 − k. Counting from the other end
//! therefore only reverses the order of the folds. (In the same fold, a score and its mirror image would leave the mean
//! unchanged, as if neither had been held out.) If the number of scores is odd, the middle score is its own mirror
//! image and is in no fold.
//!
//! # The choice of a family
//!
//! A family is chosen by held-out log-likelihood. Six times, a sixth of the scores is held out, each family is fitted
//! to the rest, and its log-density at the held-out scores is summed. The family with the largest mean is chosen.
//!
//! Unlike an information criterion, held-out likelihood needs no number of parameters, so that the
//! kernel density can be compared with the other families.

use super::{Distribution, Family};
use crate::Class;
use crate::numeric::sum::CompensatedSum;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The fold of each score; `None` for the middle score of an odd number.
#[derive(Clone, Debug)]
pub(crate) struct ScoreFolds(Vec<Option<usize>>);

impl ScoreFolds {
    /// Assigns scores to an even number of folds whose sizes differ by at most one score.
    pub(crate) fn new(scores: &[f64], number: usize) -> Self {
        let n = scores.len();
        let mut ascending: Vec<usize> = (0..n).collect();
        ascending.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let mut lower: Vec<usize> = (0..n / 2).map(|turn| turn % number).collect();
        lower.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        let mut folds = vec![None; n];
        for (rank, fold) in lower.into_iter().enumerate() {
            folds[ascending[rank]] = Some(fold);
            folds[ascending[n - 1 - rank]] = Some(number - 1 - fold);
        }
        Self(folds)
    }

    /// Returns the fold of each score, in the order of the rows.
    pub(crate) fn fold_of_each(&self) -> &[Option<usize>] {
        &self.0
    }

    pub(crate) fn excluding(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores
            .iter()
            .zip(&self.0)
            .filter(|(_, score_fold)| **score_fold != Some(fold))
            .map(|(score, _)| *score)
            .collect()
    }

    pub(crate) fn within(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores
            .iter()
            .zip(&self.0)
            .filter(|(_, score_fold)| **score_fold == Some(fold))
            .map(|(score, _)| *score)
            .collect()
    }
}

/// The number of folds for the choice of a family.
const FOLDS: usize = 6;

/// Ranks the families that can be fitted to these scores by mean held-out log-density, best first.
pub(crate) fn rank_families(class: Class, scores: &[f64]) -> Vec<(Family, f64)> {
    let folds = ScoreFolds::new(scores, FOLDS);
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| *family != Family::Auto);
    let mut ranking: Vec<(Family, f64)> = families
        .filter_map(|family| held_out_log_density(family, class, scores, &folds).map(|mean| (family, mean)))
        .collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranking
}

/// Returns the mean log-density at held-out scores, or `None` if a fit fails or a held-out score has density 0.
fn held_out_log_density(family: Family, class: Class, scores: &[f64], folds: &ScoreFolds) -> Option<f64> {
    let mut sum = CompensatedSum::default();
    for fold in 0..FOLDS {
        let fitted = family.fit(class, &folds.excluding(scores, fold)).ok()?;
        folds.within(scores, fold).into_iter().for_each(|s| sum.add(fitted.ln_pdf(s)));
    }
    let held_out = folds.fold_of_each().iter().flatten().count();
    let mean = sum.value() / held_out as f64;
    mean.is_finite().then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Distribution, Logistic, Normal};

    #[test]
    fn folds_do_not_depend_on_the_order_of_rows() {
        let scores: Vec<f64> = (0..103).map(|k| f64::from(k * 37 % 103)).collect();
        let backwards: Vec<f64> = scores.iter().rev().copied().collect();
        let (folds, others) = (ScoreFolds::new(&scores, 10), ScoreFolds::new(&backwards, 10));
        assert!(folds.fold_of_each().iter().eq(others.fold_of_each().iter().rev()));
        for fold in 0..10 {
            let (only, without) = (folds.within(&scores, fold), folds.excluding(&scores, fold));
            assert!(only.len() == 10 || only.len() == 11);
            assert_eq!(only.len() + without.len(), 103);
            assert!(only.iter().all(|score| !without.contains(score)));
        }
    }

    #[test]
    fn folds_are_the_same_from_the_other_end() {
        for n in [2, 11, 40, 47, 103] {
            let scores: Vec<f64> = (0..n).map(|k| f64::from(k * 37 % n)).collect();
            let mirrored: Vec<f64> = scores.iter().map(|score| -score).collect();
            let (folds, others) = (ScoreFolds::new(&scores, 10), ScoreFolds::new(&mirrored, 10));
            assert!(folds.fold_of_each().iter().zip(others.fold_of_each()).all(|(a, b)| *a == b.map(|fold| 9 - fold)));
            let sizes: Vec<usize> = (0..10).map(|fold| folds.within(&scores, fold).len()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            assert_eq!(folds.fold_of_each().iter().filter(|fold| fold.is_none()).count(), usize::from(n % 2 == 1));
        }
    }

    #[test]
    fn the_best_family_is_the_one_that_generated_the_scores() {
        let best = |d: &dyn Distribution| {
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let scores: Vec<f64> = (0..20_000).map(|_| d.sample(&mut rng)).collect();
            rank_families(Class::Positive, &scores)[0].0
        };
        assert_eq!(best(&Logistic::new(1.0, 2.0).unwrap()), Family::Logistic);
        assert!([Family::Normal, Family::StudentT].contains(&best(&Normal::new(1.0, 2.0).unwrap())));
    }

    #[test]
    fn families_that_cannot_be_fitted_are_not_ranked() {
        let ranking = rank_families(Class::Positive, &[-1.0, 0.5, 2.0, 0.1, 0.7, 1.1, -0.4, 0.2, 0.9, 1.5]);
        assert!(!ranking.is_empty() && ranking.iter().all(|(family, _)| *family != Family::Beta));
    }
}
