//! Mean ranks of many methods over several data sets, with Friedman's test and Nemenyi's critical difference.
//!
//! The rank r of a method's error on a data set is 1 for the smallest error; ties get the mean of their ranks. R_j is
//! the sum of method j's ranks. With k methods and N data sets, Friedman's statistic with ties (Conover 1999, §5.8) is
//!
//! ```text
//! χ² = (k − 1) Σ_j (R_j − N (k+1)/2)² / (Σ r² − N k (k+1)²/4)
//! F  = (N − 1) χ² / (N (k−1) − χ²)
//! ```
//!
//! If methods do not differ, F (Iman and Davenport 1980) has approximately an F distribution with k − 1 and (k−1)(N−1)
//! degrees of freedom. With few data sets the p-value is exact instead: the share of all ways to order the methods on
//! each data set with a χ² at least as large. By Nemenyi's test (1963), two mean ranks differ if they are at least a
//! critical difference apart, q √(k (k+1)/(6N)), where q is the upper quantile of the range of k standard normals,
//! divided by √2. Both tests are described in Demšar (2006), *Statistical comparisons of classifiers over multiple data
//! sets*.

use crate::Error;
use crate::numeric::incomplete_beta::{self, BetaPoint};
use crate::numeric::legendre::RULE;
use crate::numeric::{gauss, root};
use std::f64::consts::SQRT_2;

/// Ranks of methods by their errors on data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodRanks {
    mean: Vec<f64>,
    statistic: Option<f64>,
    ranks_by_data_set: Vec<Vec<f64>>,
}

/// The largest number of orders of the methods, on all data sets except the first, for which the p-value is exact.
const MAX_ORDERS: f64 = 2e6;

impl MethodRanks {
    /// Ranks the methods on each data set by their errors; the smallest error has rank 1.
    ///
    /// `errors` has a row for each data set with the errors of all methods. A method without an
    /// estimate has an infinite error.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`](crate::Problem::LengthMismatch) if the data sets have different
    /// numbers of errors.
    pub fn new(errors: &[Vec<f64>]) -> Result<Self, Error> {
        let methods = errors.first().map_or(0, Vec::len);
        errors.iter().try_for_each(|data_set| Error::unless_equal(("errors", data_set.len(), methods)))?;
        let ranks: Vec<Vec<f64>> = errors.iter().map(|data_set| mid_ranks(data_set)).collect();
        let mut sums = vec![0.0; methods];
        for data_set in &ranks {
            add_ranks(&mut sums, data_set);
        }
        let squares: f64 = ranks.iter().flatten().map(|rank| rank * rank).sum();
        let (k, n) = (methods as f64, errors.len() as f64);
        let within_data_sets = squares - n * k * (k + 1.0) * (k + 1.0) / 4.0;
        let statistic =
            (within_data_sets > 0.0).then(|| (k - 1.0) * sum_of_squared_deviations(&sums) / within_data_sets);
        Ok(Self { mean: sums.into_iter().map(|sum| sum / n).collect(), statistic, ranks_by_data_set: ranks })
    }

    /// Returns each method's mean rank.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Returns the number of data sets.
    pub fn data_sets(&self) -> usize {
        self.ranks_by_data_set.len()
    }

    /// Returns Friedman's χ²; `None` if all methods are tied on every data set.
    pub fn statistic(&self) -> Option<f64> {
        self.statistic
    }

    /// Returns the p-value for the hypothesis that the methods do not differ.
    ///
    /// The p-value is exact if the number of possible orders is small, otherwise it is that of Iman and Davenport's F.
    /// Returns `None` with a single data set, and if all methods are tied on every data set.
    pub fn p_value(&self) -> Option<f64> {
        let chi_square = self.statistic?;
        let others = self.ranks_by_data_set.get(1..).filter(|others| !others.is_empty())?;
        let (k, n) = (self.mean.len(), others.len() as f64);
        let orders = (1..=k).map(|j| j as f64).product::<f64>().powf(n);
        if orders <= MAX_ORDERS {
            let sums: Vec<f64> = self.mean.iter().map(|mean| mean * (n + 1.0)).collect();
            // Ranks are multiples of ½, so their sums are exact; sums recovered from means are not quite.
            let minimum = sum_of_squared_deviations(&sums) - 1e-6;
            return Some(count_extreme_orders(&mut self.ranks_by_data_set[0].clone(), others, minimum) / orders);
        }
        let k = k as f64 - 1.0;
        let rest = (n + 1.0) * k - chi_square;
        // All data sets have the same order.
        if rest <= 0.0 {
            return Some(orders.recip());
        }
        // The upper tail of F = n χ²/rest is I_x with half the degrees of freedom at x = 1/(1 + k F/(k n)).
        let (a, b) = (0.5 * k * n, 0.5 * k);
        Some(incomplete_beta::tails(a, b, BetaPoint::new(a, b, rest / (rest + chi_square))).0.max(orders.recip()))
    }

