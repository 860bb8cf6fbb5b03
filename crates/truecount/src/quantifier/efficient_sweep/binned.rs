//! Efficient Sweep on bins: no family, no transform, nothing to choose.
//!
//! Anchored in the labelled sample any ψ gives a consistent estimate, and a good one a precise estimate. So ψ may be a step function,
//!
//! ```text
//! ψ_b = (e^η_b − 1)/(α₀ e^η_b + 1 − α₀),    α̂ = (mean_test ψ − E₋ψ)/(E₊ψ − E₋ψ),
//! ```
//!
//! with η_b from one penalised calibration curve (`calibration`), and E±ψ over labelled scores that the curve has not seen. All that
//! is kept of test scores is how many lie in each bin.
//!
//! It is a continuous sweep: Σ_b ψ_b c_b = Σ_θ (ψ_b − ψ_{b−1}) CC(θ_b), so that α̂ = Σ_θ w(θ) AC(θ) over the edges between the bins,
//! with the weights w = (ψ_b − ψ_{b−1}) J(θ_b)/(E₊ψ − E₋ψ), which sum to one.

use super::super::quantify::Quantify;
use super::super::raw_estimate::RawEstimate;
use super::{LEARNT_STEPS, Steps};
use crate::calibration::{Bins, Calibration, CountedEta, OutOfFold, out_of_fold_eta};
use crate::inference::Warning;
use crate::quantifier::anchored::LinearEstimator;
use crate::quantifier::anchored_mean::AnchoredMean;
use crate::tally::{BinCounts, InfluenceFunction, SampleStatistics, TallyState, WeightedCounts};
use crate::training::Training;
use crate::{Error, LabelledScores, PerClass, Problem};
use std::sync::Arc;

/// A bin of the score, and what labelled scores tell of those that lie in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// Where it begins; the first has no beginning. It ends before the next.
    pub from: Option<f64>,
    /// The labelled scores in it.
    pub labelled: PerClass<u64>,
    /// Their share of each class, by weight where they have weights.
    pub share: PerClass<f64>,
    /// The natural logarithm of how many times as often positives lie in it as negatives: the smoothed curve.
    pub log_ratio: f64,
}

/// A fitted Efficient Sweep on bins: ψ of the bins, at every α₀.
#[derive(Clone, Debug)]
pub struct BinnedSweep {
    bins: Arc<Bins>,
    eta: Vec<f64>,
    lambda: f64,
    steps: Steps,
}

impl BinnedSweep {
    /// The calibration curve, bin by bin.
    pub fn bins(&self) -> Vec<CalibrationBin> {
        let PerClass { positive, negative } = self.bins.counts();
        let from = [None].into_iter().chain(self.bins.edges().iter().map(Some));
        let labelled = positive.iter().zip(negative).map(|(p, n)| PerClass { positive: *p, negative: *n });
        let share = self.bins.effective_counts().map(|of| {
            let total: f64 = of.iter().sum();
            of.iter().map(|worth| worth / total).collect::<Vec<f64>>()
        });
        let share = share.positive.iter().zip(&share.negative).map(|(p, n)| PerClass { positive: *p, negative: *n });
        let each = from.zip(labelled).zip(share).zip(&self.eta);
        each.map(|(((from, labelled), share), eta)| CalibrationBin { from, labelled, share, log_ratio: *eta }).collect()
    }

