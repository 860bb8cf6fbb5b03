//! Evidence that a mean has risen above 0 at some time, as an e-process.
//!
//! If no mean was ever above 0, the expectation of an e-process is at most 1 at every look, even if
//! the looks depend on the data. So it ever exceeds 1/p with probability at most p (Ville 1939).
//!
//! The likelihood ratio of a mean δ > 0 against 0 from period s on is exp(δS − δ²I/2), where
//! S = Σx/v and I = Σ1/v are sums since s. It is averaged over δ by the upper half of a normal
//! distribution with standard deviation τ (Robbins 1970),
//!
//! ```text
//! M_s = 2 ∫_0^∞ φ(δ/τ)/τ e^(δS − δ²I/2) dδ = 2 (1 + τ²I)^(−½) e^(u²/2) Φ(u),    u = τS/√(1 + τ²I)
//! ```
//!
//! and over s with the weights 1/√s − 1/√(s+1), which sum to 1. M_s is 1 for periods s in the
//! future:
//!
//! ```text
//! e_t = Σ_{s≤t} (1/√s − 1/√(s+1)) M_s + 1/√(t+1)
//! ```
//!
//! τ is the standard error of period s. A rise by τ is detected soonest, much larger or smaller
//! rises only a little later. The weights fall slowly: a rise in the hundredth period costs 7.6 in
//! ln e, where the weights 1/(s(s+1)) would cost 9.2.
//!
//! The sum and the integral are exchanged, so that a period takes the same time however many came
//! before. For one δ, the sum over s has a recursion:
//!
//! ```text
//! L_t = (L_{t−1} + w_t 2φ(δ/τ_t)/τ_t) e^(δx/v − δ²/(2v)),    e_t = ∫_0^∞ L_t dδ + 1/√(t+1)
//! ```
//!
//! The integral over ln δ is a trapezoidal sum with 24 nodes per unit. It is exact to 1e-10 in
//! ln e up to ln e = 100, and to a relative 1e-3 beyond.

use crate::numeric::gauss;
use std::f64::consts::{LN_2, PI};

/// The number of nodes of ln δ per unit.
const NODES: f64 = 24.0;

/// The value of δ|S| that is small enough for e^(δS) to be linear in δ.
const SMALL: f64 = 1e-7;

/// The largest δ beyond the largest x, in standard errors.
const FAR: f64 = 9.0;

/// The accumulated evidence.
#[derive(Clone, Debug)]
pub(super) struct EProcess {
    nodes: Vec<RiseSize>,
    starts: Vec<Start>,
    /// The sums S and I over all periods.
    sum: f64,
    information: f64,
    /// The integral below the first node.
    below: f64,
}

/// A size of the rise.
#[derive(Clone, Copy, Debug)]
struct RiseSize {
    delta: f64,
    /// ln L_t.
    ln_sum: f64,
    /// The logarithm of the largest summand of L_t, with its start.
    largest: (f64, usize),
}

/// A possible start of the rise.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// τ².
    square: f64,
    /// S and I of the periods before.
    sum: f64,
    information: f64,
}

/// The evidence after a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EProcessState {
    /// ln e.
    pub(super) ln_e: f64,
    /// The index of the most likely first period of the rise.
    pub(super) change_point: usize,
}

