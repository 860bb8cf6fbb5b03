//! Survey weights: test score i stands for wᵢ others, up to a common factor.
//!
//! The estimate takes the weighted mean Σwg/Σw. The classes of the scores being given, its variance is
//! [v₊ Σ₊w² + v₋ Σ₋w²]/(Σw)², v± the class variances of g: with q = Σw²/(Σw)² that is q[α₂ v₊ + (1−α₂) v₋], α₂ the share of the
//! positives in Σw², which the same quantifier estimates from Σw²g/Σw². So three sums of each g will do, and 1/q, Kish's effective
//! number of scores (Kish 1965, *Survey Sampling*), takes the place of n.
//!
//! Where test scores are counted in bins, Σw and Σw² of each bin are enough: the three sums of every
//! function on the bins follow from them.

use super::influence::InfluenceFunction;
use super::moments::SampleStatistics;
use crate::numeric::sum::CompensatedSum;

/// Weighted sums of functions of the test scores, exact to about one rounding whatever their number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedMoments {
    n: u64,
    weights: CompensatedSum,
    squares: CompensatedSum,
    functions: Vec<WeightedSums>,
}

/// Of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WeightedSums {
    /// Σwg.
    first: CompensatedSum,
    /// Σwg².
    second: CompensatedSum,
    /// Σw²g.
    by_square: CompensatedSum,
}

impl WeightedMoments {
    pub(crate) fn new(functions: usize) -> Self {
        Self { n: 0, weights: CompensatedSum::default(), squares: CompensatedSum::default(), functions: vec![WeightedSums::default(); functions] }
    }

    /// Adds values with their weights to the sums of these functions. What has weight 0 counts for nothing.
    pub(crate) fn push<'a>(&mut self, functions: impl Iterator<Item = &'a InfluenceFunction>, values: &[f64], weights: &[f64]) {
        let pairs = || values.iter().zip(weights).filter(|(_, w)| **w > 0.0);
        for (_, w) in pairs() {
            self.n += 1;
            self.weights.add(*w);
            self.squares.add(w * w);
        }
        for (g, sums) in functions.zip(&mut self.functions) {
            for (x, w) in pairs() {
                let value = g.value(*x);
                sums.first.add(w * value);
                sums.second.add(w * value * value);
                sums.by_square.add(w * w * value);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.weights.merge(&other.weights);
        self.squares.merge(&other.squares);
        for (sums, more) in self.functions.iter_mut().zip(&other.functions) {
            sums.first.merge(&more.first);
            sums.second.merge(&more.second);
            sums.by_square.merge(&more.by_square);
        }
    }

    /// The number of scores with a weight above 0.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// (Σw)²/Σw².
    pub(super) fn effective_n(&self) -> f64 {
        self.weights.value().powi(2) / self.squares.value()
    }

    /// The number of functions.
    pub(super) fn functions(&self) -> usize {
        self.functions.len()
    }

    pub(super) fn sampled(&self, place: usize) -> SampleStatistics {
        let sums = &self.functions[place];
        SampleStatistics {
            total: self.weights.value(),
            sum: sums.first.value(),
            sum_squares: sums.second.value(),
            mean_by_square: sums.by_square.value() / self.squares.value(),
            size: self.effective_n(),
        }
    }

    /// Σw, Σw² and the three sums of each function.
    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        let each = self.functions.iter().flat_map(|sums| [&sums.first, &sums.second, &sums.by_square]);
        [&self.weights, &self.squares].into_iter().chain(each).collect()
    }

    /// The same functions with these sums, in that order.
    pub(super) fn with_sums(&self, n: u64, mut next: impl FnMut() -> CompensatedSum) -> Self {
        let (weights, squares) = (next(), next());
        let mut sums = |_: &WeightedSums| WeightedSums { first: next(), second: next(), by_square: next() };
        Self { n, weights, squares, functions: self.functions.iter().map(&mut sums).collect() }
    }
}

/// Weights by bin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedCounts(Vec<WeightedBin>);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WeightedBin {
    /// Scores with a weight above 0.
    n: u64,
    weights: CompensatedSum,
    squares: CompensatedSum,
}

impl WeightedCounts {
    pub(crate) fn new(bins: usize) -> Self {
        Self(vec![WeightedBin::default(); bins])
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
    pub(super) fn sampled(&self, values: &[f64]) -> SampleStatistics {
        let sum = |term: &dyn Fn(&WeightedBin, f64) -> f64| {
            self.0.iter().zip(values).map(|(bin, value)| term(bin, *value)).collect::<CompensatedSum>().value()
        };
        SampleStatistics {
            total: self.total(|bin| bin.weights),
            sum: sum(&|bin, value| bin.weights.value() * value),
            sum_squares: sum(&|bin, value| bin.weights.value() * value * value),
            mean_by_square: sum(&|bin, value| bin.squares.value() * value) / self.total(|bin| bin.squares),
            size: self.effective_n(),
        }
    }

    fn total(&self, of: impl Fn(&WeightedBin) -> CompensatedSum) -> f64 {
        let mut total = CompensatedSum::default();
        self.0.iter().for_each(|bin| total.merge(&of(bin)));
        total.value()
    }

    /// Σw and Σw² of each bin.
    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        self.0.iter().flat_map(|bin| [&bin.weights, &bin.squares]).collect()
    }

    /// The same bins with these counts, and these sums in that order.
    pub(super) fn with(counts: &[u64], mut next: impl FnMut() -> CompensatedSum) -> Self {
        Self(counts.iter().map(|n| WeightedBin { n: *n, weights: next(), squares: next() }).collect())
    }
}
