//! The regularised incomplete beta function `I_x(a, b)`, both tails to full relative accuracy.
//!
//! NIST DLMF §8.17. The power term x^a (1−x)^b / B(a, b) is written as Didonato and Morris (ACM
//! TOMS 18, 1992, §3) do, around its largest value at x = a/(a+b), so that large a and b do not
//! cancel. The tail on the near side of that point is the power term divided by the even part of
//! DLMF's continued fraction 8.17.22, whose terms are all positive for b > 1.

use super::gauss;
use std::f64::consts::PI;

/// A point x in (0, 1), with quantities that cannot be recovered from x alone in double precision.
#[derive(Clone, Copy)]
pub(crate) struct BetaPoint {
    pub(crate) x: f64,
    /// 1 − x.
    pub(crate) y: f64,
    /// (a + b) x − a, which is positive if x lies to the right of the mean a/(a+b).
    pub(crate) excess: f64,
}

impl BetaPoint {
    pub(crate) fn new(a: f64, b: f64, x: f64) -> Self {
        let sum = a + b;
        let low = if a > b { (a - sum) + b } else { (b - sum) + a };
        Self { x, y: 1.0 - x, excess: x.mul_add(sum, -a) + x * low }
    }

    fn mirrored(self) -> Self {
        Self { x: self.y, y: self.x, excess: -self.excess }
    }
}

/// Returns (`I_x(a, b)`, `1 − I_x(a, b)`).
pub(crate) fn tails(a: f64, b: f64, at: BetaPoint) -> (f64, f64) {
    if at.excess <= 0.0 {
        let lower = lower_tail(a, b, at).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = lower_tail(b, a, at.mirrored()).min(1.0);
        (1.0 - upper, upper)
    }
}

/// Returns ln [x^a (1−x)^b / B(a, b)].
pub(crate) fn ln_power(a: f64, b: f64, at: BetaPoint) -> f64 {
    // (x/x₀)^a (y/y₀)^b at its largest, x₀ = a/(a+b); a u + b v = 0 for u = x/x₀ − 1 and v = y/y₀ − 1.
    let sum = a + b;
    let part = |c: f64, relative: f64, share: f64| {
        c * if relative < -0.5 { (share * sum / c).ln() - relative } else { ln_1p_minus(relative) }
    };
    0.5 * (a / sum * b / (2.0 * PI)).ln()
        + (stirling_rest(sum) - stirling_rest(a) - stirling_rest(b))
        + (part(a, at.excess / a, at.x) + part(b, -at.excess / b, at.y))
}

/// Returns ln B(a, b).
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    // ln_power at its maximum, x = a/(a+b), minus the logarithm of the power term.
    let sum = a + b;
    a * (a / sum).ln() + b * (b / sum).ln() + 0.5 * (2.0 * PI * (sum / a / b)).ln()
        - (stirling_rest(sum) - stirling_rest(a) - stirling_rest(b))
}

/// Returns ln Γ(x + d) − ln Γ(x) for x > 0 and d ≥ 0.
///
/// The large terms of DLMF 5.11.1 are combined, so that the error is a few roundings of d ln(x + d) for any x.
pub(crate) fn ln_gamma_ratio(x: f64, d: f64) -> f64 {
    d * (x + d).ln() + ((x - 0.5) * (d / x).ln_1p() - d) + (stirling_rest(x + d) - stirling_rest(x))
}

/// Returns `I_x(a, b)` for x up to about the mean.
fn lower_tail(a: f64, b: f64, at: BetaPoint) -> f64 {
    let power = ln_power(a, b, at).exp();
    if power == 0.0 { 0.0 } else { power / continued_fraction(a, b, at) }
}

/// Returns x^a y^b / (B(a,b) `I_x(a, b)`) by Lentz's algorithm.
fn continued_fraction(a: f64, b: f64, BetaPoint { x, excess, .. }: BetaPoint) -> f64 {
    let term = |n: f64| {
        let odd = a + 2.0 * n - 1.0;
        let shift = if n == 0.0 { 0.0 } else { n * (b - n) * x / odd };
        n + shift + (a + n) * (1.0 - excess + n * (2.0 - x)) / (a + 2.0 * n + 1.0)
    };
    let mut value = term(0.0);
    let (mut c, mut d) = (value, 0.0);
    // The number of terms grows with the square root of the larger parameter.
    for k in 1..100_000 {
        let n = f64::from(k);
        let odd = a + 2.0 * n - 1.0;
        let factor = (a + n - 1.0) / odd * ((a + b + n - 1.0) / odd) * (n * (b - n)) * x * x;
        let next = term(n);
        d = 1.0 / (next + factor * d);
        c = next + factor / c;
        let change = c * d;
        value *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

/// Returns ln(1 + u) − u for u ≥ −½ without cancellation, by ln(1 + u) = 2 artanh r with r = u/(2 + u).
fn ln_1p_minus(u: f64) -> f64 {
    if u > 0.5 {
        return u.ln_1p() - u;
    }
    let r = u / (2.0 + u);
    let square = r * r;
    let series = (1..=17).rev().fold(0.0, |sum, k| sum * square + 2.0 / f64::from(2 * k + 1));
    r * (square * series - u)
}

/// Returns the remainder of Stirling's formula, ln Γ(x) − [(x − ½) ln x − x + ln √(2π)] (DLMF
/// 5.11.1).
fn stirling_rest(x: f64) -> f64 {
    if x < 10.0 {
        return libm::lgamma(x) - ((x - 0.5) * x.ln() - x + gauss::LN_SQRT_2PI);
    }
    let square = 1.0 / (x * x);
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
    terms.iter().rev().fold(0.0, |sum, t| sum * square + t) / x
}

/// Returns ψ′(x), the derivative of the digamma function (DLMF 5.15.5 and 5.15.8).
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let terms = [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0];
    sum + (1.0 + 0.5 / x + square * terms.iter().rev().fold(0.0, |sum, t| sum * square + t)) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigamma_and_beta_at_known_points() {
        assert!((trigamma(1.0) - PI * PI / 6.0).abs() < 1e-15);
        assert!((trigamma(0.5) / (PI * PI / 2.0) - 1.0).abs() < 4e-16);
        assert!((ln_beta(0.5, 0.5) - PI.ln()).abs() < 2e-15);
        assert!((ln_beta(3.0, 20.0) - (2.0f64 / (20.0 * 21.0 * 22.0)).ln()).abs() < 1e-14);
    }
}
