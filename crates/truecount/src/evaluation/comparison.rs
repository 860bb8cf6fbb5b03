//! Paired comparison of two methods on the same samples: which one is closer to the truth, how
//! often, by how much, and whether the difference may be due to chance.

use super::{Mean, signed_rank};
use crate::Error;

/// The inverse of the unit to which differences are rounded, 2⁻⁴⁰.
///
/// Differences below 2⁻⁴¹, about 5e-13, are ties, because the errors of estimates that are ratios
/// of counts are often equal up to rounding.
const RESOLUTION: f64 = (1_u64 << 40) as f64;

/// A comparison of two methods' absolute errors on the same samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairedComparison {
    /// The number of samples on which the first method is closer to the truth.
    pub wins: usize,
    /// The number of samples on which the second method is closer to the truth.
    pub losses: usize,
    /// The number of samples on which both methods are equally far from the truth.
    pub ties: usize,
    /// The mean of the second method's error minus the first method's; positive if the first method is closer.
    pub difference: Mean,
    /// The p-value of Wilcoxon's [`signed_rank`] test of these differences; `None` if all differences are 0.
    pub p_value: Option<f64>,
}

impl PairedComparison {
    /// Compares the absolute errors, in [0, 1], of a first and a second method, sample by sample.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`](crate::Problem::LengthMismatch) if the methods have different
    /// numbers of errors.
    pub fn new(errors: &[f64], others: &[f64]) -> Result<Self, Error> {
        Error::unless_equal(("errors", errors.len(), others.len()))?;
        let differences: Vec<f64> = errors.iter().zip(others).map(|(error, other)| other - error).collect();
        let rounded: Vec<f64> = differences.iter().map(|d| (d * RESOLUTION).round()).collect();
        let count = |which: fn(&f64) -> bool| rounded.iter().filter(|d| which(d)).count();
        Ok(Self {
            wins: count(|d| *d > 0.0),
            losses: count(|d| *d < 0.0),
            ties: count(|d| *d == 0.0),
            difference: Mean::from_values(&differences),
            p_value: signed_rank(&rounded),
        })
    }
}

/// Returns Holm's (1979) adjusted p-values of several tests, in the order of the tests.
///
/// The smallest of m p-values is multiplied by m, the next by m − 1, and so on. Adjusted values are
/// at most 1 and keep the order of the p-values. Rejecting all tests with adjusted values below a
/// level makes a false rejection with at most that probability.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = p_values.to_vec();
    let mut largest: f64 = 0.0;
    for (rank, test) in order.into_iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[test]).min(1.0);
        adjusted[test] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problem;

    #[test]
    fn counts_and_means_by_hand() {
        // Differences ½, −¼, 0, ½: mean 3/16, squares (5² + 7² + 3² + 5²)/16² = 108/256, se² = 108/256/3/4.
        let comparison = PairedComparison::new(&[0.25, 0.5, 0.25, 0.0], &[0.75, 0.25, 0.25, 0.5]).unwrap();
        assert_eq!((comparison.wins, comparison.losses, comparison.ties), (2, 1, 1));
        assert_eq!(comparison.difference.value, 0.1875);
        assert!((comparison.difference.std_error.unwrap() - 0.1875).abs() < 1e-16);
        // Ranks 1, 2½, 2½, the first negative: of the eight subsets {} and {1} sum to at most 1, as many to at least 5.
        assert_eq!(comparison.p_value, Some(0.5));
        // 0.3 − 0.1 and 0.6 − 0.4 differ in their last digit.
        let comparison = PairedComparison::new(&[0.3 - 0.1], &[0.6 - 0.4]).unwrap();
        assert_eq!((comparison.wins, comparison.ties, comparison.losses, comparison.p_value), (0, 1, 0, None));
        let error = PairedComparison::new(&[0.1], &[]).unwrap_err();
        assert_eq!(error, Problem::LengthMismatch { column: "errors", values: 1, others: 0 }.into());
    }

    /// R 4.3: `p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5), "holm")`, and ties that become 1.
    #[test]
    fn holm_agrees_with_r() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.5]);
        let expected = [0.04, 0.09, 0.09, 0.025, 0.5];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{adjusted:?}");
        assert_eq!(holm(&[0.7, 0.7]), [1.0, 1.0]);
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
