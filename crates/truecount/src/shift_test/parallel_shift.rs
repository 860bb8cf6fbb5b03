//! The estimate of a parallel shift: the scores of both classes move by the same amount, which looks much
//! like another prevalence.
//!
//! A shift is measured in standard deviations of z = Φ⁻¹(1 − H), so that it does not depend on the scale
//! of the scores (H as in [`grid`](super::grid)). A small shift δ of all test scores adds δm to the share
//! above an edge, where m is the density of the test scores in z. Estimating α̃ takes up the part of m
//! along Ĵ, and D keeps the rest, r:
//!
//! ```text
//! r = m − Ĵ ΣWmĴ/ΣWĴ²,    δ̂ = ΣWrD/ΣWr²,    Var δ̂ = (a Var₊g + b Var₋g)/(ΣWr²)²
//! ```
//!
//! with g(x) the sum of Wr over the edges up to x, and a and b as in
//! [`sampling_distribution`](super::sampling_distribution). The prevalence changes by δ times the
//! regression of m on the classes' difference, weighted as in the efficient score of the mixture. With
//! p_c the share of the test scores in bin c, and f± those of the classes, it is
//!
//! ```text
//! Σ m_c (f₊c − f₋c)/p_c / [Σ (f₊c − f₋c)²/p_c − Σ (f₊c/n₊ + f₋c/n₋)/p_c],
//! ```
//!
//! whose last sum is the expectation of the first term's noise.

use super::grid::{Grid, in_bins};
use super::pooled_rates::PooledRates;
use crate::PerClass;
use crate::inference::ParallelShift;
use crate::numeric::gauss;

/// Half the distance in z over which densities are averaged.
const HALF_STEP: f64 = 0.25;

/// The distance in z from the outermost edges to the ends of the classes.
const BEYOND: f64 = 1.0;

/// The least share of the squared distance of the classes that is not noise.
const MIN_RELIABILITY: f64 = 0.2;

/// The densities of the labelled classes in z.
#[derive(Clone, Debug)]
pub(super) struct ClassDensities {
    /// The difference between the densities at the two edges of each bin, for the effect of a shift.
    in_bins: PerClass<Vec<f64>>,
    /// The densities at each edge, less their projection on Ĵ.
    rest: PerClass<Vec<f64>>,
}

impl ClassDensities {
    pub(super) fn new(grid: &Grid) -> Self {
        let balanced = grid.rates.positive.iter().zip(&grid.rates.negative).map(|(p, q)| 0.5 * (p + q));
        let edges: Vec<f64> = balanced.map(|h| -gauss::quantile(h.clamp(f64::EPSILON, 1.0 - f64::EPSILON))).collect();
        let last = edges.len() - 1;
        let ends: Vec<f64> =
            [edges[0] - BEYOND].into_iter().chain(edges.iter().copied()).chain([edges[last] + BEYOND]).collect();
        let density = |rates: &Vec<f64>| -> Vec<f64> {
            let shares: Vec<f64> = [1.0].into_iter().chain(rates.iter().copied()).chain([0.0]).collect();
            let above = |z: f64| {
                let k = ends.partition_point(|end| *end < z).clamp(1, last + 2);
                let (from, step) = (ends[k - 1], ends[k] - ends[k - 1]);
                let part = if step > 0.0 { ((z - from) / step).clamp(0.0, 1.0) } else { 1.0 };
                shares[k - 1] + part * (shares[k] - shares[k - 1])
            };
            edges.iter().map(|z| (above(z - HALF_STEP) - above(z + HALF_STEP)) / (2.0 * HALF_STEP)).collect()
        };
        let densities = grid.rates.map(density);
        let rest = |density: &Vec<f64>| -> Vec<f64> {
            let along = grid.product(density, &grid.distance) / grid.square(&grid.distance);
            density.iter().zip(&grid.distance).map(|(m, j)| m - along * j).collect()
        };
        Self { in_bins: densities.map(|density| in_bins(density, 0.0)), rest: densities.map(rest) }
    }

