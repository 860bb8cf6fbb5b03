//! The convolution (u ⊛ v)(k) = Σ u(i) v(k − i) of two positive sequences given by their logarithms.
//!
//! The result has full relative accuracy for sequences of any range.
//!
//! Tilting commutes with convolution: [u eᵗⁱ] ⊛ [v eᵗⁱ] = [u ⊛ v] eᵗᵏ. So the sums are computed in windows of k, each
//! with the tilt that makes the largest term of its first sum the largest of all terms (the saddle point). Within the
//! window no number is then larger than 1, and terms that underflow are negligible. This requires sequences that are
//! nearly concave. The largest terms are those of the least concave majorants; they are found by descending along both
//! majorants at once, the less steep step first.

/// The largest difference of the logarithms of the largest terms in a window.
const WINDOW: f64 = 20.0;

/// The logarithm of a number that is negligible compared with 1.
const NEGLIGIBLE: f64 = -42.0;

/// Returns ln(u ⊛ v) at 0, 1, …, at most `max_length` values, from ln u and ln v.
pub(crate) fn convolve(u: &[f64], v: &[f64], max_length: usize) -> Vec<f64> {
    let length = (u.len() + v.len() - 1).min(max_length);
    let (u, v) = (Sequence::new(u), Sequence::new(v));
    let mut result = Vec::with_capacity(length);
    let mut at = (0, 0);
    let mut sums = Vec::new();
    while result.len() < length {
        let (i, j) = at;
        let steepest = u.slope(i).max(v.slope(j));
        let tilt = if steepest.is_finite() { steepest } else { 0.0 };
        let mut window = 0;
        // The logarithm of the largest term relative to the first sum's, tilted.
        let mut largest = 0.0;
        while result.len() + window < length && largest >= -WINDOW {
            let slopes = (u.slope(at.0), v.slope(at.1));
            at = if slopes.0 >= slopes.1 { (at.0 + 1, at.1) } else { (at.0, at.1 + 1) };
            largest += slopes.0.max(slopes.1) - tilt;
            window += 1;
        }
        let ((first_u, u_tilted), (first_v, v_tilted)) = (u.tilted_terms(i, tilt), v.tilted_terms(j, tilt));
        sums.clear();
        sums.resize(window, 0.0);
        for (k, factor) in u_tilted.iter().enumerate() {
            // The position in the window of this factor times the first term of v, and the number
            // of terms before the window.
            let (index, start) = (first_u + k + first_v, i + j);
            let (index, skipped) = (index.saturating_sub(start), start.saturating_sub(index));
            if index < window && skipped < v_tilted.len() {
                let pairs = sums[index..].iter_mut().zip(&v_tilted[skipped..]);
                pairs.for_each(|(sum, term)| *sum += factor * term);
            }
        }
        let base = u.majorant[i] + v.majorant[j];
        result.extend(sums.iter().enumerate().map(|(k, sum)| sum.ln() + base + tilt * k as f64));
    }
    result
}

/// A sequence of logarithms with its least concave majorant.
struct Sequence<'a> {
    ln: &'a [f64],
    majorant: Vec<f64>,
}

impl<'a> Sequence<'a> {
    fn new(ln: &'a [f64]) -> Self {
        // The corners of the majorant (Andrew 1979).
        let mut corners: Vec<usize> = Vec::new();
        for k in 0..ln.len() {
            while let [.., a, b] = corners[..]
                && (ln[b] - ln[a]) * (k - a) as f64 <= (ln[k] - ln[a]) * (b - a) as f64
            {
                corners.pop();
            }
            corners.push(k);
        }
        let mut majorant = ln.to_vec();
        for pair in corners.windows(2) {
            let slope = (ln[pair[1]] - ln[pair[0]]) / (pair[1] - pair[0]) as f64;
            let between = majorant[pair[0]..pair[1]].iter_mut().enumerate().skip(1);
            between.for_each(|(step, height)| *height = ln[pair[0]] + slope * step as f64);
        }
        Self { ln, majorant }
    }

    /// Returns the step of the majorant from this index to the next; −∞ after the last index.
    fn slope(&self, at: usize) -> f64 {
        self.majorant.get(at + 1).map_or(f64::NEG_INFINITY, |next| next - self.majorant[at])
    }

    /// Returns the tilted numbers relative to the majorant at i, and the index of the first of them.
    ///
    /// Numbers that are negligible in a window are omitted at both ends.
    fn tilted_terms(&self, i: usize, tilt: f64) -> (usize, Vec<f64>) {
        let line = |k: usize| self.majorant[i] + tilt * (k as f64 - i as f64);
        let matters = |k: &usize| self.majorant[*k] - line(*k) >= NEGLIGIBLE - WINDOW;
        let first = (0..i).rev().take_while(matters).last().unwrap_or(i);
        let after = (i + 1..self.ln.len()).take_while(matters).last().unwrap_or(i) + 1;
        (first, (first..after).map(|k| (self.ln[k] - line(k)).exp()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::incomplete_beta::ln_beta;

    /// ln C(n, k).
    fn ln_binomial(n: usize, k: usize) -> f64 {
        -((n + 1) as f64).ln() - ln_beta(k as f64 + 1.0, (n - k) as f64 + 1.0)
    }

    /// Vandermonde's identity C(m, ·) ⊛ C(n, ·) = C(m + n, ·), for numbers from 1 to beyond the
    /// largest double and any tilt.
    #[test]
    fn binomial_coefficients_satisfy_vandermondes_identity() {
        for (m, n) in [(1, 1), (1, 30), (40, 70), (3000, 900)] {
            for tilt in [0.0, -3.0, 0.7] {
                let row = |n: usize| (0..=n).map(|k| ln_binomial(n, k) + tilt * k as f64).collect::<Vec<_>>();
                let actual = convolve(&row(m), &row(n), usize::MAX);
                assert_eq!(actual.len(), m + n + 1);
                for (actual, expected) in actual.iter().zip(row(m + n)) {
                    assert!((actual - expected).abs() < 4e-12 * (1.0 + expected.abs() * 1e-2), "{actual} {expected}");
                }
                assert_eq!(convolve(&row(m), &row(n), 2), actual[..2]);
            }
        }
    }

    /// Sequences that are not concave agree with direct sums.
    #[test]
    fn sequences_need_not_be_concave() {
        let bumps =
            |m: usize, by: f64| (0..m).map(|k| -0.01 * (k as f64 - by).powi(2) + (k as f64).sin()).collect::<Vec<_>>();
        let (u, v) = (bumps(57, 9.0), bumps(31, 40.0));
        for (k, actual) in convolve(&u, &v, usize::MAX).into_iter().enumerate() {
            let terms =
                (0..u.len()).filter(|i| (i..=&(i + v.len() - 1)).contains(&&k)).map(|i| (u[i] + v[k - i]).exp());
            assert!((actual - terms.sum::<f64>().ln()).abs() < 1e-13, "{k}");
        }
    }
}
