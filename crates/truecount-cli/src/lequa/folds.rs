//! Stratified folds: every fold gets its share of each class, to within one row.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

pub const FOLDS: usize = 5;

/// The fold of every row, 0 to 4: each class in random order, dealt out in turn.
pub fn stratified(positive: &[bool], seed: u64) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_each_class() {
        let positive: Vec<bool> = (0..103).map(|i| i % 3 == 0).collect();
        let folds = stratified(&positive, 4);
        for (class, whole) in [(true, 35), (false, 68)] {
            for fold in 0..FOLDS {
                let n = (0..103).filter(|row| folds[*row] == fold && positive[*row] == class).count();
                assert!(n == whole / FOLDS || n == whole / FOLDS + 1, "{n} of {whole}");
            }
        }
        assert_eq!(folds, stratified(&positive, 4));
        assert_ne!(folds, stratified(&positive, 5));
    }
}
