//! The weight of each number z of positives among the c test scores of a bin, with the bin
//! probabilities of both classes integrated out:
//!
//! ```text
//! w(z) = C(c, z) Γ(a + z) Γ(d + c − z) ∝ Γ(a + z)/Γ(1 + z) · Γ(d + c − z)/Γ(1 + c − z)
//! ```
//!
//! Here a and d are the labelled positives and negatives of the bin, including the pseudo-counts of
//! the prior. This is a beta-binomial distribution. ln w is concave if a and d are at least 1.

use crate::numeric::incomplete_beta::ln_gamma_ratio;
use crate::numeric::integer_sum::{END_POINTS, point_weights};

/// The maximum ratio of the spacings of a row and the finer row that is condensed into it.
const REFINEMENT: u64 = 64;

/// The counts in a bin, or in several merged bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Bin {
    /// Labelled positives plus the pseudo-counts of the prior.
    pub(in super::super) positive: f64,
    /// Labelled negatives plus the pseudo-counts of the prior.
    pub(in super::super) negative: f64,
    pub(in super::super) count: u64,
}

/// ln w of a bin at equally spaced numbers of positives, including the weights of a quadrature over
/// all numbers.
pub(super) struct WeightRow {
    /// The first number of positives.
    pub(super) first: u64,
    pub(super) ln_weights: Vec<f64>,
}

impl Bin {
    pub(super) fn swapped(self) -> Self {
        Self { positive: self.negative, negative: self.positive, count: self.count }
    }

    pub(super) fn merged(bins: &[Self]) -> Self {
        let empty = Self { positive: 0.0, negative: 0.0, count: 0 };
        bins.iter().fold(empty, |sum, bin| Self {
            positive: sum.positive + bin.positive,
            negative: sum.negative + bin.negative,
            count: sum.count + bin.count,
        })
    }

    /// Returns ln w, up to a constant.
    pub(super) fn ln_weight(&self, positives: f64) -> f64 {
        let ln_ratio = |labelled: f64, z: f64| ln_gamma_ratio(1.0 + z, labelled - 1.0);
        ln_ratio(self.positive, positives) + ln_ratio(self.negative, self.count as f64 - positives)
    }

    /// Returns ln w at every h-th number of positives, up to about `max_positives`.
    ///
    /// If few scores of a class were labelled in the bin, w is steep at one end; the numbers then
    /// include that end.
    pub(super) fn row(&self, h: u64, max_positives: u64) -> WeightRow {
        if h == 1 {
            let ln_weights = (0..=self.count.min(max_positives)).map(|z| self.ln_weight(z as f64)).collect();
            return WeightRow { first: 0, ln_weights };
        }
        if self.count < 2 * END_POINTS as u64 * h {
            return self.condensed_row(h);
        }
        let first = if self.negative < self.positive { self.count % h } else { 0 };
        let last = self.count.min(first + max_positives.div_ceil(h).max(2 * END_POINTS as u64) * h);
        let (points, after) = ((last - first) / h + 1, (last - first) % h);
        #[allow(clippy::cast_possible_truncation)] // the points are in memory
        let weights = point_weights(points as usize, h as f64, first as f64, after as f64);
        let ln_weights =
            weights.iter().zip(0..).map(|(weight, k)| weight.ln() + self.ln_weight((first + k * h) as f64));
        WeightRow { first, ln_weights: ln_weights.collect() }
    }

    /// Returns ln w at every h-th number for a bin with few scores. Each weight of a finer row is
    /// split between the numbers on either side, so that the mean is preserved.
    #[allow(clippy::cast_possible_truncation)] // the points are in memory
    fn condensed_row(&self, h: u64) -> WeightRow {
        let finer = (h / REFINEMENT).max(1);
        let WeightRow { first, ln_weights } = self.row(finer, self.count);
        let ln_weight = |point: u64| {
            let start = (point + 1).saturating_sub(first + h).div_ceil(finer) as usize;
            let end = (((point + h - 1 - first) / finer + 1) as usize).min(ln_weights.len());
            let parts = (start..end).map(|k| {
                let distance = (first + k as u64 * finer).abs_diff(point) as f64 / h as f64;
                (ln_weights[k], 1.0 - distance)
            });
            let largest = parts.clone().map(|(ln, _)| ln).fold(f64::NEG_INFINITY, f64::max);
            largest + parts.map(|(ln, part)| part * (ln - largest).exp()).sum::<f64>().ln()
        };
        WeightRow { first: 0, ln_weights: (0..=self.count.div_ceil(h)).map(|k| ln_weight(k * h)).collect() }
    }
}
