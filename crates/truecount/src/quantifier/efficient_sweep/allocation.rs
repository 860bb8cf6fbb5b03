//! The allocation of labels to intervals of the score that minimises the variance (Neyman 1934).
//!
//! Suppose that n rows are labelled from scores with prevalence α, n_b of them from bin b with the
//! share h_b of the scores, and weighted by h_b n/n_b. Then the labelled part of the variance is
//!
//! ```text
//! V = Σ_b h_b² E(ψ² | b)/n_b,    E(ψ² | b) = [q_b (g_b − a₊)² + (1 − q_b)(g_b − a₋)²]/(a₊ − a₋)².
//! ```
//!
//! Here ψ = α y (g − a₊)/P₊ + (1−α)(1−y)(g − a₋)/P₋ is the contribution of a row, with P₊ = α and
//! P₋ = 1 − α, and q_b is the share of positives in the bin by the calibration curve. The minimum
//! is (Σ h √E)²/n, at n_b ∝ h_b √E(ψ² | b). A simple random sample has V = Σ h E/n.
//!
//! To get a few intervals, neighbouring bins are merged, always the pair whose merging increases
//! the minimum least. A tenth of the labels is a simple random sample, so that no weight exceeds
//! ten: the pilot sample may be wrong about a bin.

use super::binned::psi_in_bins;
use super::{BinnedSweep, CalibrationBin};
use crate::{Error, PerClass};

/// The maximum number of intervals of the score.
const MAX_INTERVALS: usize = 8;

/// The share of the labels that is a simple random sample.
const RANDOM_SHARE: f64 = 0.1;

/// An allocation of labels to intervals of the score.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Allocation {
    /// The intervals in ascending order, without gaps.
    pub intervals: Vec<LabelInterval>,
    /// The ratio of the labelled part of the variance to that of a simple random sample of as many
    /// labels.
    pub variance_ratio: f64,
}

/// An interval of the score with its share of the labels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LabelInterval {
    /// The lower bound, which belongs to the interval; `None` for the first interval. The upper
    /// bound is the lower bound of the next interval.
    pub from: Option<f64>,
    /// The expected share of the scores in the interval.
    pub scores: f64,
    /// The share of the labels to draw from the interval.
    pub labels: f64,
    /// The weight of a labelled row in the interval: the share of the scores over that of the
    /// labels.
    pub weight: f64,
}

/// A bin, or several merged bins.
#[derive(Clone, Copy)]
struct MergedBin {
    /// The lower bound.
    from: Option<f64>,
    /// h.
    share: f64,
    /// h E(ψ² | b).
    squares: f64,
}

impl MergedBin {
    /// Returns h √E(ψ² | b), to which the number of labels should be proportional.
    fn root(&self) -> f64 {
        (self.share * self.squares).sqrt()
    }

    fn merged_with(&self, next: &Self) -> Self {
        Self { from: self.from, share: self.share + next.share, squares: self.squares + next.squares }
    }
}

impl BinnedSweep {
    /// Returns the allocation of labels with the smallest variance for scores of this prevalence.
    /// The labelled scores are the pilot sample.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if the prevalence is not
    /// in (0, 1).
    pub fn allocation(&self, prevalence: f64) -> Result<Allocation, Error> {
        let (is_inside, domain) = (prevalence > 0.0 && prevalence < 1.0, "between 0 and 1, both excluded");
        Error::unless_in_domain(is_inside, ("the prevalence", prevalence), domain)?;
        let mut bins = self.bins_at(prevalence);
        while bins.len() > MAX_INTERVALS {
            let increase = |k: &usize| {
                let (left, right) = (&bins[*k], &bins[*k + 1]);
                left.merged_with(right).root() - left.root() - right.root()
            };
            let best = (0..bins.len() - 1).min_by(|a, b| increase(a).total_cmp(&increase(b))).expect("several bins");
            bins[best] = bins[best].merged_with(&bins[best + 1]);
            bins.remove(best + 1);
        }
        let root_sum: f64 = bins.iter().map(MergedBin::root).sum();
        let interval = |bin: &MergedBin| {
            let labels = RANDOM_SHARE * bin.share + (1.0 - RANDOM_SHARE) * bin.root() / root_sum;
            LabelInterval { from: bin.from, scores: bin.share, labels, weight: bin.share / labels }
        };
        let intervals: Vec<LabelInterval> = bins.iter().map(interval).collect();
        let allocated: f64 = bins.iter().zip(&intervals).map(|(bin, interval)| interval.weight * bin.squares).sum();
        let random: f64 = bins.iter().map(|bin| bin.squares).sum();
        Ok(Allocation { intervals, variance_ratio: allocated / random })
    }

    /// Returns every bin with its share of scores of this prevalence and its h E(ψ² | b).
    fn bins_at(&self, alpha: f64) -> Vec<MergedBin> {
        // A random sample has class sizes in the ratio α : 1 − α, for which q = α is best.
        let function = self.nearest(alpha);
        let PerClass { positive, negative } = function.estimator().moments().map(|moments| moments.mean);
        let distance = positive - negative;
        let bin_at = |(((bin, p), n), g): (((CalibrationBin, &f64), &f64), &f64)| {
            let (p, n) = (alpha * p, (1.0 - alpha) * n);
            let squares = p * (g - positive).powi(2) + n * (g - negative).powi(2);
            MergedBin { from: bin.from, share: p + n, squares: squares / (distance * distance) }
        };
        let shares = self.smooth_shares();
        let bins = self.bins().into_iter().zip(&shares.positive).zip(&shares.negative);
        bins.zip(psi_in_bins(function)).map(bin_at).collect()
    }
}