    /// Returns the smallest significant difference of two mean ranks at this confidence level.
    ///
    /// At level 0.95, a false difference among any of the pairs has a probability of 5 %.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if the level is not strictly
    /// between 0 and 1.
    pub fn critical_difference(&self, level: f64) -> Result<f64, Error> {
        Error::unless_in_domain(level > 0.0 && level < 1.0, ("the level", level), "between 0 and 1")?;
        let k = self.mean.len() as f64;
        let q = if self.mean.len() < 2 { 0.0 } else { range_quantile(level, k) / SQRT_2 };
        Ok(q * (k * (k + 1.0) / (6.0 * self.ranks_by_data_set.len() as f64)).sqrt())
    }
}

fn add_ranks(sums: &mut [f64], ranks: &[f64]) {
    sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank);
}

/// Returns Σ (R_j − R̄)².
fn sum_of_squared_deviations(sums: &[f64]) -> f64 {
    let middle = sums.iter().sum::<f64>() / sums.len() as f64;
    sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum()
}

/// Counts the orders of the ranks on these data sets for which the sum of squared deviations is at least `minimum`.
///
/// `sums` are the sums of ranks on the other data sets.
fn count_extreme_orders(sums: &mut [f64], data_sets: &[Vec<f64>], minimum: f64) -> f64 {
    let Some((first, rest)) = data_sets.split_first() else {
        return f64::from(u8::from(sum_of_squared_deviations(sums) >= minimum));
    };
    let mut count = 0.0;
    for_each_order(&mut first.clone(), 0, &mut |order| {
        let mut sums = sums.to_vec();
        add_ranks(&mut sums, order);
        count += count_extreme_orders(&mut sums, rest, minimum);
    });
    count
}

/// Calls `each` with every order of the values from index `from` on; equal values count as different.
fn for_each_order(values: &mut [f64], from: usize, each: &mut impl FnMut(&[f64])) {
    if from + 1 >= values.len() {
        return each(values);
    }
    for other in from..values.len() {
        values.swap(from, other);
        for_each_order(values, from + 1, each);
        values.swap(from, other);
    }
}

/// Returns the rank of each value; ties get the mean of their ranks.
fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = before as f64 + 0.5 * (equal.len() as f64 + 1.0);
        for index in equal {
            ranks[*index] = rank;
        }
        before += equal.len();
    }
    ranks
}

/// Returns the quantile of the range of k standard normals.
fn range_quantile(level: f64, k: f64) -> f64 {
    // Beyond 40 the distribution function rounds to 1.
    let excess = |w: f64| range_cdf(w, k) - level;
    root::solve_bracketed(excess, (0.0, -level), (40.0, 1.0 - level))
}

/// Returns P(range ≤ w) = k ∫ φ(z) [Φ(z) − Φ(z − w)]^(k−1) dz, where z is the largest of the k normals.
fn range_cdf(w: f64, k: f64) -> f64 {
    // The mass beyond ±9 is below 1e-18; panels have width ½.
    let (first, panels) = (-9.0, 36);
    let half = 0.25;
    let panel = |i: u32| {
        let middle = first + half * (2.0 * f64::from(i) + 1.0);
        let nodes = RULE.node.iter().zip(RULE.weight);
        nodes.map(|(x, weight)| weight * range_density(middle + half * x, w, k)).sum::<f64>()
    };
    k * half * (0..panels).map(panel).sum::<f64>()
}

