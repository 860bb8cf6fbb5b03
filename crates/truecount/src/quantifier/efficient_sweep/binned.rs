//! Efficient Sweep on bins, without a family, a transform or settings.
//!
//! With rates of the labelled scores any ψ gives a consistent estimate, and a good ψ a precise one.
//! ψ may therefore be a step function,
//!
//! ```text
//! ψ_b = (e^η_b − 1)/(q e^η_b + 1 − q),    α̂ = (mean_test ψ − E₋ψ)/(E₊ψ − E₋ψ),
//! ```
//!
//! with η_b from a penalised calibration curve (`calibration`), and E±ψ from the classes' shares of
//! the bins along that curve (`class_shares`). The tally needs only the number of test scores in
//! each bin.
//!
//! The estimator is a weighted sweep: Σ_b ψ_b c_b = Σ_θ (ψ_b − ψ_{b−1}) CC(θ_b) with c_b the share
//! of the test scores in bin b, so that α̂ = Σ_θ w(θ) AC(θ) over the edges between the bins. The
//! weights w = (ψ_b − ψ_{b−1}) J(θ_b)/(E₊ψ − E₋ψ) sum to one.

use super::super::quantify::Quantify;
use super::super::raw_estimate::RawEstimate;
use super::ScoreFunctions;
use super::class_shares::ClassShares;
use crate::calibration::{Bins, Curve};
use crate::inference::{Precision, Variance, Warning};
use crate::numeric::edges::Edges;
use crate::quantifier::anchored::LinearEstimator;
use crate::quantifier::anchored_mean::InfluenceMean;
use crate::quantifier::score_choice::{QS, ScoreChoice};
use crate::tally::{InfluenceFunction, MethodTally, SampleStatistics, WeightedCounts};
use crate::training::Training;
use crate::{Error, PerClass, Problem};
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
    /// ln f⁺/f⁻ in each bin, and the smoothing parameter.
    curve: Curve,
    shares: ClassShares,
    functions: ScoreFunctions,
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
        let columns = from.zip(labelled).zip(shares).zip(&self.curve.eta);
        let bin =
            |(((from, labelled), share), eta): (_, &f64)| CalibrationBin { from, labelled, share, log_ratio: *eta };
        columns.map(bin).collect()
    }

    /// Returns the weights of the Adjusted Counts at the edges for the estimate `alpha` from `n` test
    /// scores.
    ///
    /// The weights are (ψ_b − ψ_{b−1}) Ĵ(θ_b), divided by their sum. Ĵ is the difference of the
    /// classes' shares at or above the edge along the curve.
    pub fn weights(&self, alpha: f64, n: f64) -> Vec<f64> {
        let (psi, PerClass { positive, negative }) = (psi_in_bins(self.function_for(alpha, n)), &self.shares.smooth);
        let (mut j, mut weights) = (0.0, Vec::new());
        for bin in (1..psi.len()).rev() {
            j += positive[bin] - negative[bin];
            weights.push((psi[bin] - psi[bin - 1]) * j);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter().rev().map(|weight| weight / sum).collect()
    }
}

/// Fits Efficient Sweep on bins.
///
/// # Errors
/// Returns [`Problem::ClassesNotSeparated`] if all labelled scores are equal, and
/// [`Problem::ClassesNotSeparatedInMean`] if ψ does not separate the labelled classes.
pub(super) fn fit(training: &Training) -> Result<BinnedSweep, Error> {
    let bins = training.bins().ok_or(Problem::ClassesNotSeparated { max_j: 0.0 })?;
    let curve = Curve::new(bins);
    let shares = ClassShares::new(bins, &curve.eta);
    let limited = shares.limited(&curve.eta);
    let mean = |&q: &f64| {
        let values: Vec<f64> = limited.iter().map(|eta| psi(*eta, q)).collect();
        let estimator = if let Some(design) = training.labelled().design() {
            LinearEstimator::with_design_rates(design, &shares.labelled_values(bins, training.labelled(), &values))
        } else {
            let maps = shares.psi_maps(&values);
            LinearEstimator::with_counted_rates(&maps.zip_map(bins.counts(), |map, counts| {
                values.iter().zip(counts).map(|(psi, count)| (map.value(*psi), *count)).collect::<Vec<_>>()
            }))
        };
        let influence = InfluenceFunction::Steps { edges: Arc::clone(bins.edges()), values };
        InfluenceMean::new(q, influence, estimator.with_errors_like_the_other_class())
    };
    let functions = ScoreFunctions::separated(QS.iter().map(mean).collect(), Some(shares.effective_sizes))?;
    Ok(BinnedSweep { bins: Arc::clone(bins), curve, shares, functions })
}

/// Returns the efficient score ψ at q for f⁺/f⁻ = e^η, without cancellation and overflow.
fn psi(eta: f64, q: f64) -> f64 {
    if eta > 0.0 {
        let x = (-eta).exp_m1();
        -x / (q + (1.0 - q) * (1.0 + x))
    } else {
        let x = eta.exp_m1();
        x / (q * (1.0 + x) + 1.0 - q)
    }
}

