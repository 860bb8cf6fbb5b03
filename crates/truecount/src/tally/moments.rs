//! Sums of one function g of the test scores: n, Σg and Σg².

use super::counts::BinCounts;
use crate::numeric::sum::CompensatedSum;

/// Statistics of one function g of the test scores, with or without survey weights w.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleStatistics {
    /// The number of scores with a positive weight.
    pub(crate) n: f64,
    /// The total weight Σw; n without weights.
    pub(crate) total: f64,
    /// The weighted sum Σwg.
    pub(crate) sum: f64,
    /// The weighted sum of squares Σwg².
    pub(crate) sum_squares: f64,
    /// The mean with squared weights, Σw²g/Σw²; the mean of g without weights.
    pub(crate) mean_by_squared_weight: f64,
    /// The mean of squares with squared weights, Σw²g²/Σw²; the mean of g² without weights.
    pub(crate) mean_square_by_squared_weight: f64,
    /// Kish's effective sample size (Σw)²/Σw²; n without weights.
    pub(crate) effective_size: f64,
}

impl SampleStatistics {
    /// Computes the statistics of a function with these values in the bins from the counts of
    /// scores in the bins.
    pub(super) fn from_bins(counts: &BinCounts, values: &[f64]) -> Self {
        let (mut sum, mut sum_squares) = (CompensatedSum::default(), CompensatedSum::default());
        counts.for_each(|bin, n| {
            let value = values[bin];
            // Whether a bin is empty is hard to predict, so the loop has no branch.
            let term = |value: f64| if n > 0 { n as f64 * value } else { 0.0 };
            sum.add(term(value));
            sum_squares.add(term(value * value));
        });
        Self::unweighted(counts.total() as f64, sum.value(), sum_squares.value())
    }

    fn unweighted(total: f64, sum: f64, sum_squares: f64) -> Self {
        let (mean_by_squared_weight, mean_square_by_squared_weight) = (sum / total, sum_squares / total);
        Self {
            n: total,
            total,
            sum,
            sum_squares,
            mean_by_squared_weight,
            mean_square_by_squared_weight,
            effective_size: total,
        }
    }

    /// Returns the weighted mean Σwg/Σw.
    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.total
    }

    /// Returns the variance of g under squared weights over that under the weights, both about the
    /// weighted mean: Σw²(g−ḡ)²/Σw² over Σw(g−ḡ)²/Σw; `None` if g is constant.
    pub(crate) fn variance_ratio(&self) -> Option<f64> {
        let center = self.mean();
        // Both use one function, so that the ratio for equal weights is exactly 1.
        let square = square_about(center, self.sum_squares / self.total, center);
        (!self.is_constant()).then(|| self.square_about(center) / square)
    }

    /// Returns the mean square about a center under squared weights, Σw²(g−c)²/Σw².
    pub(crate) fn square_about(&self, center: f64) -> f64 {
        square_about(center, self.mean_square_by_squared_weight, self.mean_by_squared_weight)
    }

    /// Returns whether g is constant over the scores, to six digits of its size.
    pub(super) fn is_constant(&self) -> bool {
        let square = self.sum_squares / self.total;
        square - self.mean().powi(2) <= 1e-12 * square
    }
}

fn square_about(center: f64, square: f64, mean: f64) -> f64 {
    square - 2.0 * center * mean + center * center
}

/// The sums n, Σg and Σg² of a function g of the test scores, exact to about one rounding for any
/// number of scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FunctionMoments {
    n: u64,
    sum: CompensatedSum,
    sum_squares: CompensatedSum,
}

impl FunctionMoments {
    /// Creates moments from their sums.
    pub(super) fn from_sums(n: u64, sum: CompensatedSum, sum_squares: CompensatedSum) -> Self {
        Self { n, sum, sum_squares }
    }

    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// Adds n scores with these sums Σg and Σg².
    pub(super) fn add(&mut self, n: u64, sum: &CompensatedSum, sum_squares: &CompensatedSum) {
        self.n += n;
        self.sum.merge(sum);
        self.sum_squares.merge(sum_squares);
    }

    /// Adds the moments of other scores.
    pub(super) fn merge(&mut self, other: &Self) {
        self.add(other.n, &other.sum, &other.sum_squares);
    }

    /// Returns the statistics of g without weights.
    pub(super) fn statistics(&self) -> SampleStatistics {
        SampleStatistics::unweighted(self.n as f64, self.sum(), self.sum_squares())
    }

    /// Returns both sums, Σg and Σg².
    pub(super) fn sums(&self) -> [&CompensatedSum; 2] {
        [&self.sum, &self.sum_squares]
    }

    /// Returns Σg.
    pub(super) fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Returns Σg².
    pub(super) fn sum_squares(&self) -> f64 {
        self.sum_squares.value()
    }

    /// Returns the mean Σg/n.
    pub(crate) fn mean(&self) -> f64 {
        self.sum() / self.n as f64
    }
}
