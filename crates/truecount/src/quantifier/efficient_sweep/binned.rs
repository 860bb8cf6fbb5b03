//! Efficient Sweep on bins, without a family, a transform or settings.
//!
//! With rates of the labelled scores any ψ gives a consistent estimate, and a good ψ a precise one.
//! ψ may therefore be a step function,
//!
//! ```text
//! ψ_b = (e^η_b − 1)/(α₀ e^η_b + 1 − α₀),    α̂ = (mean_test ψ − E₋ψ)/(E₊ψ − E₋ψ),
//! ```
//!
//! with η_b from a penalised calibration curve (`calibration`), and E±ψ from cross-fitting: each
//! labelled score has the ψ of a curve without its fold. The tally needs only the number of test
//! scores in each bin.
//!
//! The estimator is a weighted sweep: Σ_b ψ_b c_b = Σ_θ (ψ_b − ψ_{b−1}) CC(θ_b) with c_b the share
//! of the test scores in bin b, so that α̂ = Σ_θ w(θ) AC(θ) over the edges between the bins. The
//! weights w = (ψ_b − ψ_{b−1}) J(θ_b)/(E₊ψ − E₋ψ) sum to one.

use super::super::quantify::Quantify;
use super::super::raw_estimate::RawEstimate;
use super::{SAMPLE_RATE_ALPHAS, Steps};
use crate::calibration::{Bins, Calibration, CountedEta, OutOfFold, out_of_fold_eta};
use crate::inference::Warning;
use crate::quantifier::anchored::LinearEstimator;
use crate::quantifier::anchored_mean::InfluenceMean;
use crate::tally::{BinCounts, InfluenceFunction, MethodTally, SampleStatistics, WeightedCounts};
use crate::training::Training;
use crate::{Error, LabelledScores, PerClass, Problem};
use std::sync::Arc;

/// A bin of the calibration curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// The lower bound, which belongs to the bin; `None` for the first bin. The upper bound is the
    /// lower bound of the next bin.
    pub from: Option<f64>,
    /// The number of labelled scores in the bin.
    pub labelled: PerClass<u64>,
    /// The (weighted) share of the labelled scores of each class in the bin.
    pub share: PerClass<f64>,
    /// The smoothed ln f⁺/f⁻ in the bin.
    pub log_ratio: f64,
}

/// A fitted Efficient Sweep on bins.
#[derive(Clone, Debug)]
pub struct BinnedSweep {
    bins: Arc<Bins>,
    /// The smoothed ln f⁺/f⁻ in each bin.
    eta: Vec<f64>,
    /// The smoothing parameter of the curve.
    lambda: f64,
    steps: Steps,
}

impl BinnedSweep {
    /// Returns the bins of the calibration curve in ascending order.
    pub fn bins(&self) -> Vec<CalibrationBin> {
        let PerClass { positive, negative } = self.bins.counts();
        let from = [None].into_iter().chain(self.bins.edges().iter().map(Some));
        let labelled = positive.iter().zip(negative).map(|(p, n)| PerClass { positive: *p, negative: *n });
        let shares = self.bins.effective_counts().map(|counts| {
            let total: f64 = counts.iter().sum();
            counts.iter().map(|count| count / total).collect::<Vec<f64>>()
        });
        let shares = shares.positive.iter().zip(&shares.negative).map(|(p, n)| PerClass { positive: *p, negative: *n });
        let columns = from.zip(labelled).zip(shares).zip(&self.eta);
        let bin =
            |(((from, labelled), share), eta): (_, &f64)| CalibrationBin { from, labelled, share, log_ratio: *eta };
        columns.map(bin).collect()
    }

