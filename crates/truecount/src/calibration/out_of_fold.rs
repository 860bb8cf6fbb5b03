//! The calibration curve with what it says of scores that it has not seen.
//!
//! What a curve says of the very scores it was fitted to is too good, and rates learnt from that are biased. So it is fitted ten
//! times more, λ kept, each time without a tenth of the scores, and says of these what they are worth.
//!
//! The scores of a class are dealt to the ten in turn, from both ends towards the middle: a fold is the same set of scores whichever
//! end comes first, and which rows they stand in does not matter, as scores in one bin are all alike. Where they are not, `cross_fit` deals them.

use super::bins::Bins;
use super::cross_fit::{FOLDS, CalibrationRows, can_cross_fit};
use super::curve::Curve;
use super::penalty::Penalty;
use crate::{LabelledScores, PerClass};
use std::array;

/// A curve, with the labelled scores as curves without them see them.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// λ.
    lambda: f64,
    /// η in each bin, from all labelled scores.
    eta: Vec<f64>,
    out_of_fold: OutOfFold,
}

/// The labelled scores of each class as curves without them see them.
#[derive(Clone, Debug)]
pub(crate) enum OutOfFold {
    /// All that count alike together.
    Counted(PerClass<Vec<CountedEta>>),
    /// η of every row, where rows have weights or are in clusters.
    PerRow(PerClass<Vec<f64>>),
}

/// Labelled scores of a class of which the curve without them says the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedEta {
    /// η.
    pub(crate) eta: f64,
    /// How many scores.
    pub(crate) count: u64,
}

impl Calibration {
    /// Of these labelled scores, counted in those bins.
    pub(crate) fn new(bins: &Bins, labelled: &LabelledScores) -> Self {
        let penalty = Penalty::new(bins.len());
        let whole = Curve::fit(&penalty, &bins.effective_counts());
        let out_of_fold = match labelled.design() {
            None => OutOfFold::Counted(count_by_eta(bins.counts(), &whole, &penalty)),
            Some(_) => OutOfFold::PerRow(CalibrationRows::new(bins, labelled).out_of_fold_eta(&whole, &penalty)),
        };
        Self { lambda: whole.lambda, eta: whole.eta, out_of_fold }
    }

    /// λ.
    pub(crate) fn lambda(&self) -> f64 {
        self.lambda
    }

    /// η in each bin, as test scores see it.
    pub(crate) fn eta(&self) -> &[f64] {
        &self.eta
    }

    /// The labelled scores, each as the curve without it sees it.
    pub(crate) fn out_of_fold(&self) -> &OutOfFold {
        &self.out_of_fold
    }
}

/// η of every labelled score, in the order of its class, from the curve without it.
pub(crate) fn out_of_fold_eta(bins: &Bins, labelled: &LabelledScores) -> PerClass<Vec<f64>> {
    let penalty = Penalty::new(bins.len());
    CalibrationRows::new(bins, labelled).out_of_fold_eta(&Curve::fit(&penalty, &bins.effective_counts()), &penalty)
}

fn count_by_eta(counts: &PerClass<Vec<u64>>, whole: &Curve, penalty: &Penalty) -> PerClass<Vec<CountedEta>> {
    let mut labelled = PerClass { positive: Vec::new(), negative: Vec::new() };
    let mut see = |eta: &[f64], scores: &PerClass<Vec<u64>>| {
        add(&mut labelled.positive, eta, &scores.positive);
        add(&mut labelled.negative, eta, &scores.negative);
    };
    if can_cross_fit(counts) {
        let out: [_; FOLDS] = array::from_fn(|fold| counts.map(|of| count_in_fold(of, fold as u64)));
        let kept = out.each_ref().map(|out| PerClass {
            positive: without(&counts.positive, &out.positive),
            negative: without(&counts.negative, &out.negative),
        });
        whole.refit(penalty, &kept).iter().zip(&out).for_each(|(eta, out)| see(eta, out));
    } else {
        see(&whole.eta, counts);
    }
    labelled
}

fn without(counts: &[u64], out: &[u64]) -> Vec<f64> {
    counts.iter().zip(out).map(|(n, out)| (n - out) as f64).collect()
}

fn add(labelled: &mut Vec<CountedEta>, eta: &[f64], counts: &[u64]) {
    let present = eta.iter().zip(counts).filter(|(_, times)| **times > 0);
    labelled.extend(present.map(|(eta, times)| CountedEta { eta: *eta, count: *times }));
}

/// How many of a class's scores in each bin are in this fold.
fn count_in_fold(counts: &[u64], fold: u64) -> Vec<u64> {
    let n: u64 = counts.iter().sum();
    // Of the first so many from one end, every tenth.
    let of_first = |many: u64| (many + FOLDS as u64 - 1 - fold) / FOLDS as u64;
    let (lower, upper) = (n.div_ceil(2), n / 2);
    let among = |before: u64| {
        let from_above = of_first(upper) - of_first((n - before).min(upper));
        of_first(before.min(lower)) + from_above
    };
    let mut before = 0;
    counts
        .iter()
        .map(|count| {
            let from = among(before);
            before += count;
            among(before) - from
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: the scores one by one.
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
