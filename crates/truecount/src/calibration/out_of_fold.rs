//! The calibration curve with its out-of-fold predictions for the labelled scores.
//!
//! A curve's predictions for the scores that it was fitted to are too good, and rates estimated
//! from them are biased. So the curve is fitted ten more times with the same λ, each time without a
//! tenth of the scores, and predicts η of the omitted scores.
//!
//! The scores of a class are assigned to the ten folds in turn, from both ends towards the middle.
//! So the folds do not depend on the end that comes first, nor on the order of the rows, as all
//! scores in a bin are equivalent. If rows have weights or clusters, `cross_fit` assigns them.

use super::bins::Bins;
use super::cross_fit::{CalibrationRows, FOLDS, can_cross_fit};
use super::curve::Curve;
use super::penalty::Penalty;
use crate::{LabelledScores, PerClass};
use std::array;

/// A calibration curve with its out-of-fold predictions for the labelled scores.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// The smoothing parameter λ.
    lambda: f64,
    /// η in each bin, fitted to all labelled scores.
    eta: Vec<f64>,
    out_of_fold: OutOfFold,
}

/// The out-of-fold values of η for the labelled scores of each class.
#[derive(Clone, Debug)]
pub(crate) enum OutOfFold {
    /// Values of η with the number of labelled scores that have them.
    Counted(PerClass<Vec<CountedEta>>),
    /// η of every row, if rows have weights or clusters.
    PerRow(PerClass<Vec<f64>>),
}

/// A value of η with the number of labelled scores of a class that have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedEta {
    /// The out-of-fold value of η = ln f⁺/f⁻.
    pub(crate) eta: f64,
    /// The number of scores.
    pub(crate) count: u64,
}

impl Calibration {
    /// Fits the curve to labelled scores counted in bins.
    pub(crate) fn new(bins: &Bins, labelled: &LabelledScores) -> Self {
        let penalty = Penalty::new(bins.len());
        let curve = Curve::fit(&penalty, &bins.effective_counts());
        let out_of_fold = match labelled.design() {
            None => OutOfFold::Counted(count_by_eta(bins.counts(), &curve, &penalty)),
            Some(_) => OutOfFold::PerRow(CalibrationRows::new(bins, labelled).out_of_fold_eta(&curve, &penalty)),
        };
        Self { lambda: curve.lambda, eta: curve.eta, out_of_fold }
    }

    /// Returns the smoothing parameter λ.
    pub(crate) fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Returns η in each bin, fitted to all labelled scores, for test scores.
    pub(crate) fn eta(&self) -> &[f64] {
        &self.eta
    }

    /// Returns the out-of-fold values of η for the labelled scores.
    pub(crate) fn out_of_fold(&self) -> &OutOfFold {
        &self.out_of_fold
    }
}

/// Returns the out-of-fold value of η for every labelled score, in the order of the class's rows.
pub(crate) fn out_of_fold_eta(bins: &Bins, labelled: &LabelledScores) -> PerClass<Vec<f64>> {
    let penalty = Penalty::new(bins.len());
    CalibrationRows::new(bins, labelled).out_of_fold_eta(&Curve::fit(&penalty, &bins.effective_counts()), &penalty)
}

/// Fits the curves without each fold and returns their η with the numbers of omitted scores.
fn count_by_eta(counts: &PerClass<Vec<u64>>, curve: &Curve, penalty: &Penalty) -> PerClass<Vec<CountedEta>> {
    let mut labelled = PerClass { positive: Vec::new(), negative: Vec::new() };
    let mut add_both = |eta: &[f64], scores: &PerClass<Vec<u64>>| {
        add(&mut labelled.positive, eta, &scores.positive);
        add(&mut labelled.negative, eta, &scores.negative);
    };
    if can_cross_fit(counts) {
        let omitted: [_; FOLDS] =
            array::from_fn(|fold| counts.map(|class_counts| count_in_fold(class_counts, fold as u64)));
        let training = omitted.each_ref().map(|omitted| PerClass {
            positive: without(&counts.positive, &omitted.positive),
            negative: without(&counts.negative, &omitted.negative),
        });
        curve.refit(penalty, &training).iter().zip(&omitted).for_each(|(eta, omitted)| add_both(eta, omitted));
    } else {
        add_both(&curve.eta, counts);
    }
    labelled
}

/// Returns the counts without the omitted scores.
fn without(counts: &[u64], omitted: &[u64]) -> Vec<f64> {
    counts.iter().zip(omitted).map(|(n, omitted)| (n - omitted) as f64).collect()
}

/// Adds the η of the bins with scores, with their counts.
fn add(labelled: &mut Vec<CountedEta>, eta: &[f64], counts: &[u64]) {
    let present = eta.iter().zip(counts).filter(|(_, count)| **count > 0);
    labelled.extend(present.map(|(eta, count)| CountedEta { eta: *eta, count: *count }));
}

/// Returns the number of a class's scores in each bin that belong to this fold.
fn count_in_fold(counts: &[u64], fold: u64) -> Vec<u64> {
    let n: u64 = counts.iter().sum();
    // The number of the fold's scores among the first `n` from one end: every tenth score.
    let count_from_end = |n: u64| (n + FOLDS as u64 - 1 - fold) / FOLDS as u64;
    let (lower, upper) = (n.div_ceil(2), n / 2);
    let count_below = |before: u64| {
        let from_above = count_from_end(upper) - count_from_end((n - before).min(upper));
        count_from_end(before.min(lower)) + from_above
    };
    let mut before = 0;
    counts
        .iter()
        .map(|count| {
            let from = count_below(before);
            before += count;
            count_below(before) - from
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts agree with assigning the scores one by one.
    #[test]
    fn every_score_is_in_one_fold() {
        for counts in [vec![3, 0, 7, 1, 1, 20, 5], vec![1, 1, 1], vec![0, 2, 0, 2], vec![1000, 1, 2]] {
            let n: u64 = counts.iter().sum();
            let bins: Vec<usize> =
                counts.iter().enumerate().flat_map(|(b, n)| vec![b; usize::try_from(*n).unwrap()]).collect();
            let mut all = vec![0; counts.len()];
            for fold in 0..FOLDS as u64 {
                let mut expected = vec![0; counts.len()];
                for (i, bin) in (0..n).zip(&bins) {
                    if i.min(n - 1 - i) % FOLDS as u64 == fold {
                        expected[*bin] += 1;
                        all[*bin] += 1;
                    }
                }
                assert_eq!(count_in_fold(&counts, fold), expected, "{counts:?} {fold}");
            }
            assert_eq!(all, counts);
        }
    }
}
