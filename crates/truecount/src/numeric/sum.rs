//! Compensated sums and medians.
//!
//! Summation is compensated (Neumaier 1974): sums of many terms, and of many such sums, are exact
//! to about one rounding.
//!
//! The rounding error is computed by Møller's and Knuth's formula. It gives the same bits as
//! Neumaier's without a comparison of the numbers, which processors cannot predict.

/// A running sum `high + low` whose error does not grow with the number of terms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CompensatedSum {
    high: f64,
    low: f64,
}

impl CompensatedSum {
    pub(crate) fn add(&mut self, x: f64) {
        let total = self.high + x;
        let added = total - self.high;
        self.low += (self.high - (total - added)) + (x - added);
        self.high = total;
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.add(other.high);
        self.low += other.low;
    }

    /// Returns the sum times a factor.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { high: self.high * factor, low: self.low * factor }
    }

    /// Creates a sum from its two parts.
    pub(crate) fn from_parts([high, low]: [f64; 2]) -> Self {
        Self { high, low }
    }

    /// Returns both parts, the complete state of the sum.
    pub(crate) fn parts(&self) -> [f64; 2] {
        [self.high, self.low]
    }

    pub(crate) fn value(&self) -> f64 {
        self.high + self.low
    }
}

impl FromIterator<f64> for CompensatedSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|x| sum.add(x));
        sum
    }
}

/// Returns the median, or `None` if there are no values; rearranges the values.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (lower, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if odd {
        return Some(upper);
    }
    let lower = lower.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(0.5 * (lower + upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_compensated() {
        assert_eq!([1.0, 1e100, 1.0, -1e100].into_iter().collect::<CompensatedSum>().value(), 2.0);
        let mut left: CompensatedSum = [1e16, 1.0].into_iter().collect();
        left.merge(&[-1e16, 1.0].into_iter().collect());
        assert_eq!(left.value(), 2.0);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }
}