    /// Estimates the shift from D; `sizes` are n±, and `variance` returns the variance of a sum of D with
    /// coefficients that are orthogonal to Ĵ.
    pub(super) fn parallel_shift(
        &self,
        grid: &Grid,
        pooled: &PooledRates,
        sizes: PerClass<f64>,
        deviations: &[f64],
        variance: impl Fn(&[f64]) -> f64,
    ) -> ParallelShift {
        let effect = self.effect(pooled, sizes);
        let rest = self.rest.positive.iter().zip(&self.rest.negative);
        let rest: Vec<f64> = rest.map(|(positive, negative)| pooled.mix(*positive, *negative)).collect();
        let square = grid.square(&rest);
        if square <= f64::EPSILON {
            return ParallelShift { by: 0.0, std_error: f64::INFINITY, effect };
        }
        let weighted: Vec<f64> = rest.iter().zip(&grid.weights).map(|(r, weight)| r * weight).collect();
        ParallelShift {
            by: grid.product(&rest, deviations) / square,
            std_error: variance(&weighted).sqrt() / square,
            effect,
        }
    }

    /// Returns the change of the prevalence for a shift of one standard deviation.
    fn effect(&self, pooled: &PooledRates, sizes: PerClass<f64>) -> f64 {
        let PerClass { positive, negative } = pooled.rates.map(|rates| in_bins(rates, 1.0));
        let shares = positive.into_iter().zip(negative);
        let densities = self.in_bins.positive.iter().zip(&self.in_bins.negative);
        let (mut by_density, mut by_distance, mut noise) = (0.0, 0.0, 0.0);
        for ((p, q), (positive, negative)) in shares.zip(densities) {
            let mixture = pooled.mix(p, q);
            if mixture > 0.0 {
                by_density += pooled.mix(*positive, *negative) * (p - q) / mixture;
                by_distance += (p - q) * (p - q) / mixture;
                noise += (p / sizes.positive + q / sizes.negative) / mixture;
            }
        }
        let distance = (by_distance - noise).max(MIN_RELIABILITY * by_distance);
        if distance > 0.0 { by_density / distance } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::LabelledScores;
    use crate::numeric::gauss;
    use crate::shift_test::ShiftCheck;

    const STEP: f64 = 1e-3;

    fn grid() -> impl Iterator<Item = f64> {
        (-6000..6000).map(|k| f64::from(k) * STEP)
    }

    /// The density of a class: a skew-normal one. Both classes together are standard normal, so that z is
    /// the score.
    fn density(x: f64, positive: bool) -> f64 {
        2.0 / (2.0 * std::f64::consts::PI).sqrt()
            * gauss::bell(x)
            * gauss::tails(if positive { 2.0 * x } else { -2.0 * x }).0
    }

    fn quantiles(n: u32, positive: bool) -> Vec<f64> {
        let mut below = 0.0;
        let mut quantiles = Vec::new();
        for x in grid() {
            below += density(x + 0.5 * STEP, positive) * STEP;
            while (quantiles.len() as f64 + 0.5) < below * f64::from(n) {
                quantiles.push(x + STEP);
            }
        }
        quantiles
    }

    #[test]
    fn a_parallel_shift_is_found_with_its_effect_on_the_efficient_estimate() {
        let classes = [quantiles(4000, true), quantiles(4000, false)];
        let labels: Vec<bool> = (0..classes.concat().len()).map(|i| i < classes[0].len()).collect();
        let check = ShiftCheck::new(&LabelledScores::new(&classes.concat(), &labels).unwrap()).unwrap();
        for (positives, negatives) in [(2000, 18_000), (10_000, 10_000)] {
            let alpha = f64::from(positives) / 20_000.0;
            let shift = |by: f64| {
                let mut tally = check.tally();
                for (n, positive) in [(positives, true), (negatives, false)] {
                    let scores = quantiles(n, positive);
                    check.update(&mut tally, &scores.iter().map(|x| x + by).collect::<Vec<_>>()).unwrap();
                }
                check.test(&tally).unwrap().misfit.parallel_shift.unwrap()
            };
            let (none, moved) = (shift(0.0), shift(0.05));
            assert!(none.by.abs() < 2e-3 && (moved.by - 0.05).abs() < 5e-3, "{none:?} {moved:?}");
            // The efficient score of the mixture, by numerical integration.
            let mixture = |x: f64| alpha * density(x, true) + (1.0 - alpha) * density(x, false);
            let (mut by_density, mut by_distance) = (0.0, 0.0);
            for x in grid() {
                let distance = density(x, true) - density(x, false);
                by_density += (mixture(x - 0.5 * STEP) - mixture(x + 0.5 * STEP)) / STEP * distance / mixture(x);
                by_distance += distance * distance / mixture(x);
            }
            let effect = by_density / by_distance;
            assert!((none.effect / effect - 1.0).abs() < 0.1, "{alpha}: {none:?} {effect}");
        }
    }
}
