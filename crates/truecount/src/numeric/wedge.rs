//! The bivariate standard normal probability of a wedge, which is the light tail of a skew-normal.
//!
//! W(h, a) = 2 P(X > h, Y > aX) = P(X > h) − 2 T(h, a) for h, a ≥ 0, where T is Owen's function. The difference loses
//! all digits where W is small, so it is used only where it loses little (a factor of 35 at most). With k = ah:
//!
//! * k < 1.9, a ≤ 1: that difference, with T(h, a) = (1/2π) e^(−h²/2) ∫₀ᵃ e^(−h²x²/2)/(1+x²) dx
//!   (Owen 1956);
//! * k < 1.9, a > 1: that difference for the mirrored wedge, W = 2 T(k, 1/a) − P(X > k) erf(h/√2);
//! * k ≥ 1.9: W = (1/π) ∫ₐ^∞ e^(−h²(1+u²)/2)/(1+u²) du, positive throughout; with w = h(u−a) this
//!   is (1/π) e^(−(h²+k²)/2) ∫₀^∞ h e^(−w²/2−kw)/(h²+(k+w)²) dw, cut off where the exponential
//!   reaches rounding.
//!
//! All three integrands are smooth enough for one Gauss–Legendre rule.

use super::gauss;
use super::legendre::RULE;
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2};

/// The k from which on the tail is integrated directly.
const MIN_LIGHT_K: f64 = 1.9;

/// Twice the exponent at which the last integral is cut off: e^(−37) is rounding.
const MAX_EXPONENT: f64 = 74.0;

/// The probability of a wedge as `factor · e^(−exponent)`, since the product may underflow where
/// its logarithm is needed.
pub(crate) struct Wedge {
    factor: f64,
    exponent: f64,
    /// The rounding error of the exponent.
    error: f64,
}

impl Wedge {
    /// Computes W(h, a) for h ≥ 0 and 0 ≤ a ≤ ∞.
    pub(crate) fn new(h: f64, a: f64) -> Self {
        let k = a * h;
        // This includes a = ∞, where k may be ∞ · 0.
        if !(h * h + k * k).is_finite() {
            return Self { factor: 0.0, exponent: 0.0, error: 0.0 };
        }
        if k < MIN_LIGHT_K && a <= 1.0 {
            let factor = gauss::scaled_tail(h) - FRAC_1_PI * arc(h, a);
            return Self::with_exponent(factor, half_square(h), (0.0, 0.0));
        }
        if k < MIN_LIGHT_K {
            let factor = FRAC_1_PI * arc(k, a.recip()) - gauss::scaled_tail(k) * libm::erf(h * FRAC_1_SQRT_2);
            return Self::with_exponent(factor, half_square_of_product(a, h), (0.0, 0.0));
        }
        let half = 0.5 * MAX_EXPONENT / (k + (k * k + MAX_EXPONENT).sqrt());
        let integrand = |w: f64| (-w * (0.5 * w + k)).exp() / (h * h + (k + w) * (k + w));
        let factor = FRAC_1_PI * h * half * integrate(half, integrand);
        Self::with_exponent(factor, half_square(h), half_square_of_product(a, h))
    }

    /// Creates a wedge from its factor and two summands of the exponent with their rounding errors.
    fn with_exponent(factor: f64, (a, a_rest): (f64, f64), (b, b_rest): (f64, f64)) -> Self {
        let exponent = a + b;
        let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
        Self { factor, exponent, error: (larger - exponent) + smaller + a_rest + b_rest }
    }

    pub(crate) fn value(&self) -> f64 {
        self.factor * (-self.exponent).exp() * (1.0 - self.error)
    }

    /// Returns the logarithm of the probability.
    pub(crate) fn ln(&self) -> f64 {
        self.factor.ln() - self.exponent
    }
}

/// Returns x²/2 and its rounding error.
fn half_square(x: f64) -> (f64, f64) {
    let square = x * x;
    (0.5 * square, 0.5 * x.mul_add(x, -square))
}

/// Returns (ah)²/2 and its rounding error, including that of the product ah.
fn half_square_of_product(a: f64, h: f64) -> (f64, f64) {
    let k = a * h;
    let (square, rest) = half_square(k);
    (square, rest + k * a.mul_add(h, -k))
}

/// Returns ∫₀ᵃ e^(−h²x²/2)/(1+x²) dx for a ≤ 1 and ah < 1.9.
fn arc(h: f64, a: f64) -> f64 {
    let half = 0.5 * a;
    half * integrate(half, |x| (-0.5 * (h * x).powi(2)).exp() / (1.0 + x * x))
}

/// Returns twice the mean of f over [0, 2 half].
fn integrate(half: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rule = &*RULE;
    rule.node.iter().zip(&rule.weight).map(|(t, w)| w * f(half + half * t)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn mass_to_full_accuracy() {
        // The difference multiplies the rounding errors of its two terms by up to 35.
        let tolerance = 70.0 * f64::EPSILON;
        for [h, a, mass] in quoted("wedge") {
            let wedge = Wedge::new(h, a);
            assert!((wedge.value() / mass - 1.0).abs() < tolerance, "W({h}, {a}) = {:e}, not {mass:e}", wedge.value());
            assert!((wedge.ln() / mass.ln() - 1.0).abs() < tolerance, "ln W({h}, {a}) = {:e}", wedge.ln());
        }
    }

    #[test]
    fn vanishes_without_width_or_far_away() {
        for (h, a) in [(0.0, f64::INFINITY), (1.0, f64::INFINITY), (1e200, 1e-200), (1e200, 3.0), (1e-200, f64::MAX)] {
            let mass = Wedge::new(h, a).value();
            assert!((0.0..1e-300).contains(&mass), "W({h}, {a}) = {mass}");
        }
    }
}