/// Returns the integrand φ(z) [Φ(z) − Φ(z − w)]^(k−1).
fn range_density(z: f64, w: f64, k: f64) -> f64 {
    let between = gauss::tails(z).0 - gauss::tails(z - w).0;
    gauss::ln_pdf(z).exp() * between.powf(k - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    /// scipy 1.17: `friedmanchisquare` of four methods on six data sets with ties, `f.sf` of Iman and Davenport's F.
    #[test]
    fn friedmans_test_agrees_with_scipy() {
        let errors = [
            vec![0.11, 0.12, 0.12, 0.20],
            vec![0.05, 0.07, 0.06, 0.08],
            vec![0.30, 0.28, 0.33, 0.33],
            vec![0.15, 0.19, 0.17, 0.21],
            vec![0.02, 0.02, 0.02, 0.09],
            vec![0.40, 0.44, 0.41, 0.39],
        ];
        let ranks = MethodRanks::new(&errors).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b, "{a} not {b}");
        close(ranks.statistic().unwrap(), 7.388_888_888_888_895);
        close(ranks.p_value().unwrap(), 0.042_575_629_062_494_26);
    }

    /// From tables of Friedman's test (Hollander, Wolfe and Chicken 2014, table A.22): k = 3 and
    /// n = 3, χ² = 6 has 0.028, 4.667 has 0.194; n = 4, χ² = 6.5 has 0.042.
    #[test]
    fn p_values_of_few_data_sets_are_exact() {
        let test = |rows: &[[f64; 3]]| {
            let ranks = MethodRanks::new(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>()).unwrap();
            (ranks.statistic().unwrap(), ranks.p_value().unwrap())
        };
        let (a, b, c) = ([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [2.0, 1.0, 3.0]);
        let close = |(chi_square, p): (f64, f64), expected: (f64, f64)| {
            assert!((chi_square - expected.0).abs() < 5e-4 && (p - expected.1).abs() < 1e-12, "{chi_square}, {p}");
        };
        close(test(&[a, a, a]), (6.0, 1.0 / 36.0));
        close(test(&[a, a, b]), (4.667, 7.0 / 36.0));
        close(test(&[a, a, a, c]), (6.5, 9.0 / 216.0));
        // With ties: ranks 1½, 1½, 3 agree on both data sets in a third of the orders.
        close(test(&[[1.0, 1.0, 2.0], [1.0, 1.0, 2.0]]), (4.0, 1.0 / 3.0));
    }

    /// Demšar's table 5 has 1.960, 2.343, 2.728, 3.164.
    #[test]
    fn critical_values_agree_with_scipy() {
        for [k, value] in quoted("studentized_range") {
            let actual = range_quantile(0.95, k) / SQRT_2;
            assert!((actual - value).abs() < 1e-10, "{k}: {actual:.15} not {value:.15}");
        }
    }

    /// The range of two standard normals is √2 |Z|.
    #[test]
    fn range_quantile_of_two_is_normal() {
        for level in [0.5, 0.9, 0.95, 0.999] {
            let actual = range_quantile(level, 2.0);
            let expected = SQRT_2 * gauss::quantile(0.5 + 0.5 * level);
            assert!((actual - expected).abs() < 1e-13 * expected, "{actual} not {expected}");
        }
    }

    #[test]
    fn p_values_need_differences_between_methods() {
        let one = MethodRanks::new(&[vec![0.1, 0.2]]).unwrap();
        assert_eq!((one.mean(), one.p_value()), (&[1.0, 2.0][..], None));
        let tied = MethodRanks::new(&[vec![0.1, 0.1], vec![0.2, 0.2]]).unwrap();
        assert_eq!((tied.mean(), tied.statistic(), tied.p_value()), (&[1.5, 1.5][..], None, None));
        let agreed = MethodRanks::new(&[vec![0.1, 0.2], vec![0.1, f64::INFINITY]]).unwrap();
        assert_eq!((agreed.statistic(), agreed.p_value()), (Some(2.0), Some(0.5)));
        assert!(MethodRanks::new(&[vec![0.1, 0.2], vec![0.1]]).is_err());
        assert!(agreed.critical_difference(1.0).is_err());
    }
}
