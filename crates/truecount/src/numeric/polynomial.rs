//! Polynomials on an interval: Chebyshev approximation and ramps.
//!
//! Chebyshev series on [−1, 1] are interpolated, integrated, converted to powers and evaluated as
//! in Trefethen, *Approximation Theory and Approximation Practice* (2013), ch. 3 (interpolation),
//! 19 (integration).
//!
//! A ramp is 0 up to its left edge, a polynomial up to its right edge, and constant from there on.
//!
//! A smooth non-decreasing function over a wide range is a sum of ramps side by side. Evaluating all ramps costs more
//! arithmetic than finding the panel that contains a point, but it needs no branch, no search and no gather, so it
//! stays in vector registers. Most functions need a single ramp.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// The largest number of interpolation points.
const MAX_POINTS: usize = 64;

/// Returns the Chebyshev coefficients of the interpolant of f at the n Chebyshev points of the first kind.
pub(crate) fn interpolate(n: usize, mut f: impl FnMut(f64) -> f64) -> Vec<f64> {
    let cosine = cosines(n);
    let values: Vec<f64> = (0..n).map(|j| f(cosine[2 * j + 1])).collect();
    (0..n)
        .map(|k| {
            let dot: f64 = values.iter().enumerate().map(|(j, y)| y * cosine[(2 * j + 1) * k % (4 * n)]).sum();
            dot * if k == 0 { 1.0 } else { 2.0 } / n as f64
        })
        .collect()
}

/// Returns cos(π m / 2n) for m below 4n, computed once.
fn cosines(n: usize) -> &'static [f64] {
    static COSINES: [OnceLock<Vec<f64>>; MAX_POINTS + 1] = [const { OnceLock::new() }; MAX_POINTS + 1];
    COSINES[n].get_or_init(|| (0..4 * n).map(|m| (PI * m as f64 / (2 * n) as f64).cos()).collect())
}

/// Returns the Chebyshev coefficients of the integral of the series from −1 to t.
pub(crate) fn antiderivative(series: &[f64]) -> Vec<f64> {
    let at = |k: usize| series.get(k).copied().unwrap_or(0.0);
    let mut integral: Vec<f64> = (0..=series.len())
        .map(|k| match k {
            0 => 0.0,
            1 => at(0) - 0.5 * at(2),
            _ => (at(k - 1) - at(k + 1)) / (2 * k) as f64,
        })
        .collect();
    let at_minus_one: f64 = integral.iter().enumerate().map(|(k, c)| if k % 2 == 0 { *c } else { -c }).sum();
    integral[0] -= at_minus_one;
    integral
}

/// Converts a Chebyshev series to coefficients of 1, t, t², …
///
/// Errors grow by up to (1+√2)^k, which is harmless if the series falls faster; callers check the result.
pub(crate) fn to_powers(series: &[f64]) -> Vec<f64> {
    let n = series.len();
    let mut powers = vec![0.0; n];
    // T_k as powers of t, by T_{k+1} = 2t T_k − T_{k−1}.
    let mut previous = vec![0.0; n];
    let mut current = vec![0.0; n];
    current[0] = 1.0;
    for (k, c) in series.iter().enumerate() {
        powers.iter_mut().zip(&current).for_each(|(p, t)| *p += c * t);
        let factor = if k == 0 { 1.0 } else { 2.0 };
        // T_{k+1} replaces T_{k−1}.
        for (i, before) in previous.iter_mut().enumerate() {
            *before = factor * if i == 0 { 0.0 } else { current[i - 1] } - *before;
        }
        std::mem::swap(&mut previous, &mut current);
    }
    powers
}

/// Returns Σ c_k t^k.
pub(crate) fn horner(powers: &[f64], t: f64) -> f64 {
    powers.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// A ramp; t = (x − middle) · scale runs from −1 to 1 between its edges.
#[derive(Clone, Debug)]
pub(crate) struct Ramp {
    pub(crate) middle: f64,
    pub(crate) scale: f64,
    /// The coefficients of 1, t, t², …
    pub(crate) powers: Vec<f64>,
}

impl Ramp {
    /// Creates a ramp from the coefficients of a polynomial in t, shifted to be exactly 0 at t = −1.
    ///
    /// The products with ±1 in Horner's rule are exact, so this holds with and without fused multiply-add.
    pub(crate) fn new(left: f64, right: f64, mut powers: Vec<f64>) -> Self {
        powers[0] = powers[1..].iter().rev().fold(0.0, |sum, c| c - sum);
        Self { middle: 0.5 * (left + right), scale: 2.0 / (right - left), powers }
    }

    /// Returns the right edge, up to rounding.
    pub(crate) fn right(&self) -> f64 {
        self.middle + self.scale.recip()
    }

    /// Returns the value at x.
    pub(crate) fn value(&self, x: f64) -> f64 {
        let t = ((x - self.middle) * self.scale).clamp(-1.0, 1.0);
        horner(&self.powers, t)
    }
}

/// Returns the value of a sum of ramps at x.
pub(crate) fn sum_of_ramps(ramps: &[Ramp], x: f64) -> f64 {
    ramps.iter().map(|ramp| ramp.value(x)).sum()
}
