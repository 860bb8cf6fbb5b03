//! Combination of p-values.

use std::f64::consts::PI;

/// The largest p-value in a combination: a p-value of 1 would outweigh any other.
const MAX_P: f64 = 0.99;

/// Combines p-values into one, by Cauchy's distribution (Liu and Xie 2020).
///
/// The result is right for small p-values whatever their dependence; it is 1 without p-values.
pub(crate) fn combined(p_values: impl Iterator<Item = f64>) -> f64 {
    let (mut number, mut sum) = (0.0, 0.0);
    for p in p_values {
        number += 1.0;
        sum += (PI * p.min(MAX_P)).tan().recip();
    }
    if number > 0.0 { f64::atan2(1.0, sum / number) / PI } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_p_values_combine_to_themselves_and_a_tiny_one_counts_by_their_number() {
        assert!((combined([0.03; 4].into_iter()) - 0.03).abs() < 1e-15);
        assert!((combined([1e-9, 0.5, 0.5, 0.5].into_iter()) / 4e-9 - 1.0).abs() < 1e-6);
        assert_eq!((combined([0.0, 0.5].into_iter()), combined([].into_iter())), (0.0, 1.0));
    }
}
