//! A ramp: 0 up to its left edge, a polynomial up to its right edge, constant from there on.
//!
//! A smooth non-decreasing function over a wide range is a sum of ramps side by side. Evaluating all of them costs more
//! arithmetic than finding the one panel a point lies in, but it needs no branch, no search and no gather, so it stays
//! in vector registers; most functions need a single ramp.

use super::chebyshev::horner;

/// t = (x − middle) · scale runs from −1 to 1 between the edges.
#[derive(Clone, Debug)]
pub(crate) struct Ramp {
    pub(crate) middle: f64,
    pub(crate) scale: f64,
    /// Coefficients of 1, t, t², …
    pub(crate) powers: Vec<f64>,
}

impl Ramp {
    /// The polynomial with these coefficients in t, shifted to be exactly 0 at t = −1. (Horner's products with ±1 are
    /// exact, so this holds with and without fused multiply-add.)
    pub(crate) fn new(left: f64, right: f64, mut powers: Vec<f64>) -> Self {
        powers[0] = powers[1..].iter().rev().fold(0.0, |sum, c| c - sum);
        Self { middle: 0.5 * (left + right), scale: 2.0 / (right - left), powers }
    }

    /// Its right edge, to rounding.
    pub(crate) fn right(&self) -> f64 {
        self.middle + self.scale.recip()
    }

    pub(crate) fn value(&self, x: f64) -> f64 {
        let t = ((x - self.middle) * self.scale).clamp(-1.0, 1.0);
        horner(&self.powers, t)
    }
}

/// The value of a sum of ramps.
pub(crate) fn value(ramps: &[Ramp], x: f64) -> f64 {
    ramps.iter().map(|ramp| ramp.value(x)).sum()
}
