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
//! means of ψ by these shares, a_c, have less noise than the means over the labelled scores, a_l,
//! most of all at q near 0 or 1, where ψ is large in a few bins. But the curve is smooth, so it may
//! be too flat, and its means are then wrong however many scores are labelled. The class mean
//! follows the curve as far as the labelled scores do not contradict it:
//!
//! ```text
//! a = a_l + (a_c − a_l) v/(v + (a_c − a_l)²),    v = max(labelled variance, curve's variance)/n±
//! ```
//!
//! So a differs from a_l by at most √v/2, half a standard error, and is consistent for any curve.
//!
//! Each class variance is the larger of that along the curve and that of the labelled scores. All
//! further moments and the contributions of rows come from the labelled scores, whose ψ is shifted
//! and scaled to this mean and variance ([`PsiMap`]).
//!
//! A few labelled scores cannot show that a score is a hundred times as frequent in one class as in
//! the other. ψ would be large there, and its class means badly known. The curve is therefore limited
//! for ψ, as if each class had a fifth of a score more that is like the scores of the other class.

use crate::calibration::Bins;
use crate::{LabelledScores, PerClass};

/// The part of a score of the other class that is mixed with each class.
const CONTAMINATION: f64 = 0.2;

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

    /// Returns the curve η limited to what the numbers of labelled scores can show: each class is mixed
    /// with a part of a score that is like those of the other class.
    pub(super) fn limited(&self, eta: &[f64]) -> Vec<f64> {
        let PerClass { positive, negative } = self.effective_sizes.map(|n| CONTAMINATION / n);
        // ln[(r + a)/(1 + a)] − ln[(1 + b r)/(1 + b)] with r = f⁺/f⁻. If r exceeds 1, r + a and 1 + b r are
        // both divided by r, so that nothing overflows.
        let limit = |eta: &f64| {
            let (above, below) = if *eta > 0.0 {
                let inverse = (-eta).exp();
                (1.0 + positive * inverse, inverse + negative)
            } else {
                (eta.exp() + positive, 1.0 + negative * eta.exp())
            };
            (above / (1.0 + positive)).ln() - (below / (1.0 + negative)).ln()
        };
        eta.iter().map(limit).collect()
    }

    /// Returns the maps of ψ, given for every bin, to the values of the labelled scores of each class.
    pub(super) fn psi_maps(&self, psi: &[f64]) -> PerClass<PsiMap> {
        PerClass::from_fn(|class| {
            let n = *self.effective_sizes.get(class);
            let [smooth, labelled] = [&self.smooth, &self.labelled].map(|shares| moments(shares.get(class), psi));
            let labelled_variance = labelled.1 * n / (n - 1.0).max(1.0);
            let ratio = smooth.1 / labelled_variance;
            let scale = if ratio > 1.0 && ratio.is_finite() { ratio.sqrt() } else { 1.0 };
            let (difference, variance) = (smooth.0 - labelled.0, smooth.1.max(labelled_variance) / n);
            let credibility = variance / (variance + difference * difference);
            let correction = if difference == 0.0 { 0.0 } else { credibility * difference };
            PsiMap { labelled_mean: labelled.0, mean: labelled.0 + correction, scale }
        })
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

/// An affine map that gives the labelled scores' ψ of one class the class mean of ψ and the larger
/// of the two variances.
#[derive(Clone, Copy, Debug)]
pub(super) struct PsiMap {
    labelled_mean: f64,
    mean: f64,
    /// The ratio of the standard deviations, at least 1.
    scale: f64,
}

impl PsiMap {
    /// Returns the value of a labelled score with this ψ.
    pub(super) fn value(&self, psi: f64) -> f64 {
        self.mean + self.scale * (psi - self.labelled_mean)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(positive: [f64; 3], negative: [f64; 3], curve: [f64; 3]) -> ClassShares {
        let labelled = PerClass { positive: positive.to_vec(), negative: negative.to_vec() };
        let effective_sizes = labelled.map(|counts| counts.iter().sum::<f64>());
        let smooth = PerClass { positive: curve.to_vec(), negative: normalised(&labelled.negative) };
        ClassShares { smooth, labelled: labelled.map(|counts| normalised(counts)), effective_sizes }
    }

    /// The class mean lies between the labelled mean and the curve's, at most half a standard error
    /// from the labelled mean, and follows a curve that differs by less.
    #[test]
    fn the_class_mean_follows_the_curve_as_far_as_labels_allow() {
        let psi = [-1.0, 0.0, 2.0];
        let (positive, negative) = ([2.0, 3.0, 15.0], [60.0, 30.0, 10.0]);
        for third in [0.7, 0.749, 0.75, 0.76, 0.9] {
            let shares = shares(positive, negative, [0.1, 0.9 - third, third]);
            let map = shares.psi_maps(&psi).positive;
            let ([labelled, curve], n) =
                ([[0.1, 0.15, 0.75], [0.1, 0.9 - third, third]].map(|shares| moments(&shares, &psi)), 20.0);
            let error = (curve.1.max(labelled.1 * n / (n - 1.0)) / n).sqrt();
            let (moved, difference) = (map.mean - labelled.0, curve.0 - labelled.0);
            assert!(moved.abs() <= 0.5 * error && moved * difference >= 0.0, "{third}: {moved} {difference}");
            assert!(moved.abs() <= difference.abs());
            if difference.abs() < 0.1 * error {
                assert!((moved - difference).abs() <= 0.011 * difference.abs(), "{third}: {moved} {difference}");
            }
        }
    }

    /// With the parts a of the negatives and b of the positives mixed in, the ratio of the densities is
    /// (r + a)/(1 + a) · (1 + b)/(1 + b r), which lies between a/(1 + a) and (1 + b)/b.
    #[test]
    fn the_limited_curve_is_that_of_mixed_classes() {
        let shares = shares([1.0, 3.0, 6.0], [60.0, 30.0, 10.0], [0.1, 0.3, 0.6]);
        let (a, b) = (0.02, 0.002);
        let eta = [-800.0, -3.0, 0.0, 1e-9, 2.0, 800.0];
        let limited = shares.limited(&eta);
        for (eta, limited) in eta.iter().zip(&limited).skip(1).take(4) {
            let r = eta.exp();
            let expected = ((r + a) / (1.0 + a) * (1.0 + b) / (1.0 + b * r)).ln();
            assert!((limited - expected).abs() < 1e-14, "{eta}: {limited} {expected}");
        }
        assert!((limited[0] - (a * (1.0 + b) / (1.0 + a)).ln()).abs() < 1e-13);
        assert!((limited[5] - ((1.0 + b) / b / (1.0 + a)).ln()).abs() < 1e-13);
    }
}
