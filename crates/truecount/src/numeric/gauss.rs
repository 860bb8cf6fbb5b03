//! The standard normal distribution, accurate in both tails.
//!
//! Φ(x) = ½ erfc(−x/√2), NIST DLMF §7.2. The complementary error function comes from `libm` (relative error 4e-16). The
//! rounding of x/√2 would cost up to 2e-13 in the far tail, so it is computed and corrected.

use std::f64::consts::SQRT_2;

/// √2 minus its nearest double.
const SQRT_2_LOW: f64 = -9.667_293_313_452_913e-17;
/// ln √(2π).
pub(super) const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_7;
/// 1/√(2π).
const FRAC_1_SQRT_2PI: f64 = 0.398_942_280_401_432_7;
/// The x beyond which the tail is a continued fraction.
const FAR: f64 = 25.0;
/// The depth of the continued fraction, exact to rounding beyond [`FAR`].
const DEPTH: u32 = 7;

/// Returns (P(Z ≤ x), P(Z > x)), the smaller one to full relative accuracy, down to the smallest doubles.
pub(crate) fn tails(x: f64) -> (f64, f64) {
    let small = upper_tail(x.abs());
    if x < 0.0 { (small, 1.0 - small) } else { (1.0 - small, small) }
}

/// Returns P(Z > x) for x ≥ 0.
fn upper_tail(x: f64) -> f64 {
    let y = x / SQRT_2;
    let tail = 0.5 * libm::erfc(y);
    if y < 2.0 || tail == 0.0 {
        return tail;
    }
    // δ = x/√2 − y, and erfc(y + δ) ≈ erfc(y) (1 − 2yδ) where y is large.
    let delta = (y.mul_add(-SQRT_2, x) - y * SQRT_2_LOW) / SQRT_2;
    tail * (1.0 - 2.0 * y * delta)
}

/// Returns e^(−x²/2), corrected for the rounding of x², which would cost up to 1e-13 in the far tail.
pub(crate) fn bell(x: f64) -> f64 {
    let square = x * x;
    (-0.5 * square).exp() * (1.0 - 0.5 * x.mul_add(x, -square))
}

/// Returns P(Z > x) e^(x²/2) for x ≥ 0, the tail without the factor that underflows.
pub(crate) fn scaled_tail(x: f64) -> f64 {
    if x < FAR {
        return upper_tail(x) / bell(x);
    }
    // Laplace's continued fraction 1/(x + 1/(x + 2/(x + …))), NIST DLMF 7.9.2.
    let fraction = (1..=DEPTH).rev().fold(x, |below, k| x + f64::from(k) / below);
    FRAC_1_SQRT_2PI / fraction
}

/// Returns ln Φ(x), to full relative accuracy everywhere.
pub(crate) fn ln_cdf(x: f64) -> f64 {
    if x >= 0.0 {
        (-upper_tail(x)).ln_1p()
    } else if x > -FAR {
        upper_tail(-x).ln()
    } else {
        scaled_tail(-x).ln() - 0.5 * x * x
    }
}

/// Returns ln Φ(x) and its derivative φ(x)/Φ(x).
pub(crate) fn ln_cdf_and_slope(x: f64) -> (f64, f64) {
    if x <= -FAR {
        let tail = scaled_tail(-x);
        return (tail.ln() - 0.5 * x * x, FRAC_1_SQRT_2PI / tail);
    }
    let tail = upper_tail(x.abs());
    let density = FRAC_1_SQRT_2PI * (-0.5 * x * x).exp();
    if x < 0.0 { (tail.ln(), density / tail) } else { ((-tail).ln_1p(), density / (1.0 - tail)) }
}

/// Returns ln φ(x).
pub(crate) fn ln_pdf(x: f64) -> f64 {
    -0.5 * x * x - LN_SQRT_2PI
}

/// Returns the x with P(Z ≤ x) = p, for 0 < p < 1; ±∞ at the ends.
pub(crate) fn quantile(p: f64) -> f64 {
    -SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p)
}

/// Returns the normal scores Φ⁻¹((k + ½)/n) for k = 0, …, n − 1; the upper half mirrors the lower half to the bit.
pub(crate) fn normal_scores(n: usize) -> Vec<f64> {
    let lower = |k: usize| quantile((k as f64 + 0.5) / n as f64);
    let middle = |k: usize| 2 * k + 1 == n;
    (0..n)
        .map(|k| match k {
            _ if middle(k) => 0.0,
            _ if 2 * k < n => lower(k),
            _ => -lower(n - 1 - k),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn tails_to_full_accuracy() {
        for [x, tail] in quoted("normal_upper_tail") {
            let (lower, upper) = tails(x);
            assert!((upper / tail - 1.0).abs() < 2e-15, "sf({x}) = {upper:e}, not {tail:e}");
            assert!((lower - (1.0 - tail)).abs() < 2e-16);
            assert_eq!(tails(-x), (upper, lower));
        }
    }

    #[test]
    fn logarithm_to_full_accuracy() {
        for [x, ln, ratio] in quoted("normal_logarithm") {
            let (value, slope) = ln_cdf_and_slope(x);
            assert!((value / ln - 1.0).abs() < 1e-15 && ln_cdf(x) == value, "ln cdf({x}) = {value:e}, not {ln:e}");
            // The tolerance allows for the rounding of the argument of exp(−x²/2).
            let tolerance = 1e-15 + if x > -FAR { 0.5 * x * x * f64::EPSILON } else { 0.0 };
            assert!((slope / ratio - 1.0).abs() < tolerance, "slope at {x}: {slope:e}, not {ratio:e}");
        }
    }

    #[test]
    fn quantile_inverts() {
        for p in [1e-300, 1e-12, 0.025, 0.3, 0.5] {
            assert!((tails(quantile(p)).0 / p - 1.0).abs() < 1e-12, "p = {p:e}");
        }
        assert!((quantile(0.975) - 1.959_963_984_540_054_2).abs() < 1e-14);
    }
}
