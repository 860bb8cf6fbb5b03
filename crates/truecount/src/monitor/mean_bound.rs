//! An upper confidence bound for the mean of a distribution that is only known to lie below an end.
//!
//! Let the labelled values x_i have positive weights, and add the end as one more value. The bound
//! of Gaffke (2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a
//! nonnegative variable") is the 1 − p quantile of
//!
//! ```text
//! Σ G_i x_i / Σ G_i,      G_i ~ Gamma(w_i) independent
//! ```
//!
//! with w = 1 for each value of a simple random sample and for the end. For values of 0 and 1 it is
//! the bound of Clopper and Pearson (1934). No distribution is known for which the bound fails more
//! often than with probability p (Learned-Miller and Thomas 2020).
//!
//! The bound is the t at which P(Σ G_i (x_i − t) > 0) = p. The cumulant generating function of the
//! sum is K(s) = −Σ w_i ln(1 − s d_i) with d = x − t. So the saddlepoint approximation
//!
//! ```text
//! P ≈ Φ(−r − ln(u/r)/r),      r = √(−2K(ŝ)),  u = ŝ√K″(ŝ),  K′(ŝ) = 0
//! ```
//!
//! (Barndorff-Nielsen 1986) needs one root. It is too large by at most 4 %, which is cautious.

use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;

pub(super) type WeightedValue = (f64, f64);

/// The distance from the mean at which the search starts, in standard deviations of the quotient.
/// The probability of a larger quotient is far above every p in use.
const START: f64 = 0.3;

/// Returns the bound that a mean exceeds with this probability at most, from values that are at
/// most `end`.
pub(super) fn upper_mean_bound(values: &[WeightedValue], end: f64, probability: f64) -> f64 {
    let all = || values.iter().copied().chain([(end, 1.0)]);
    let total: f64 = all().map(|(_, weight)| weight).sum();
    let mean = all().map(|(value, weight)| weight * value).sum::<f64>() / total;
    let square = all().map(|(value, weight)| weight * (value - mean).powi(2)).sum::<f64>() / total;
    let start = mean + START * (square / (total + 1.0)).sqrt();
    if start >= end {
        return end;
    }
    let excess = |t: f64| if t < end { upper_tail(&all, end - t, t) - probability } else { -probability };
    let at_start = excess(start);
    if at_start > 0.0 { solve_bracketed(excess, (start, at_start), (end, -probability)) } else { start }
}

/// Returns P(Σ G (x − t) > 0) for a t above the mean. `largest` is the largest x − t.
fn upper_tail<I: Iterator<Item = WeightedValue>>(values: &impl Fn() -> I, largest: f64, t: f64) -> f64 {
    let slope = |s: f64| values().map(|(x, weight)| weight * (x - t) / (1.0 - s * (x - t))).sum::<f64>();
    let last = (1.0 - 1e-12) / largest;
    let saddle = solve_bracketed(slope, (0.0, slope(0.0).min(0.0)), (last, slope(last).max(0.0)));
    let (mut cumulant, mut curvature) = (0.0, 0.0);
    for (x, weight) in values() {
        let d = x - t;
        cumulant -= weight * (-saddle * d).ln_1p();
        curvature += weight * (d / (1.0 - saddle * d)).powi(2);
    }
    let (r, u) = ((-2.0 * cumulant).sqrt(), saddle * curvature.sqrt());
    gauss::tails(r + (u / r).ln() / r).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::incomplete_beta::{self, BetaPoint};

    /// Clopper and Pearson's bound is a quantile of the beta distribution with k + 1 and n − k.
    #[test]
    fn bound_for_zeros_and_ones_is_that_of_clopper_and_pearson() {
        for (n, k) in [(3, 0), (5, 0), (30, 0), (30, 3), (30, 27), (30, 29), (100, 90), (1000, 0), (100_000, 40)] {
            let [ones, zeros] = [f64::from(k), f64::from(n - k)];
            for p in [0.025, 0.0025] {
                let values: Vec<WeightedValue> =
                    [(1.0, ones), (0.0, zeros)].into_iter().filter(|(_, weight)| *weight > 0.0).collect();
                let bound = upper_mean_bound(&values, 1.0, p);
                let exact = incomplete_beta::tails(ones + 1.0, zeros, BetaPoint::new(ones + 1.0, zeros, bound)).1;
                assert!(exact <= 1.001 * p && exact > 0.95 * p, "{k} of {n}: {exact}, not {p}");
            }
        }
        assert_eq!(upper_mean_bound(&[(1.0, 10.0)], 1.0, 0.025), 1.0);
    }

    /// The 0.975 quantiles of 10⁶ Dirichlet means, simulated with Python's `random.gammavariate`.
    #[test]
    fn bound_is_a_quantile_of_dirichlet_means() {
        let even: &[f64] = &[0.1, 0.2, 0.3, 0.7, 0.4, 0.5];
        let far: &[f64] = &[-1.0, -0.9, -0.8, -0.95, -1.0, 0.0, 2.0, -0.7, -0.9, -0.6];
        for (values, end, expected) in [(even, 1.0, 0.677_27), (far, 20.0, 5.842_1)] {
            let values: Vec<WeightedValue> = values.iter().map(|value| (*value, 1.0)).collect();
            let bound = upper_mean_bound(&values, end, 0.025);
            assert!(bound > 0.999 * expected && bound < 1.01 * expected, "{bound}, not {expected}");
        }
    }
}