    /// The weights with which Adjusted Count is averaged over the edges, best at a prevalence α₀ between 0 and 1: (ψ_b − ψ_{b−1}) Ĵ(θ_b),
    /// divided by their sum. Ĵ is the difference of the shares of labelled positives and negatives at or above the edge.
    pub fn weights(&self, alpha: f64) -> Vec<f64> {
        let counts = self.bins.effective_counts();
        let total = counts.map(|of| of.iter().sum::<f64>());
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

pub(super) fn fit(training: &Training) -> Result<BinnedSweep, Error> {
    let bins = training.bins().ok_or(Problem::NoSeparation { max_j: 0.0 })?;
    let calibration = Calibration::new(bins, training.labelled());
    let at = |&alpha: &f64| {
        let values = calibration.eta().iter().map(|eta| psi(*eta, alpha)).collect();
        let anchored = match (calibration.out_of_fold(), training.labelled().design()) {
            (OutOfFold::PerRow(eta), Some(design)) => {
                let values = eta.map(|of| of.iter().map(|eta| psi(*eta, alpha)).collect::<Vec<_>>());
                LinearEstimator::with_design_rates(design, &values)
            }
            (OutOfFold::Counted(values), _) => {
                let value = |CountedEta { eta, count: times }: &CountedEta| (psi(*eta, alpha), *times);
                LinearEstimator::with_counted_rates(&values.map(|of| of.iter().map(value).collect::<Vec<_>>()))
            }
            (OutOfFold::PerRow(_), None) => unreachable!("rows are seen one by one where they have a design"),
        };
        AnchoredMean::new(alpha, InfluenceFunction::Steps { edges: Arc::clone(bins.edges()), values }, anchored)
    };
    let steps = Steps::sound(LEARNT_STEPS.iter().map(at).collect())?;
    let (eta, lambda) = (calibration.eta().to_vec(), calibration.lambda());
    Ok(BinnedSweep { bins: Arc::clone(bins), eta, lambda, steps })
}

/// The efficient score where f⁺/f⁻ is e^η.
fn psi(eta: f64, alpha: f64) -> f64 {
    if eta > 0.0 {
        let above = (-eta).exp_m1();
        -above / (alpha + (1.0 - alpha) * (1.0 + above))
    } else {
        let above = eta.exp_m1();
        above / (alpha * (1.0 + above) + 1.0 - alpha)
    }
}

impl BinnedSweep {
    /// The step nearest to a prevalence.
    pub(super) fn step(&self, alpha: f64) -> &AnchoredMean {
        &self.steps.0[self.steps.nearest(alpha)]
    }
}

impl Quantify for BinnedSweep {
    fn empty_state(&self) -> TallyState {
        TallyState::Counts(BinCounts::new(self.bins.len()))
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        let TallyState::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        counts.update(self.bins.edges(), values)
    }

    fn sample_statistics(&self, state: &TallyState, place: usize) -> SampleStatistics {
        match self.anchored_means()[place].influence() {
            InfluenceFunction::Steps { values, .. } => state.statistics_in_bins(values),
            _ => unreachable!("steps on bins"),
        }
    }

    fn empty_weighted_state(&self) -> Option<TallyState> {
        Some(TallyState::WeightedCounts(WeightedCounts::new(self.bins.len())))
    }

    fn update_weighted(&self, state: &mut TallyState, values: &[f64], weights: &[f64]) {
        let TallyState::WeightedCounts(counts) = state else { unreachable!("a weighted tally of this quantifier") };
        let edges = self.bins.edges();
        values.iter().zip(weights).for_each(|(value, weight)| counts.add(edges.at_or_below(*value), *weight));
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let mut finding = self.steps.estimate(|place| self.sample_statistics(state, place));
        if state.n() > 1 && state.occupied_bins() == 1 {
            finding.warnings.push(Warning::NoSpread);
        }
        finding
    }

    fn mean_index(&self, state: &TallyState) -> usize {
        self.steps.second(|place| self.sample_statistics(state, place))
    }

    fn anchored_means(&self) -> &[AnchoredMean] {
        &self.steps.0
    }

    fn out_of_fold(&self, place: usize, labelled: &LabelledScores) -> Option<PerClass<Vec<f64>>> {
        let alpha = self.anchored_means()[place].best_at();
        Some(out_of_fold_eta(&self.bins, labelled).map(|of| of.iter().map(|eta| psi(*eta, alpha)).collect()))
    }

    fn bin_edges(&self) -> Vec<f64> {
        self.bins.edges().iter().collect()
    }

    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.steps.class_difference()
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        [self.steps.learnt(), vec![("bins", self.bins.len() as f64), ("smoothing", self.lambda)]].concat()
    }
}
