//! Many methods over several data sets: mean ranks, whether they differ by more than chance, and by how much two must differ.
//!
//! r is the rank of a method's error on a data set, 1 the smallest, the mean for ties, and R_j a method's sum of ranks. With k methods
//! and N data sets, Friedman's statistic with ties (Conover 1999, §5.8) is
//!
//! ```text
//! χ² = (k − 1) Σ_j (R_j − N (k+1)/2)² / (Σ r² − N k (k+1)²/4)
//! F  = (N − 1) χ² / (N (k−1) − χ²)
//! ```
//!
//! and F (Iman and Davenport 1980) has k − 1 and (k−1)(N−1) degrees of freedom where methods do not differ. Two mean ranks differ by
//! Nemenyi's test (1963) if they are a critical difference apart, q √(k (k+1)/(6N)), with q the upper quantile of the range of k
//! standard normals divided by √2. Both as in Demšar (2006), *Statistical comparisons of classifiers over multiple data sets*.

use crate::Error;
use crate::numeric::incomplete_beta::{self, Point};
use crate::numeric::legendre::RULE;
use crate::numeric::{gauss, root};
use std::f64::consts::SQRT_2;

/// The ranks of methods by their errors on data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    mean: Vec<f64>,
    data_sets: usize,
    statistic: Option<f64>,
}

impl Ranks {
    /// From the errors of all methods on each data set, smaller being better; an infinite error is that of a method that has no answer.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if not every data set has an error of each method.
    ///
    /// # Examples
    /// ```
    /// use truecount::evaluation::Ranks;
    /// # fn main() -> Result<(), truecount::Error> {
    /// let ranks = Ranks::new(&[vec![0.1, 0.2, 0.3], vec![0.2, 0.1, 0.1]])?;
    /// assert_eq!(ranks.mean(), [2.0, 1.75, 2.25]);
    /// # Ok(()) }
    /// ```
    pub fn new(errors: &[Vec<f64>]) -> Result<Self, Error> {
        let methods = errors.first().map_or(0, Vec::len);
        if let Some(other) = errors.iter().find(|of| of.len() != methods) {
            return Err(Error::LengthMismatch { column: "errors", values: other.len(), others: methods });
        }
        let mut sums = vec![0.0; methods];
        let mut squares = 0.0;
        for of in errors {
            for (sum, rank) in sums.iter_mut().zip(ranked(of)) {
                *sum += rank;
                squares += rank * rank;
            }
        }
        let (k, n) = (methods as f64, errors.len() as f64);
        let middle = n * (k + 1.0) / 2.0;
        let within = squares - n * k * (k + 1.0) * (k + 1.0) / 4.0;
        let between: f64 = sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum();
        let statistic = (within > 0.0).then(|| (k - 1.0) * between / within);
        Ok(Self { mean: sums.into_iter().map(|sum| sum / n).collect(), data_sets: errors.len(), statistic })
    }

    /// Each method's mean rank.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The number of data sets.
    pub fn data_sets(&self) -> usize {
        self.data_sets
    }

    /// Friedman's χ²; none where all methods are level on every data set.
    pub fn statistic(&self) -> Option<f64> {
        self.statistic
    }

    /// The p-value of Iman and Davenport's F for the hypothesis that no method is better than another; none with one data set, which
    /// can say nothing of others, or where all are level.
    pub fn p_value(&self) -> Option<f64> {
        let chi_square = self.statistic?;
        if self.data_sets < 2 {
            return None;
        }
        let (k, n) = (self.mean.len() as f64 - 1.0, self.data_sets as f64 - 1.0);
        let rest = (n + 1.0) * k - chi_square;
        // All data sets agree.
        if rest <= 0.0 {
            return Some(0.0);
        }
        // The upper tail of F = n χ²/rest: I_x of half the degrees of freedom at 1/(1 + k F/(k n)).
        let (a, b) = (0.5 * k * n, 0.5 * k);
        Some(incomplete_beta::tails(a, b, Point::new(a, b, rest / (rest + chi_square))).0)
    }

    /// By how much two mean ranks must differ at this level, 0.95 for 5 % of false differences among all pairs.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a level that is not between 0 and 1.
    pub fn critical_difference(&self, level: f64) -> Result<f64, Error> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::Parameter { name: "the level", value: level, domain: "between 0 and 1" });
        }
        let k = self.mean.len() as f64;
        let q = if self.mean.len() < 2 { 0.0 } else { range_quantile(level, k) / SQRT_2 };
        Ok(q * (k * (k + 1.0) / (6.0 * self.data_sets as f64)).sqrt())
    }
}