    /// Returns the weights of the Adjusted Counts at the edges for the prevalence α₀ between 0 and
    /// 1.
    ///
    /// The weights are (ψ_b − ψ_{b−1}) Ĵ(θ_b), divided by their sum. Ĵ is the difference of the
    /// shares of labelled positives and negatives at or above the edge.
    pub fn weights(&self, alpha: f64) -> Vec<f64> {
        let counts = self.bins.effective_counts();
        let total = counts.map(|counts| counts.iter().sum::<f64>());
        let (mut above, mut weights) = (PerClass { positive: 0.0, negative: 0.0 }, Vec::new());
        for bin in (1..self.eta.len()).rev() {
            above.positive += counts.positive[bin];
            above.negative += counts.negative[bin];
            let j = above.positive / total.positive - above.negative / total.negative;
            weights.push((psi(self.eta[bin], alpha) - psi(self.eta[bin - 1], alpha)) * j);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter().rev().map(|weight| weight / sum).collect()
    }
}

/// Fits Efficient Sweep on bins.
///
/// # Errors
/// Returns [`Problem::NoSeparation`] if all labelled scores are equal, and
/// [`Problem::NoSeparationInMean`] if ψ does not separate the labelled classes.
pub(super) fn fit(training: &Training) -> Result<BinnedSweep, Error> {
    let bins = training.bins().ok_or(Problem::NoSeparation { max_j: 0.0 })?;
    let calibration = Calibration::new(bins, training.labelled());
    let mean = |&alpha: &f64| {
        let values = calibration.eta().iter().map(|eta| psi(*eta, alpha)).collect();
        let estimator = match (calibration.out_of_fold(), training.labelled().design()) {
            (OutOfFold::PerRow(etas), Some(design)) => {
                let values = etas.map(|etas| etas.iter().map(|eta| psi(*eta, alpha)).collect::<Vec<_>>());
                LinearEstimator::with_design_rates(design, &values)
            }
            (OutOfFold::Counted(etas), _) => {
                let value = |CountedEta { eta, count }: &CountedEta| (psi(*eta, alpha), *count);
                LinearEstimator::with_counted_rates(&etas.map(|etas| etas.iter().map(value).collect::<Vec<_>>()))
            }
            (OutOfFold::PerRow(_), None) => unreachable!("only rows with a design have a value each"),
        };
        InfluenceMean::new(alpha, InfluenceFunction::Steps { edges: Arc::clone(bins.edges()), values }, estimator)
    };
    let steps = Steps::new(SAMPLE_RATE_ALPHAS.iter().map(mean).collect())?;
    let (eta, lambda) = (calibration.eta().to_vec(), calibration.lambda());
    Ok(BinnedSweep { bins: Arc::clone(bins), eta, lambda, steps })
}

/// Returns the efficient score ψ for f⁺/f⁻ = e^η, without cancellation and overflow.
fn psi(eta: f64, alpha: f64) -> f64 {
    if eta > 0.0 {
        let x = (-eta).exp_m1();
        -x / (alpha + (1.0 - alpha) * (1.0 + x))
    } else {
        let x = eta.exp_m1();
        x / (alpha * (1.0 + x) + 1.0 - alpha)
    }
}

impl BinnedSweep {
    /// Returns ψ at the α₀ nearest to a prevalence.
    pub(super) fn step(&self, alpha: f64) -> &InfluenceMean {
        &self.steps.0[self.steps.nearest(alpha)]
    }
}

impl Quantify for BinnedSweep {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Counts(BinCounts::new(self.bins.len()))
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        counts.update(self.bins.edges(), values)
    }

    fn sample_statistics(&self, state: &MethodTally, index: usize) -> SampleStatistics {
        match self.anchored_means()[index].influence() {
            InfluenceFunction::Steps { values, .. } => state.statistics_in_bins(values),
            _ => unreachable!("steps on bins"),
        }
    }

    fn empty_weighted_state(&self) -> Option<MethodTally> {
        Some(MethodTally::WeightedCounts(WeightedCounts::new(self.bins.len())))
    }

    fn update_weighted(&self, state: &mut MethodTally, values: &[f64], weights: &[f64]) {
        let MethodTally::WeightedCounts(counts) = state else { unreachable!("a weighted tally of this quantifier") };
        let edges = self.bins.edges();
        values.iter().zip(weights).for_each(|(value, weight)| counts.add(edges.at_or_below(*value), *weight));
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let mut estimate = self.steps.estimate(|index| self.sample_statistics(state, index));
        if state.n() > 1 && state.occupied_bins() == 1 {
            estimate.warnings.push(Warning::ScoresWithoutInformation);
        }
        estimate
    }

    fn mean_index(&self, state: &MethodTally) -> usize {
        self.steps.second_step(|index| self.sample_statistics(state, index))
    }

    fn anchored_means(&self) -> &[InfluenceMean] {
        &self.steps.0
    }

    fn out_of_fold(&self, index: usize, labelled: &LabelledScores) -> Option<PerClass<Vec<f64>>> {
        let alpha = self.anchored_means()[index].best_at();
        Some(out_of_fold_eta(&self.bins, labelled).map(|etas| etas.iter().map(|eta| psi(*eta, alpha)).collect()))
    }

    fn bin_edges(&self) -> Vec<f64> {
        self.bins.edges().iter().collect()
    }

    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.steps.class_difference()
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        [self.steps.parameters(), vec![("bins", self.bins.len() as f64), ("smoothing", self.lambda)]].concat()
    }
}
