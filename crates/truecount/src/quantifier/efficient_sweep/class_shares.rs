//! The classes' shares of the bins along the calibration curve, and with them the class means of ψ.
//!
//! The labelled scores of both classes give the number N_b in each bin, and the curve divides it
//! between the classes:
//!
//! ```text
//! h₊_b ∝ N_b π_b,    h₋_b ∝ N_b (1 − π_b),    logit π_b = η_b + ln(n₊/n₋)
//! ```
//!
//! Without a penalty on the curve this is the joint maximum-likelihood estimate (Qin 1998). The
//! means of ψ by these shares have less noise than the means over the labelled scores themselves,
//! most of all at q near 0 or 1, where ψ is large in a few bins.
//!
//! The curve is smooth, so it may be too flat. Therefore each class variance is the larger of that
//! along the curve and that of the labelled scores. All further moments and the contributions of rows
//! come from the labelled scores, whose ψ is shifted and scaled to this mean and variance
//! ([`PsiMap`]).

use crate::calibration::Bins;
use crate::{LabelledScores, PerClass};

/// The shares of both classes in every bin.
#[derive(Clone, Debug)]
pub(super) struct ClassShares {
    /// The shares along the curve.
    pub(super) smooth: PerClass<Vec<f64>>,
    /// The shares of the labelled scores.
    labelled: PerClass<Vec<f64>>,
    /// The effective numbers of labelled scores.
    pub(super) effective_sizes: PerClass<f64>,
}

impl ClassShares {
    /// Returns the shares along a curve, η in each bin.
    ///
    /// With fewer than three bins the curve adds no information, so the shares are those of the labelled
    /// scores.
    pub(super) fn new(bins: &Bins, eta: &[f64]) -> Self {
        let counts = bins.effective_counts();
        let effective_sizes = counts.map(|counts| counts.iter().sum::<f64>());
        let labelled = counts.map(|counts| normalised(counts));
        if eta.len() < 3 {
            return Self { smooth: labelled.clone(), labelled, effective_sizes };
        }
        let log_size_ratio = (effective_sizes.positive / effective_sizes.negative).ln();
        let class = |sign: f64| {
            let totals = counts.positive.iter().zip(&counts.negative).map(|(p, n)| p + n).zip(eta);
            let of_class = totals.map(|(total, eta)| total / (1.0 + (-sign * (eta + log_size_ratio)).exp()));
            normalised(&of_class.collect::<Vec<f64>>())
        };
        Self { smooth: PerClass { positive: class(1.0), negative: class(-1.0) }, labelled, effective_sizes }
    }

    /// Returns the maps of ψ, given for every bin, to the values of the labelled scores of each class.
    pub(super) fn psi_maps(&self, psi: &[f64]) -> PerClass<PsiMap> {
        let class = |smooth: &[f64], labelled: &[f64], n: f64| {
            let [smooth, labelled] = [smooth, labelled].map(|shares| moments(shares, psi));
            let ratio = smooth.1 / (labelled.1 * n / (n - 1.0).max(1.0));
            let scale = if ratio > 1.0 && ratio.is_finite() { ratio.sqrt() } else { 1.0 };
            PsiMap { labelled_mean: labelled.0, curve_mean: smooth.0, scale }
        };
        PerClass {
            positive: class(&self.smooth.positive, &self.labelled.positive, self.effective_sizes.positive),
            negative: class(&self.smooth.negative, &self.labelled.negative, self.effective_sizes.negative),
        }
    }

    /// Returns the value of every labelled score of both classes, from ψ in each bin.
    pub(super) fn labelled_values(&self, bins: &Bins, labelled: &LabelledScores, psi: &[f64]) -> PerClass<Vec<f64>> {
        let class = |map: &PsiMap, scores: &[f64]| {
            scores.iter().map(|score| map.value(psi[bins.edges().at_or_below(*score)])).collect()
        };
        let (maps, PerClass { positive, negative }) = (self.psi_maps(psi), labelled.scores());
        PerClass { positive: class(&maps.positive, positive), negative: class(&maps.negative, negative) }
    }
}

/// An affine map that gives the labelled scores' ψ of one class the mean along the curve and the
/// larger of the two variances.
#[derive(Clone, Copy, Debug)]
pub(super) struct PsiMap {
    labelled_mean: f64,
    curve_mean: f64,
    /// The ratio of the standard deviations, at least 1.
    scale: f64,
}

impl PsiMap {
    /// Returns the value of a labelled score with this ψ.
    pub(super) fn value(&self, psi: f64) -> f64 {
        self.curve_mean + self.scale * (psi - self.labelled_mean)
    }
}

/// Returns the values divided by their sum.
fn normalised(values: &[f64]) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    values.iter().map(|value| value / sum).collect()
}

/// Returns the mean and the mean squared deviation of values with these shares.
fn moments(shares: &[f64], values: &[f64]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
    let square: f64 = shares.iter().zip(values).map(|(share, value)| share * (value - mean).powi(2)).sum();
    (mean, square)
}