/// The rank of each value, the mean for ties.
fn ranked(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = before as f64 + 0.5 * (equal.len() as f64 + 1.0);
        for place in equal {
            ranks[*place] = rank;
        }
        before += equal.len();
    }
    ranks
}

/// The quantile of the range of k standard normals.
fn range_quantile(level: f64, k: f64) -> f64 {
    // Beyond 40 nothing is left of a double.
    let of = |w: f64| range_cdf(w, k) - level;
    root::bracketed(of, (0.0, -level), (40.0, 1.0 - level))
}

/// P(range ≤ w) = k ∫ φ(z) [Φ(z) − Φ(z − w)]^(k−1) dz, z the largest.
fn range_cdf(w: f64, k: f64) -> f64 {
    // Beyond 9 on either side there is less than 1e-18; panels of a half.
    let (first, panels) = (-9.0, 36);
    let half = 0.25;
    let panel = |i: u32| {
        let middle = first + half * (2.0 * f64::from(i) + 1.0);
        let nodes = RULE.node.iter().zip(RULE.weight);
        nodes.map(|(x, weight)| weight * density(middle + half * x, w, k)).sum::<f64>()
    };
    k * half * (0..panels).map(panel).sum::<f64>()
}

fn density(z: f64, w: f64, k: f64) -> f64 {
    let between = gauss::tails(z).0 - gauss::tails(z - w).0;
    gauss::ln_pdf(z).exp() * between.powf(k - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17: `friedmanchisquare` of four methods on six data sets with ties, `f.sf` of Iman and Davenport's F.
    #[test]
    fn friedman_is_scipys() {
        let errors = [
            vec![0.11, 0.12, 0.12, 0.20],
            vec![0.05, 0.07, 0.06, 0.08],
            vec![0.30, 0.28, 0.33, 0.33],
            vec![0.15, 0.19, 0.17, 0.21],
            vec![0.02, 0.02, 0.02, 0.09],
            vec![0.40, 0.44, 0.41, 0.39],
        ];
        let ranks = Ranks::new(&errors).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b, "{a} not {b}");
        close(ranks.statistic().unwrap(), STATISTIC);
        close(ranks.p_value().unwrap(), P_VALUE);
    }

    const STATISTIC: f64 = 7.388_888_888_888_895;
    const P_VALUE: f64 = 0.042_575_629_062_494_26;

    /// scipy 1.17: `studentized_range.ppf(0.95, k, inf)/sqrt(2)`; Demšar's table 5 has 1.960, 2.343, 2.728, 3.164.
    #[test]
    fn critical_values_are_scipys() {
        for (k, value) in CRITICAL {
            let found = range_quantile(0.95, k) / SQRT_2;
            assert!((found - value).abs() < 1e-10, "{k}: {found:.15} not {value:.15}");
        }
    }

    const CRITICAL: [(f64, f64); 5] = [
        (2.0, 1.959_963_984_540_053_4),
        (3.0, 2.343_700_586_378_409),
        (5.0, 2.727_774_370_870_376_3),
        (10.0, 3.163_683_577_053_373),
        (20.0, 3.543_799_131_517_781_5),
    ];

    /// The range of two standard normals is √2 |Z|.
    #[test]
    fn of_two_it_is_the_normal_quantile() {
        for level in [0.5, 0.9, 0.95, 0.999] {
            let found = range_quantile(level, 2.0);
            let expected = SQRT_2 * gauss::quantile(0.5 + 0.5 * level);
            assert!((found - expected).abs() < 1e-13 * expected, "{found} not {expected}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_not() {
        let one = Ranks::new(&[vec![0.1, 0.2]]).unwrap();
        assert_eq!((one.mean(), one.p_value()), (&[1.0, 2.0][..], None));
        let level = Ranks::new(&[vec![0.1, 0.1], vec![0.2, 0.2]]).unwrap();
        assert_eq!((level.mean(), level.statistic(), level.p_value()), (&[1.5, 1.5][..], None, None));
        let agreed = Ranks::new(&[vec![0.1, 0.2], vec![0.1, f64::INFINITY]]).unwrap();
        assert_eq!((agreed.statistic(), agreed.p_value()), (Some(2.0), Some(0.0)));
        assert!(Ranks::new(&[vec![0.1, 0.2], vec![0.1]]).is_err());
        assert!(agreed.critical_difference(1.0).is_err());
    }
}
