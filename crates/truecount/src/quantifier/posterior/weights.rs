//! How much each number z of positives among the c test scores of a bin counts, both classes' chances of the bin integrated out:
//!
//! ```text
//! w(z) = C(c, z) Γ(a + z) Γ(d + c − z) ∝ Γ(a + z)/Γ(1 + z) · Γ(d + c − z)/Γ(1 + c − z)
//! ```
//!
//! with a and d the labelled positives and negatives of the bin, the prior's among them: a beta-binomial distribution. Of 1 or more they
//! make w concave on the logarithmic scale.

use crate::numeric::incomplete_beta::ln_gamma_ratio;
use crate::numeric::integer_sum::{END_POINTS, point_weights};

/// How much finer a row is that is split.
const FINER: u64 = 64;

/// A bin, or several together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Bin {
    /// Labelled positives and the prior's.
    pub(in super::super) positive: f64,
    /// Labelled negatives and the prior's.
    pub(in super::super) negative: f64,
    /// Test scores.
    pub(in super::super) count: u64,
}

/// ln w of a bin at numbers of positives that are equally far apart, with the weights that make sums of them sums over all numbers.
pub(super) struct WeightRow {
    /// The first number.
    pub(super) first: u64,
    pub(super) ln_weights: Vec<f64>,
}

impl Bin {
    /// With the other class called positive.
    pub(super) fn turned(self) -> Self {
        Self { positive: self.negative, negative: self.positive, count: self.count }
    }

    /// All bins as one.
    pub(super) fn together(bins: &[Self]) -> Self {
        let none = Self { positive: 0.0, negative: 0.0, count: 0 };
        bins.iter().fold(none, |sum, bin| Self {
            positive: sum.positive + bin.positive,
            negative: sum.negative + bin.negative,
            count: sum.count + bin.count,
        })
    }

    /// ln w, but for a constant.
    pub(super) fn ln_weight(&self, positives: f64) -> f64 {
        let rising = |labelled: f64, z: f64| ln_gamma_ratio(1.0 + z, labelled - 1.0);
        rising(self.positive, positives) + rising(self.negative, self.count as f64 - positives)
    }

    /// Every h-th number of positives, up to about so many. Where w ends with a large step, because few of a class were labelled in the
    /// bin, that end is one of them.
    pub(super) fn row(&self, h: u64, reach: u64) -> WeightRow {
        if h == 1 {
            let ln_weights = (0..=self.count.min(reach)).map(|z| self.ln_weight(z as f64)).collect();
            return WeightRow { first: 0, ln_weights };
        }
        if self.count < 2 * END_POINTS as u64 * h {
            return self.split(h);
        }
        let first = if self.negative < self.positive { self.count % h } else { 0 };
        let last = self.count.min(first + reach.div_ceil(h).max(2 * END_POINTS as u64) * h);
        let (points, after) = ((last - first) / h + 1, (last - first) % h);
        #[allow(clippy::cast_possible_truncation)] // they are held
        let weights = point_weights(points as usize, h as f64, first as f64, after as f64);
        let each = weights.iter().zip(0..).map(|(weight, k)| weight.ln() + self.ln_weight((first + k * h) as f64));
        WeightRow { first, ln_weights: each.collect() }
    }

    /// A bin of few scores: each w, of a finer row, in two parts at the numbers on either side, so that their mean stays.
    #[allow(clippy::cast_possible_truncation)] // places of what is held
    fn split(&self, h: u64) -> WeightRow {
        let finer = (h / FINER).max(1);
        let WeightRow { first, ln_weights } = self.row(finer, self.count);
        let at = |point: u64| {
            let from = (point + 1).saturating_sub(first + h).div_ceil(finer) as usize;
            let to = (((point + h - 1 - first) / finer + 1) as usize).min(ln_weights.len());
            let parts = (from..to).map(|k| {
                let distance = (first + k as u64 * finer).abs_diff(point) as f64 / h as f64;
                (ln_weights[k], 1.0 - distance)
            });
            let largest = parts.clone().map(|(ln, _)| ln).fold(f64::NEG_INFINITY, f64::max);
            largest + parts.map(|(ln, part)| part * (ln - largest).exp()).sum::<f64>().ln()
        };
        WeightRow { first: 0, ln_weights: (0..=self.count.div_ceil(h)).map(|k| at(k * h)).collect() }
    }
}
