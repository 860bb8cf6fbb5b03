//! Survey weights of test scores counted in bins: of each bin Σw and Σw², from which the weighted sums of every function on the bins
//! follow (`weighted`).

use super::moments::Sampled;
use crate::numeric::sum::Sum;

/// Weights by bin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedCounts(Vec<Bin>);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    /// Scores with a weight above 0.
    n: u64,
    weights: Sum,
    squares: Sum,
}

impl WeightedCounts {
    pub(crate) fn new(bins: usize) -> Self {
        Self(vec![Bin::default(); bins])
    }

    /// Adds a score to a bin. What has weight 0 counts for nothing.
    pub(crate) fn add(&mut self, bin: usize, weight: f64) {
        if weight > 0.0 {
            let bin = &mut self.0[bin];
            bin.n += 1;
            bin.weights.add(weight);
            bin.squares.add(weight * weight);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (bin, more) in self.0.iter_mut().zip(&other.0) {
            bin.n += more.n;
            bin.weights.merge(&more.weights);
            bin.squares.merge(&more.squares);
        }
    }

    /// The scores in each bin.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().map(|bin| bin.n)
    }

    /// (Σw)²/Σw².
    pub(super) fn effective_n(&self) -> f64 {
        self.total(|bin| bin.weights).powi(2) / self.total(|bin| bin.squares)
    }

    /// What the scores say of a function with these values in the bins.
    pub(super) fn sampled(&self, values: &[f64]) -> Sampled {
        let sum = |term: &dyn Fn(&Bin, f64) -> f64| {
            self.0.iter().zip(values).map(|(bin, value)| term(bin, *value)).collect::<Sum>().value()
        };
        Sampled {
            total: self.total(|bin| bin.weights),
            sum: sum(&|bin, value| bin.weights.value() * value),
            sum_squares: sum(&|bin, value| bin.weights.value() * value * value),
            mean_by_square: sum(&|bin, value| bin.squares.value() * value) / self.total(|bin| bin.squares),
            size: self.effective_n(),
        }
    }

    fn total(&self, of: impl Fn(&Bin) -> Sum) -> f64 {
        let mut total = Sum::default();
        self.0.iter().for_each(|bin| total.merge(&of(bin)));
        total.value()
    }

    /// Σw and Σw² of each bin.
    pub(super) fn sums(&self) -> Vec<&Sum> {
        self.0.iter().flat_map(|bin| [&bin.weights, &bin.squares]).collect()
    }

    /// The same bins with these counts, and these sums in that order.
    pub(super) fn with(counts: &[u64], mut next: impl FnMut() -> Sum) -> Self {
        Self(counts.iter().map(|n| Bin { n: *n, weights: next(), squares: next() }).collect())
    }
}
