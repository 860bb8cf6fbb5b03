//! What is kept of one function g of the test scores whose mean is wanted: n, Σg and Σg².

use super::counts::BinCounts;
use crate::numeric::sum::CompensatedSum;

/// What test scores say of one function g of them, weighted or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleStatistics {
    /// Σw; n without weights.
    pub(crate) total: f64,
    /// Σwg.
    pub(crate) sum: f64,
    /// Σwg².
    pub(crate) sum_squares: f64,
    /// Σw²g/Σw²; the mean itself without weights.
    pub(crate) mean_by_square: f64,
    /// Kish's effective number (Σw)²/Σw²; n without weights.
    pub(crate) size: f64,
}

impl SampleStatistics {
    /// Of a function with these values in the bins, from how many scores lie in each.
    pub(super) fn in_bins(counts: &BinCounts, values: &[f64]) -> Self {
        let (mut sum, mut sum_squares) = (CompensatedSum::default(), CompensatedSum::default());
        counts.iter().enumerate().for_each(|(bin, n)| {
            let value = values[bin];
            // Without a branch: whether a bin is empty is hard to guess.
            let term = |value: f64| if n > 0 { n as f64 * value } else { 0.0 };
            sum.add(term(value));
            sum_squares.add(term(value * value));
        });
        let (total, sum) = (counts.total() as f64, sum.value());
        Self { total, sum, sum_squares: sum_squares.value(), mean_by_square: sum / total, size: total }
    }

    /// Σwg/Σw.
    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.total
    }

    /// Whether g is the same everywhere, to six digits of its size.
    pub(super) fn is_constant(&self) -> bool {
        let square = self.sum_squares / self.total;
        square - self.mean().powi(2) <= 1e-12 * square
    }
}

/// n, Σg and Σg² of a function g of the test scores, exact to about one rounding whatever their number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FunctionMoments {
    n: u64,
    sum: CompensatedSum,
    sum_squares: CompensatedSum,
}

impl FunctionMoments {
    /// With these sums.
    pub(super) fn of(n: u64, sum: CompensatedSum, sum_squares: CompensatedSum) -> Self {
        Self { n, sum, sum_squares }
    }

    /// The number of scores.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    pub(super) fn add(&mut self, n: u64, sum: &CompensatedSum, sum_squares: &CompensatedSum) {
        self.n += n;
        self.sum.merge(sum);
        self.sum_squares.merge(sum_squares);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.add(other.n, &other.sum, &other.sum_squares);
    }

    pub(super) fn sampled(&self) -> SampleStatistics {
        let (total, sum) = (self.n as f64, self.sum());
        SampleStatistics { total, sum, sum_squares: self.sum_squares(), mean_by_square: sum / total, size: total }
    }

    pub(super) fn sums(&self) -> [&CompensatedSum; 2] {
        [&self.sum, &self.sum_squares]
    }

    /// Σ g.
    pub(super) fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Σ g².
    pub(super) fn sum_squares(&self) -> f64 {
        self.sum_squares.value()
    }

    /// Σ g / n.
    pub(crate) fn mean(&self) -> f64 {
        self.sum() / self.n as f64
    }
}
