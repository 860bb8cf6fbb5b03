//! Wilcoxon's signed-rank test (1945) of the symmetry of differences about 0.
//!
//! Differences of 0 are dropped, the absolute values of the n others are ranked, ties get the mean of their ranks, and
//! W is the sum of the ranks of the positive differences. For n up to 50, the p-value uses the exact distribution of W
//! given the ranks, ties included: the distribution of the sum of a random subset of the ranks. For larger n, W is
//! approximated by a normal distribution with mean n(n + 1)/4 and variance Σ r²/4, where r are the ranks; with groups
//! of t ties, the variance is [n(n + 1)(2n + 1)/6 − Σ (t³ − t)/12]/4. There is no continuity correction. The p-value is
//! two-sided.

use crate::numeric::gauss;
use crate::numeric::sum::CompensatedSum;

/// The largest number of differences with an exact p-value.
const MAX_EXACT: usize = 50;

/// Returns the p-value for the hypothesis that these finite differences are symmetric about 0; `None` if all are 0.
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    let mut differences: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    differences.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    // Ranks are doubled, because the mean rank of ties may end in ½.
    let mut ranks = Vec::with_capacity(differences.len());
    let mut positive = 0;
    for equal in differences.chunk_by(|a, b| a.abs() == b.abs()) {
        let rank = 2 * ranks.len() + equal.len() + 1;
        positive += rank * equal.iter().filter(|d| **d > 0.0).count();
        ranks.resize(ranks.len() + equal.len(), rank);
    }
    let n = ranks.len();
    let all = n * (n + 1);
    let smaller = positive.min(all - positive);
    match n {
        0 => None,
        1..=MAX_EXACT => Some(exact_p_value(&ranks, smaller)),
        _ => {
            let squares: CompensatedSum = ranks.iter().map(|rank| (*rank as f64) * (*rank as f64)).collect();
            let z = (0.5 * all as f64 - smaller as f64) / (0.5 * squares.value().sqrt());
            Some(2.0 * gauss::tails(z).1)
        }
    }
}

/// Returns 2 P(W ≤ w), at most 1, where W is the sum of a random subset of the ranks.
///
/// There are at most 2⁵⁰ subsets, so the counts of subsets are exact.
fn exact_p_value(ranks: &[usize], w: usize) -> f64 {
    let mut subsets = vec![0.0; ranks.iter().sum::<usize>() + 1];
    subsets[0] = 1.0;
    for rank in ranks {
        for sum in (*rank..subsets.len()).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let at_most: f64 = subsets[..=w].iter().sum();
    (2.0 * at_most / (1_u64 << ranks.len()) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SciPy` 1.17, `scipy.stats.wilcoxon(d, zero_method='wilcox', correction=False, method=…).pvalue`.
    #[test]
    fn p_values_agree_with_scipy() {
        let close = |d: &[f64], p: f64, tolerance: f64| {
            let actual = signed_rank(d).unwrap();
            assert!((actual / p - 1.0).abs() < tolerance, "{actual}, not {p}");
        };
        // method='exact'
        close(&[0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.9, 1.0], 0.037_109_375, 1e-15);
        // k = np.arange(1, 51); d = k*np.where(k % 3 == 0, -1.0, 1.0); method='exact', and to 51 with method='approx'
        let thirds = |last: i32| -> Vec<f64> {
            (1..=last).map(|k| if k % 3 == 0 { -f64::from(k) } else { f64::from(k) }).collect()
        };
        close(&thirds(50), 0.026_166_968_171_196_46, 1e-13);
        close(&thirds(51), 0.055_852_182_035_584_695, 1e-13);
        // d = np.array([(k % 7 + 1)*(-1. if k % 4 == 0 else 1.) for k in range(51)]);
        // method='approx'
        let tied = (0..51).map(|k: i32| f64::from(k % 7 + 1) * if k % 4 == 0 { -1.0 } else { 1.0 });
        close(&tied.collect::<Vec<_>>(), 0.002_984_504_007_695_909_3, 1e-13);
        // k = np.arange(1, 5001); d = np.where(k % 5 < 2, -1.0, 1.0)*(k % 97); method='approx'
        let many = (1..=5000).map(|k: i32| f64::from(k % 97) * if k % 5 < 2 { -1.0 } else { 1.0 });
        close(&many.collect::<Vec<_>>(), 5.339_593_381_775_56e-34, 1e-12);
    }

    /// `SciPy` 1.17.1, `scipy.stats.wilcoxon(d, method=PermutationMethod(n_resamples=np.inf)).pvalue`: all signs, with
    /// zeros dropped.
    #[test]
    fn exact_p_values_allow_ties() {
        let p = |d: &[f64]| signed_rank(d).unwrap();
        assert_eq!(p(&[1.0, -1.0, 2.0, 2.0, 3.0]), 0.1875);
        assert_eq!(p(&[0.1, 0.1, -0.2, -0.2]), 0.5);
        assert_eq!(p(&[1.0, 1.0, -1.0, 2.0, 2.0, -3.0, 0.0, 0.0, 4.0, 5.0, 5.0, 5.0]), 0.041_015_625);
        // 50 equal differences: a fair coin that shows the same side 50 times.
        assert_eq!(p(&[0.5; 50]), 2.0_f64.powi(-49));
    }

    #[test]
    fn zero_differences_have_no_p_value() {
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0.0, -0.0]), None);
        assert_eq!(signed_rank(&[0.3, 0.0]), Some(1.0));
    }
}
