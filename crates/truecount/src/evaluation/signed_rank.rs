//! Wilcoxon's signed-rank test (1945): are differences as often and as far above 0 as below?
//!
//! Differences of 0 are dropped, the absolute values of the n others are ranked, equal ones get the mean of their ranks, and W is
//! the sum of the ranks of the positive ones. Without equal ones and with n up to 50, W has the exact distribution of the sum of a
//! random subset of 1, …, n; otherwise it is taken as normal with mean n(n + 1)/4 and variance Σ r²/4, r the ranks, which is
//! [n(n + 1)(2n + 1)/6 − Σ (t³ − t)/12]/4 for groups of t equal ones; without a correction for continuity. The p-value is for
//! both sides.

use crate::numeric::gauss;
use crate::numeric::sum::Sum;

/// Up to so many differences the distribution is exact.
const EXACT: usize = 50;

/// The p-value that these finite differences are symmetric about 0; none when all are 0.
///
/// # Examples
/// ```
/// use truecount::evaluation::signed_rank;
/// // Three of three above 0: one subset of eight, on each side.
/// assert_eq!(signed_rank(&[0.1, 0.4, 0.2]), Some(0.25));
/// ```
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    let mut differences: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    differences.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = differences.len();
    let (mut below, mut ties) = (0, false);
    let (mut positive, mut squares) = (0.0, Sum::default());
    for equal in differences.chunk_by(|a, b| a.abs() == b.abs()) {
        let rank = below as f64 + 0.5 * (equal.len() as f64 + 1.0);
        positive += rank * equal.iter().filter(|d| **d > 0.0).count() as f64;
        squares.add(rank * rank * equal.len() as f64);
        ties |= equal.len() > 1;
        below += equal.len();
    }
    let middle = 0.25 * n as f64 * (n as f64 + 1.0);
    let smaller = middle - (positive - middle).abs();
    match n {
        0 => None,
        ..=EXACT if !ties => Some(exact(n, smaller)),
        _ => {
            let z = (middle - smaller) / (0.5 * squares.value().sqrt());
            Some(2.0 * gauss::tails(z).1)
        }
    }
}

/// 2 P(W ≤ w), at most 1, for subsets of 1, …, n: there are at most 2⁵⁰, so that all numbers are exact.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // without ties a whole number from 0
fn exact(n: usize, w: f64) -> f64 {
    let mut subsets = vec![0.0; n * (n + 1) / 2 + 1];
    subsets[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..subsets.len()).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let at_most: f64 = subsets[..=w as usize].iter().sum();
    (2.0 * at_most / (1_u64 << n) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SciPy` 1.17, `scipy.stats.wilcoxon(d, zero_method='wilcox', correction=False, method=…).pvalue`.
    #[test]
    fn p_values_are_scipys() {
        let close = |d: &[f64], p: f64, tolerance: f64| {
            let found = signed_rank(d).unwrap();
            assert!((found / p - 1.0).abs() < tolerance, "{found}, not {p}");
        };
        // method='exact'
        close(&[0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.9, 1.0], 0.037_109_375, 1e-15);
        // k = np.arange(1, 51); d = k*np.where(k % 3 == 0, -1.0, 1.0); method='exact', and to 51 with method='approx'
        let thirds = |last: i32| -> Vec<f64> {
            (1..=last).map(|k| if k % 3 == 0 { -f64::from(k) } else { f64::from(k) }).collect()
        };
        close(&thirds(50), 0.026_166_968_171_196_46, 1e-13);
        close(&thirds(51), 0.055_852_182_035_584_695, 1e-13);
        // method='approx'
        close(&[1.0, 1.0, -1.0, 2.0, 2.0, -3.0, 0.0, 0.0, 4.0, 5.0, 5.0, 5.0], 0.045_571_269_592_636_805, 1e-13);
        // k = np.arange(1, 5001); d = np.where(k % 5 < 2, -1.0, 1.0)*(k % 97); method='approx'
        let many = (1..=5000).map(|k: i32| f64::from(k % 97) * if k % 5 < 2 { -1.0 } else { 1.0 });
        close(&many.collect::<Vec<_>>(), 5.339_593_381_775_56e-34, 1e-12);
    }

    /// All 2ⁿ signs of n differences: the p-value of each is the share of signs that are as extreme.
    #[test]
    fn the_exact_distribution_is_that_of_all_signs() {
        let n = 9;
        let signed = |signs: u32| -> Vec<f64> {
            (0..n).map(|k| f64::from(k + 1) * if signs >> k & 1 == 1 { 1.0 } else { -1.0 }).collect()
        };
        let sum = |signs: u32| signed(signs).iter().sum::<f64>().abs();
        for signs in [0, 5, 77, 300, 511] {
            let extreme = (0..1 << n).filter(|other| sum(*other) >= sum(signs)).count();
            assert_eq!(signed_rank(&signed(signs)).unwrap(), extreme as f64 / f64::from(1 << n));
        }
    }

    #[test]
    fn without_differences_there_is_no_answer() {
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0.0, -0.0]), None);
        assert_eq!(signed_rank(&[0.3, 0.0]), Some(1.0));
    }
}
