//! Cross-fitting of rows: ten calibration curves, each without a tenth of the rows.
//!
//! The rows of each class are assigned to folds in the order of their scores. Rows of a cluster are
//! similar, and a curve fitted to one row of a cluster is not independent of the others. So
//! clusters are assigned as a whole, in the order of the mean bin of their rows.

use super::curve::Curve;
use super::penalty::Penalty;
use crate::PerClass;
use std::collections::BTreeMap;

const FOLDS: usize = 10;

/// Assigns each value to a fold, in turn from both ends towards the middle.
fn deal_folds(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut folds = vec![0; values.len()];
    for (rank, row) in order.into_iter().enumerate() {
        folds[row] = rank.min(values.len() - 1 - rank) % FOLDS;
    }
    folds
}

/// Returns the fold of each row and, for each fold, η of every bin from the other rows.
///
/// A row consists of its bin, whether it is positive, and its weight. `clusters` has the cluster of
/// each row, if rows are in clusters. Returns `None` if a class has fewer than three rows or lies in a
/// single fold, or if there are fewer than three bins.
pub(crate) fn cross_fit(
    bins: usize,
    rows: impl Iterator<Item = (usize, bool, f64)>,
    clusters: Option<&[u32]>,
) -> Option<(Vec<usize>, Vec<Vec<f64>>)> {
    let rows: Vec<(usize, bool, f64)> = rows.collect();
    let class_rows = |class: bool| (0..rows.len()).filter(|row| rows[*row].1 == class).collect::<Vec<usize>>();
    let row_indices = PerClass { positive: class_rows(true), negative: class_rows(false) };
    if bins < 3 || row_indices.positive.len() < 3 || row_indices.negative.len() < 3 {
        return None;
    }
    let mut folds = clusters.map_or_else(|| vec![0; rows.len()], |clusters| deal_clusters(&rows, clusters));
    // The weight of each row; a class's weights add up to its effective sample size.
    let mut weights = vec![0.0; rows.len()];
    for rows_of_class in [&row_indices.positive, &row_indices.negative] {
        let [sum, squares] = [1, 2].map(|power| rows_of_class.iter().map(|row| rows[*row].2.powi(power)).sum::<f64>());
        for row in rows_of_class {
            weights[*row] = rows[*row].2 * sum / squares;
        }
        if clusters.is_none() {
            let class_folds = deal_folds(&rows_of_class.iter().map(|row| rows[*row].0 as f64).collect::<Vec<_>>());
            rows_of_class.iter().zip(class_folds).for_each(|(row, fold)| folds[*row] = fold);
        }
        if rows_of_class.iter().all(|row| folds[*row] == folds[rows_of_class[0]]) {
            return None;
        }
    }
    let count = |without: Option<usize>| {
        let mut counts = PerClass { positive: vec![0.0; bins], negative: vec![0.0; bins] };
        for (((bin, positive, _), fold), weight) in rows.iter().zip(&folds).zip(&weights) {
            if without != Some(*fold) {
                let class = if *positive { &mut counts.positive } else { &mut counts.negative };
                class[*bin] += weight;
            }
        }
        counts
    };
    let penalty = Penalty::new(bins);
    let curve = Curve::fit(&penalty, &count(None));
    let training: [_; FOLDS] = std::array::from_fn(|fold| count(Some(fold)));
    Some((folds, curve.refit(&penalty, &training).into()))
}

/// Assigns the rows of each cluster to a fold, in the order of the clusters' mean bins.
fn deal_clusters(rows: &[(usize, bool, f64)], clusters: &[u32]) -> Vec<usize> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for ((bin, _, weight), cluster) in rows.iter().zip(clusters) {
        let (sum, total) = sums.entry(*cluster).or_default();
        *sum += *bin as f64 * weight;
        *total += weight;
    }
    let folds = deal_folds(&sums.values().map(|(sum, total)| sum / total).collect::<Vec<_>>());
    let fold_of: BTreeMap<u32, usize> = sums.into_keys().zip(folds).collect();
    clusters.iter().map(|cluster| fold_of[cluster]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_leave_out_their_fold() {
        let rows: Vec<(usize, bool, f64)> = (0..400).map(|i| (i * 7 % 16, (i * 31 % 16) < i * 7 % 16, 1.0)).collect();
        let (folds, curves) = cross_fit(16, rows.iter().copied(), None).unwrap();
        assert_eq!(curves.len(), 10);
        for (fold, curve) in curves.iter().enumerate() {
            assert!((38..=42).contains(&folds.iter().filter(|row_fold| **row_fold == fold).count()));
            // Positives are in high bins.
            assert!(curve[15] > curve[0]);
        }
        // The curve of a fold is the curve of the other rows alone, at the same λ.
        let penalty = Penalty::new(16);
        let counts = |keep: &dyn Fn(usize) -> bool| {
            let mut counts = PerClass { positive: vec![0.0; 16], negative: vec![0.0; 16] };
            for (_, (bin, positive, _)) in rows.iter().enumerate().filter(|(row, _)| keep(*row)) {
                if *positive { counts.positive[*bin] += 1.0 } else { counts.negative[*bin] += 1.0 }
            }
            counts
        };
        let whole = Curve::fit(&penalty, &counts(&|_| true));
        assert_eq!([&curves[3]], whole.refit(&penalty, &[counts(&|row| folds[row] != 3)]).each_ref());
        // Clusters stay together, and a class may not lie in a single fold.
        let clusters: Vec<u32> = (0..400).map(|row| row / 7).collect();
        let (folds, _) = cross_fit(16, rows.iter().copied(), Some(&clusters)).unwrap();
        assert!((1..400).all(|row| clusters[row] != clusters[row - 1] || folds[row] == folds[row - 1]));
        assert!((0..10).all(|fold| folds.contains(&fold)));
        assert!(cross_fit(16, rows.iter().copied(), Some(&[3; 400])).is_none());
        assert!(cross_fit(2, rows.iter().copied(), None).is_none());
        assert!(cross_fit(16, rows.iter().map(|(bin, _, weight)| (*bin, false, *weight)), None).is_none());
    }
}
