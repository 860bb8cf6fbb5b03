//! Evidence that a mean has risen above 0 at some time: an e-process, which has at any look, however often one looks, at most the expectation 1
//! if no mean was ever above 0, and so passes 1/p at any time with a probability of at most p (Ville 1939).
//!
//! From the period s on, a mean of δ > 0 instead of 0 has the likelihood ratio exp(δS − δ²I/2), with S = Σx/v and I = Σ1/v since s. Over δ it is
//! mixed by the upper half of a normal distribution of standard deviation τ (Robbins 1970),
//!
//! ```text
//! M_s = 2 ∫_0^∞ φ(δ/τ)/τ e^(δS − δ²I/2) dδ = 2 (1 + τ²I)^(−½) e^(u²/2) Φ(u),      u = τS/√(1 + τ²I)
//! ```
//!
//! and over s with weights 1/√s − 1/√(s+1), which sum to 1: those that have not begun are still 1,
//!
//! ```text
//! e_t = Σ_{s≤t} (1/√s − 1/√(s+1)) M_s + 1/√(t+1)
//! ```
//!
//! τ is the standard error of the period s: a rise by as much is found soonest, and far larger or smaller ones little later. The weights fall
//! slowly, so that a rise in the hundredth period costs 7.6 in ln e, where 1/(s(s+1)) would cost 9.2.

use crate::numeric::gauss;
use std::f64::consts::LN_2;

/// The evidence so far.
#[derive(Clone, Debug, Default)]
pub(super) struct EProcess {
    starts: Vec<Start>,
}

/// What has been seen since a period.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// τ².
    square: f64,
    /// S.
    sum: f64,
    /// I.
    information: f64,
}

/// The evidence at a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EProcessState {
    /// ln e.
    pub(super) ln_e: f64,
    /// The period, from 0, from which on the evidence is strongest.
    pub(super) since: usize,
}

impl EProcess {
    /// A period: x with its variance.
    pub(super) fn add(&mut self, x: f64, variance: f64) -> EProcessState {
        self.starts.push(Start { square: variance, sum: 0.0, information: 0.0 });
        let mut terms = Vec::with_capacity(self.starts.len());
        for (place, start) in self.starts.iter_mut().enumerate() {
            start.sum += x / variance;
            start.information += variance.recip();
            terms.push(ln_weight(place) + start.ln_value());
        }
        let (since, largest) =
            terms.iter().copied().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).expect("a period at least");
        let rest = -0.5 * (terms.len() as f64 + 1.0).ln();
        let top = largest.max(rest);
        let sum: f64 = terms.iter().chain([&rest]).map(|term| (term - top).exp()).sum();
        EProcessState { ln_e: top + sum.ln(), since }
    }
}

impl Start {
    /// ln M.
    fn ln_value(&self) -> f64 {
        let Self { square, sum, information } = *self;
        let known = 1.0 + square * information;
        let u = sum * (square / known).sqrt();
        let tilted = if u < 0.0 { gauss::scaled_tail(-u).ln() } else { 0.5 * u * u + gauss::ln_cdf(u) };
        LN_2 - 0.5 * known.ln() + tilted
    }
}

/// The logarithm of 1/√s − 1/√(s+1) = 1/(√s √(s+1) (√s + √(s+1))), s one more than the place.
fn ln_weight(place: usize) -> f64 {
    let (here, next) = ((place as f64 + 1.0).sqrt(), (place as f64 + 2.0).sqrt());
    -(here * next * (here + next)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With SciPy's quadrature of the mixture over δ, to 1e-13.
    #[test]
    fn is_the_mixture_over_rises_and_starts() {
        let periods = [(0.3, 0.04), (-0.2, 0.09), (0.5, 0.04), (1.1, 0.16), (0.9, 0.05)];
        let expected = [
            0.284_489_981_489_349_2,
            -0.004_282_412_316_647,
            1.189_050_219_726_02,
            2.623_965_507_602_435_3,
            7.950_082_374_732_267,
        ];
        let mut process = EProcess::default();
        for ((x, variance), ln_e) in periods.into_iter().zip(expected) {
            let found = process.add(x, variance);
            assert!((found.ln_e - ln_e).abs() < 1e-12, "{found:?} {ln_e}");
            assert_eq!(found.since, 0);
        }
    }

    /// A rise in the eleventh period, and evidence far beyond what a double holds.
    #[test]
    fn the_strongest_start_is_where_it_rose() {
        let mut process = EProcess::default();
        let found = (0..400).map(|t| process.add(if t < 10 { -0.2 } else { 3.0 }, 1.0)).last().unwrap();
        assert_eq!(found.since, 10);
        assert!(found.ln_e > 1000.0 && found.ln_e.is_finite(), "{found:?}");
    }
}
