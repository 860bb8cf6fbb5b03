//! Curves for predicting the very rows they are learnt from: each leaves out a tenth of them.

use super::curve::Curve;
use super::penalty::Penalty;
use super::rows::{FOLDS, dealt};
use crate::PerClass;

/// The fold of each row and, for each fold, η of every bin from the other rows; none where a class has fewer than three rows or there are
/// fewer than three bins. Rows are given by their bin, whether they are positive, and a weight.
pub(crate) fn crossed(
    bins: usize,
    rows: impl Iterator<Item = (usize, bool, f64)>,
) -> Option<(Vec<usize>, Vec<Vec<f64>>)> {
    let rows: Vec<(usize, bool, f64)> = rows.collect();
    let of = |class: bool| (0..rows.len()).filter(|row| rows[*row].1 == class).collect::<Vec<usize>>();
    let places = PerClass { positive: of(true), negative: of(false) };
    if bins < 3 || places.positive.len() < 3 || places.negative.len() < 3 {
        return None;
    }
    let mut folds = vec![0; rows.len()];
    // What a row is worth of the effective number of its class.
    let mut worth = vec![0.0; rows.len()];
    for places in [&places.positive, &places.negative] {
        let of_class = dealt(&places.iter().map(|row| rows[*row].0 as f64).collect::<Vec<_>>());
        let [sum, squares] = [1, 2].map(|power| places.iter().map(|row| rows[*row].2.powi(power)).sum::<f64>());
        for (row, fold) in places.iter().zip(of_class) {
            (folds[*row], worth[*row]) = (fold, rows[*row].2 * sum / squares);
        }
    }
    let counted = |without: Option<usize>| {
        let mut counts = PerClass { positive: vec![0.0; bins], negative: vec![0.0; bins] };
        for (((bin, positive, _), fold), worth) in rows.iter().zip(&folds).zip(&worth) {
            if without != Some(*fold) {
                let of = if *positive { &mut counts.positive } else { &mut counts.negative };
                of[*bin] += worth;
            }
        }
        counts
    };
    let penalty = Penalty::new(bins);
    let whole = Curve::fit(&penalty, &counted(None));
    let kept: [_; FOLDS] = std::array::from_fn(|fold| counted(Some(fold)));
    Some((folds, whole.refit(&penalty, &kept).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_does_not_see_itself() {
        let rows: Vec<(usize, bool, f64)> = (0..400).map(|i| (i * 7 % 16, (i * 31 % 16) < i * 7 % 16, 1.0)).collect();
        let (folds, curves) = crossed(16, rows.iter().copied()).unwrap();
        assert_eq!(curves.len(), 10);
        for (fold, curve) in curves.iter().enumerate() {
            assert!((38..=42).contains(&folds.iter().filter(|of| **of == fold).count()));
            // Positives are those of high bins.
            assert!(curve[15] > curve[0]);
        }
        // Without a fold's rows the curve is what it is from the others alone, at the same λ.
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
        assert!(crossed(2, rows.iter().copied()).is_none());
        assert!(crossed(16, rows.iter().map(|(bin, _, weight)| (*bin, false, *weight))).is_none());
    }
}
