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

use crate::numeric::gauss;
use std::f64::consts::LN_2;

/// The accumulated evidence.
#[derive(Clone, Debug, Default)]
pub(super) struct EProcess {
    starts: Vec<Start>,
}

/// The sums since one possible start of the rise.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// τ².
    square: f64,
    /// S.
    sum: f64,
    /// I.
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
    /// Adds a period, x with its variance, and returns the evidence so far.
    pub(super) fn add(&mut self, x: f64, variance: f64) -> EProcessState {
        self.starts.push(Start { square: variance, sum: 0.0, information: 0.0 });
        let mut terms = Vec::with_capacity(self.starts.len());
        for (index, start) in self.starts.iter_mut().enumerate() {
            start.sum += x / variance;
            start.information += variance.recip();
            terms.push(ln_weight(index) + start.ln_value());
        }
        let (change_point, largest) =
            terms.iter().copied().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).expect("at least one period");
        let rest = -0.5 * (terms.len() as f64 + 1.0).ln();
        let top = largest.max(rest);
        let sum: f64 = terms.iter().chain([&rest]).map(|term| (term - top).exp()).sum();
        EProcessState { ln_e: top + sum.ln(), change_point }
    }
}

impl Start {
    /// Returns ln M_s.
    fn ln_value(&self) -> f64 {
        let Self { square, sum, information } = *self;
        let scale = 1.0 + square * information;
        let u = sum * (square / scale).sqrt();
        let tilted = if u < 0.0 { gauss::scaled_tail(-u).ln() } else { 0.5 * u * u + gauss::ln_cdf(u) };
        LN_2 - 0.5 * scale.ln() + tilted
    }
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
        let mut process = EProcess::default();
        for ((x, variance), ln_e) in periods.into_iter().zip(expected) {
            let state = process.add(x, variance);
            assert!((state.ln_e - ln_e).abs() < 1e-12, "{state:?} {ln_e}");
            assert_eq!(state.change_point, 0);
        }
    }

    /// A rise in the eleventh period; the e-value itself would overflow.
    #[test]
    fn change_point_is_the_period_of_the_rise() {
        let mut process = EProcess::default();
        let state = (0..400).map(|t| process.add(if t < 10 { -0.2 } else { 3.0 }, 1.0)).last().unwrap();
        assert_eq!(state.change_point, 10);
        assert!(state.ln_e > 1000.0 && state.ln_e.is_finite(), "{state:?}");
    }
}
