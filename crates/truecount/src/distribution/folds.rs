//! Folds of a class's scores: each fold is left out of one fit.
//!
//! Scores are dealt to folds at random, from a fixed seed and in ascending order, so that the order of the rows does
//! not matter. (Dealt in turn, each fold would thin out the neighbours of every score evenly, so that little would
//! really be left out.)

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The fold of each score.
#[derive(Clone, Debug)]
pub(crate) struct Folds(Vec<usize>);

impl Folds {
    /// Folds of equal size, to within one score.
    pub(crate) fn new(scores: &[f64], number: usize) -> Self {
        let mut ascending: Vec<usize> = (0..scores.len()).collect();
        ascending.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let mut turns: Vec<usize> = (0..scores.len()).map(|turn| turn % number).collect();
        turns.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        let mut folds = vec![0; scores.len()];
        for (row, fold) in ascending.into_iter().zip(turns) {
            folds[row] = fold;
        }
        Self(folds)
    }

    /// The fold of each score, in the order of the rows.
    pub(crate) fn each(&self) -> &[usize] {
        &self.0
    }

    /// The scores of the other folds.
    pub(crate) fn without(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores.iter().zip(&self.0).filter(|(_, own)| **own != fold).map(|(score, _)| *score).collect()
    }

    /// The scores of this fold.
    pub(crate) fn only(&self, scores: &[f64], fold: usize) -> Vec<f64> {
        scores.iter().zip(&self.0).filter(|(_, own)| **own == fold).map(|(score, _)| *score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn do_not_depend_on_the_order_of_rows() {
        let scores: Vec<f64> = (0..103).map(|k| f64::from(k * 37 % 103)).collect();
        let backwards: Vec<f64> = scores.iter().rev().copied().collect();
        let (folds, others) = (Folds::new(&scores, 10), Folds::new(&backwards, 10));
        assert!(folds.each().iter().eq(others.each().iter().rev()));
        for fold in 0..10 {
            let (only, without) = (folds.only(&scores, fold), folds.without(&scores, fold));
            assert!(only.len() == 10 || only.len() == 11);
            assert_eq!(only.len() + without.len(), 103);
            assert!(only.iter().all(|score| !without.contains(score)));
        }
    }
}
