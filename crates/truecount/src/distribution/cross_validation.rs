//! Folds of a class's scores, of which each is left out of one fit, and the choice of a family by them.
//!
//! # Folds
//!
//! Scores are dealt to folds at random, from a fixed seed and by their rank, so that the order of the rows does not matter. (Dealt in
//! turn, each fold would thin out the neighbours of every score evenly, so that little would really be left out.)
//!
//! Which end the ranks are counted from must not matter either: if a score is in one of ten folds, 0 to 9, its mirror image, as far
//! from the other end, is in the one that makes 9 with it. Counted from the other end the folds are the same, in the opposite order.
//! (In the same fold, a score and its mirror image would leave the mean where it is, as if neither had been left out.) Of an odd
//! number the middle score is its own mirror image, and is in no fold.
//!
//! # The choice of a family
//!
//! A family is chosen by held-out log-likelihood: six times, a sixth of the scores is held out, each family is fitted to
//! the rest, and its log-density at the held-out scores is summed. The largest mean wins.
//!
//! Unlike an information criterion, this needs no number of parameters, so the kernel density can take part.

use super::Family;
use crate::Class;
use crate::numeric::sum::CompensatedSum;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The fold of each score; none for the middle one of an odd number.
#[derive(Clone, Debug)]
pub(crate) struct ScoreFolds(Vec<Option<usize>>);

impl ScoreFolds {
    /// An even number of folds of equal size, to within one score.
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

    /// The fold of each score, in the order of the rows.
    pub(crate) fn each(&self) -> &[Option<usize>] {
        &self.0
    }

    /// The scores that are not in this fold.
    pub(crate) fn without(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores.iter().zip(&self.0).filter(|(_, own)| **own != Some(fold)).map(|(score, _)| *score).collect()
    }

    /// The scores of this fold.
    pub(crate) fn only(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores.iter().zip(&self.0).filter(|(_, own)| **own == Some(fold)).map(|(score, _)| *score).collect()
    }
}

const FOLDS: usize = 6;

/// The families that can be fitted to these scores, each with its mean held-out log-density, best first.
pub(crate) fn ranking(class: Class, scores: &[f64]) -> Vec<(Family, f64)> {
    let folds = ScoreFolds::new(scores, FOLDS);
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| *family != Family::Auto);
    let mut ranking: Vec<(Family, f64)> =
        families.filter_map(|family| held_out(family, class, scores, &folds).map(|mean| (family, mean))).collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranking
}

/// The mean log-density at held-out scores; `None` if a fit fails or gives a held-out score density 0.
fn held_out(family: Family, class: Class, scores: &[f64], folds: &ScoreFolds) -> Option<f64> {
    let mut sum = CompensatedSum::default();
    for fold in 0..FOLDS {
        let fitted = family.fit(class, &folds.without(scores, fold)).ok()?;
        folds.only(scores, fold).into_iter().for_each(|s| sum.add(fitted.ln_pdf(s)));
    }
    let held_out = folds.each().iter().flatten().count();
    let mean = sum.value() / held_out as f64;
    mean.is_finite().then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Distribution, Logistic, Normal};

    #[test]
    fn do_not_depend_on_the_order_of_rows() {
        let scores: Vec<f64> = (0..103).map(|k| f64::from(k * 37 % 103)).collect();
        let backwards: Vec<f64> = scores.iter().rev().copied().collect();
        let (folds, others) = (ScoreFolds::new(&scores, 10), ScoreFolds::new(&backwards, 10));
        assert!(folds.each().iter().eq(others.each().iter().rev()));
        for fold in 0..10 {
            let (only, without) = (folds.only(&scores, fold), folds.without(&scores, fold));
            assert!(only.len() == 10 || only.len() == 11);
            assert_eq!(only.len() + without.len(), 103);
            assert!(only.iter().all(|score| !without.contains(score)));
        }
    }

    #[test]
    fn are_the_same_from_the_other_end() {
        for n in [2, 11, 40, 47, 103] {
            let scores: Vec<f64> = (0..n).map(|k| f64::from(k * 37 % n)).collect();
            let turned: Vec<f64> = scores.iter().map(|score| -score).collect();
            let (folds, others) = (ScoreFolds::new(&scores, 10), ScoreFolds::new(&turned, 10));
            assert!(folds.each().iter().zip(others.each()).all(|(a, b)| *a == b.map(|fold| 9 - fold)));
            let sizes: Vec<usize> = (0..10).map(|fold| folds.only(&scores, fold).len()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            assert_eq!(folds.each().iter().filter(|fold| fold.is_none()).count(), usize::from(n % 2 == 1));
        }
    }

    #[test]
    fn finds_the_family_that_made_the_scores() {
        let best = |d: &dyn Distribution| {
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let scores: Vec<f64> = (0..20_000).map(|_| d.sample(&mut rng)).collect();
            ranking(Class::Positive, &scores)[0].0
        };
        assert_eq!(best(&Logistic::new(1.0, 2.0).unwrap()), Family::Logistic);
        assert!([Family::Normal, Family::StudentT].contains(&best(&Normal::new(1.0, 2.0).unwrap())));
    }

    #[test]
    fn a_family_that_cannot_be_fitted_takes_no_part() {
        let ranking = ranking(Class::Positive, &[-1.0, 0.5, 2.0, 0.1, 0.7, 1.1, -0.4, 0.2, 0.9, 1.5]);
        assert!(!ranking.is_empty() && ranking.iter().all(|(family, _)| *family != Family::Beta));
    }
}