impl EProcess {
    /// Creates the process of these periods, each x with its variance. They are only used to choose
    /// the nodes.
    pub(super) fn new(periods: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let sum: f64 = periods.clone().map(|(x, variance)| x.abs() / variance + variance.sqrt().recip()).sum();
        let largest = periods.map(|(x, variance)| x.max(0.0) + FAR * variance.sqrt()).fold(0.0, f64::max);
        let (from, to) = ((SMALL / sum).ln(), largest.ln());
        let node = |index: u32| RiseSize {
            delta: (from + f64::from(index) / NODES).exp(),
            ln_sum: f64::NEG_INFINITY,
            largest: (f64::NEG_INFINITY, 0),
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few hundred
        let nodes = ((to - from) * NODES).ceil() as u32 + 1;
        Self { nodes: (0..nodes).map(node).collect(), starts: Vec::new(), sum: 0.0, information: 0.0, below: 0.0 }
    }

    /// Adds a period, x with its variance, and returns the evidence so far.
    pub(super) fn add(&mut self, x: f64, variance: f64) -> EProcessState {
        let index = self.starts.len();
        self.starts.push(Start { square: variance, sum: self.sum, information: self.information });
        self.sum += x / variance;
        self.information += variance.recip();
        let ln_weight = ln_weight(index);
        // ln(w_t 2φ(0)/τ_t dδ/δ)
        let ln_density = ln_weight + 0.5 * (2.0 / (PI * variance)).ln() - NODES.ln();
        for RiseSize { delta, ln_sum, largest } in &mut self.nodes {
            let square = 0.5 * *delta * *delta / variance;
            let start = ln_density + delta.ln() - square;
            let step = *delta * x / variance - square;
            *ln_sum = ln_add(*ln_sum, start) + step;
            if start > largest.0 {
                *largest = (start, index);
            }
            largest.0 += step;
        }
        self.below += (ln_density.exp() * self.nodes[0].delta) / NODES.recip().exp_m1();
        let rest = (index as f64 + 2.0).sqrt().recip() + self.below;
        let top = self.nodes.iter().map(|node| node.ln_sum).fold(rest.ln(), f64::max);
        let sum: f64 = self.nodes.iter().map(|node| (node.ln_sum - top).exp()).sum::<f64>() + rest * (-top).exp();
        EProcessState { ln_e: top + sum.ln(), change_point: self.change_point() }
    }

    /// Returns the start with the largest term w_s M_s, among those with the largest summand of a
    /// node.
    fn change_point(&self) -> usize {
        let mut starts: Vec<usize> = self.nodes.iter().map(|node| node.largest.1).collect();
        starts.dedup();
        let term = |start: &usize| ln_weight(*start) + self.starts[*start].ln_value(self.sum, self.information);
        starts.into_iter().max_by(|a, b| term(a).total_cmp(&term(b))).expect("at least one node")
    }
}

impl Start {
    /// Returns ln M_s, given the sums S and I over all periods.
    fn ln_value(&self, sum: f64, information: f64) -> f64 {
        let (square, sum, information) = (self.square, sum - self.sum, information - self.information);
        let scale = 1.0 + square * information;
        let u = sum * (square / scale).sqrt();
        let tilted = if u < 0.0 { gauss::scaled_tail(-u).ln() } else { 0.5 * u * u + gauss::ln_cdf(u) };
        LN_2 - 0.5 * scale.ln() + tilted
    }
}

/// Returns ln(e^a + e^b), for a finite b.
fn ln_add(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}

/// Returns ln(1/√s − 1/√(s+1)) = −ln(√s √(s+1) (√s + √(s+1))), with s = index + 1.
fn ln_weight(index: usize) -> f64 {
    let (root, next) = ((index as f64 + 1.0).sqrt(), (index as f64 + 2.0).sqrt());
    -(root * next * (root + next)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SciPy's quadrature of the mixture over δ, to 1e-13.
    #[test]
    fn evidence_is_the_mixture_over_sizes_and_starts_of_the_rise() {
        let periods = [(0.3, 0.04), (-0.2, 0.09), (0.5, 0.04), (1.1, 0.16), (0.9, 0.05)];
        let expected = [
            0.284_489_981_489_349_2,
            -0.004_282_412_316_647,
            1.189_050_219_726_02,
            2.623_965_507_602_435_3,
            7.950_082_374_732_267,
        ];
        let mut process = EProcess::new(periods.into_iter());
        for ((x, variance), ln_e) in periods.into_iter().zip(expected) {
            let state = process.add(x, variance);
            assert!((state.ln_e - ln_e).abs() < 1e-12, "{state:?} {ln_e}");
            assert_eq!(state.change_point, 0);
        }
    }

    /// A rise in the eleventh period; the e-value itself would overflow.
    #[test]
    fn change_point_is_the_period_of_the_rise() {
        let periods = (0..400).map(|t| (if t < 10 { -0.2 } else { 3.0 }, 1.0));
        let mut process = EProcess::new(periods.clone());
        let state = periods.map(|(x, variance)| process.add(x, variance)).last().unwrap();
        assert_eq!(state.change_point, 10);
        assert!(state.ln_e > 1000.0 && state.ln_e.is_finite(), "{state:?}");
    }

    /// The sum over all starts, as the formula says, of series without and with a rise. The x are
    /// normal quantiles of multiples of the golden ratio, which are evenly spread.
    #[test]
    fn recursion_is_the_sum_over_all_starts() {
        let noise = |t: u32| gauss::quantile((0.5 + f64::from(t) * 0.618_033_988_749_895).fract());
        let variance = |t: u32| 0.01 * (1.0 + f64::from(t % 7));
        for (drift, rise) in [(-0.3, 0.0), (0.0, 0.0), (-0.3, 0.6), (-0.1, 2.5)] {
            let x = |t: u32| variance(t).sqrt() * (noise(t) + drift + if t < 500 { 0.0 } else { rise });
            let periods = (0..600).map(|t| (x(t), variance(t)));
            let mut process = EProcess::new(periods.clone());
            let mut starts: Vec<(f64, f64, f64)> = Vec::new();
            for (t, (x, variance)) in periods.enumerate() {
                let state = process.add(x, variance);
                starts.push((variance, 0.0, 0.0));
                for (_, sum, information) in &mut starts {
                    (*sum, *information) = (*sum + x / variance, *information + variance.recip());
                }
                let term = |(s, (square, sum, information)): (usize, &(f64, f64, f64))| {
                    ln_weight(s) + Start { square: *square, sum: 0.0, information: 0.0 }.ln_value(*sum, *information)
                };
                let terms: Vec<f64> = starts.iter().enumerate().map(term).collect();
                let top = terms.iter().copied().fold(0.0, f64::max);
                let sum = terms.iter().map(|term| (term - top).exp()).sum::<f64>();
                let expected = top + (sum + (-top).exp() / (t as f64 + 2.0).sqrt()).ln();
                let tolerance = if expected < 100.0 { 1e-10 } else { 1e-3 * expected };
                assert!((state.ln_e - expected).abs() < tolerance, "{drift} {rise} {t}: {} {expected}", state.ln_e);
                let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert!(terms[state.change_point] > largest - 1e-9, "{drift} {rise} {t}: {}", state.change_point);
            }
        }
    }
}