impl BinnedSweep {
    /// Returns the function for the estimate `alpha` from `n` test scores.
    pub(super) fn function_for(&self, alpha: f64, n: f64) -> &InfluenceMean {
        self.functions.at(alpha, n)
    }

    /// Returns the function whose q is nearest.
    pub(super) fn nearest(&self, q: f64) -> &InfluenceMean {
        &self.functions.means[self.functions.choice.nearest(q)]
    }

    /// Returns the classes' shares of the bins along the curve.
    pub(super) fn smooth_shares(&self) -> &PerClass<Vec<f64>> {
        &self.shares.smooth
    }
}

pub(super) fn psi_in_bins(function: &InfluenceMean) -> &[f64] {
    let InfluenceFunction::Steps { values, .. } = function.influence() else { unreachable!("steps on bins") };
    values
}

impl BinnedSweep {
    /// Returns the estimate from a tally, with n as the effective number of test scores if their
    /// design changes it.
    fn estimate_from(&self, state: &MethodTally, n: Option<f64>) -> RawEstimate {
        let mut estimate = self.functions.estimate(|index| self.sample_statistics(state, index), n);
        if state.n() > 1 && state.occupied_bins() == 1 {
            estimate.warnings.push(Warning::NoSpread);
        }
        estimate
    }
}

impl Quantify for BinnedSweep {
    fn edges(&self) -> Option<&Edges> {
        Some(self.bins.edges())
    }

    fn sample_statistics(&self, state: &MethodTally, index: usize) -> SampleStatistics {
        state.statistics_in_bins(psi_in_bins(&self.anchored_means()[index]))
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
        self.estimate_from(state, None)
    }

    fn estimate_for_size(&self, state: &MethodTally, n: f64) -> RawEstimate {
        self.estimate_from(state, Some(n))
    }

    fn first_step_variance(&self, state: &MethodTally) -> Option<Variance> {
        self.functions.first_step_variance(|index| self.sample_statistics(state, index))
    }

    fn mean_index(&self, state: &MethodTally) -> usize {
        self.functions.final_function(|index| self.sample_statistics(state, index), None)
    }

    fn anchored_means(&self) -> &[InfluenceMean] {
        &self.functions.means
    }

    fn score_choice(&self) -> Option<&ScoreChoice> {
        Some(&self.functions.choice)
    }

    fn precision(&self, alpha: f64, n: f64) -> Option<Precision> {
        self.function_for(alpha, n).estimator().precision()
    }

    fn precisions(&self, _: f64) -> Vec<Precision> {
        self.functions.precisions()
    }

    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.functions.class_difference()
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        [self.functions.parameters(), vec![("bins", self.bins.len() as f64), ("smoothing", self.curve.lambda)]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::number;
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../../tests/golden/two_sample_score.json");

    /// With the exact ratio of the densities, q, ψ and V agree with the golden values, and V equals the
    /// lower bound over all functions, up to the divisors n± − 1 instead of n±.
    #[test]
    fn score_at_q_has_the_smallest_variance() {
        let golden: Value = serde_json::from_str(GOLDEN).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let counts = |name: &str| -> Vec<u64> {
                case[name].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect()
            };
            let counts = PerClass { positive: counts("positive"), negative: counts("negative") };
            let sizes = counts.map(|counts| counts.iter().sum::<u64>() as f64);
            let (alpha, n) = (number(&case["alpha"]), number(&case["n"]));
            let q = ScoreChoice::new(&QS, Some(sizes)).best_q(alpha, n);
            let close = |actual: f64, expected: &Value| (actual / number(expected) - 1.0).abs() < 1e-13;
            assert!(close(q, &case["share"]), "{q}");
            let eta = |(p, m): (&u64, &u64)| (*p as f64 / sizes.positive / (*m as f64 / sizes.negative)).ln();
            let values: Vec<f64> =
                counts.positive.iter().zip(&counts.negative).map(eta).map(|eta| psi(eta, q)).collect();
            for (value, expected) in values.iter().zip(case["psi"].as_array().unwrap()) {
                assert!((value - number(expected)).abs() < 1e-13 * (1.0 + value.abs()), "{value} {expected}");
            }
            let rates = counts.map(|counts| values.iter().copied().zip(counts.iter().copied()).collect::<Vec<_>>());
            let precision = LinearEstimator::with_counted_rates(&rates).precision().unwrap();
            let variance = precision.sampling_variance(alpha, n) + precision.training_variance(alpha);
            assert!(close(variance, &case["variance"]), "{variance}");
            let smaller = sizes.positive.min(sizes.negative);
            let ratio = variance / number(&case["bound"]);
            assert!((1.0..=smaller / (smaller - 1.0) + 1e-13).contains(&ratio), "{ratio}");
        }
    }
}
