//! Tallies with survey weights: test score i stands for wᵢ cases, up to a common factor.
//!
//! The estimate is based on the weighted mean Σwg/Σw. Given the classes of the scores, its variance
//! is [v₊ Σ₊w² + v₋ Σ₋w²]/(Σw)², where v± are the class variances of g. With q = Σw²/(Σw)² this is
//! q[α₂ v₊ + (1−α₂) v₋], where α₂ is the share of the positives in Σw², which the same quantifier
//! estimates from Σw²g/Σw², and 1/q, Kish's effective sample size (Kish 1965, *Survey Sampling*),
//! replaces n.
//!
//! This holds if weights and g are independent within each class. Otherwise, as when rows are drawn
//! by their scores, the variance of the mean is Σw²(g−ḡ)²/(Σw)², which also needs Σw²g². So four sums
//! of each g suffice.
//!
//! If test scores are counted in bins, Σw and Σw² of each bin suffice: the four sums of every
//! function on the bins follow from them.

use super::influence::InfluenceFunction;
use super::moments::SampleStatistics;
use crate::numeric::sum::CompensatedSum;

/// The largest relative error of a sum of weights that another program computed.
const SUM_ROUNDING: f64 = 1e-6;

/// Weighted sums of functions of the test scores, exact to about one rounding for any number of
/// scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedMoments {
    n: u64,
    weights: CompensatedSum,
    squares: CompensatedSum,
    functions: Vec<WeightedSums>,
}

/// The weighted sums of one function g.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WeightedSums {
    /// The weighted sum Σwg.
    sum: CompensatedSum,
    /// The weighted sum of squares Σwg².
    sum_squares: CompensatedSum,
    /// The sum with squared weights Σw²g.
    sum_by_squared_weight: CompensatedSum,
    /// The sum of squares with squared weights Σw²g².
    sum_squares_by_squared_weight: CompensatedSum,
}

impl WeightedMoments {
    /// Creates empty sums for this number of functions.
    pub(crate) fn new(functions: usize) -> Self {
        Self {
            n: 0,
            weights: CompensatedSum::default(),
            squares: CompensatedSum::default(),
            functions: vec![WeightedSums::default(); functions],
        }
    }

    /// Adds values with their weights to the sums of these functions; values with weight 0 are
    /// ignored.
    pub(crate) fn update<'a>(
        &mut self,
        functions: impl Iterator<Item = &'a InfluenceFunction>,
        values: &[f64],
        weights: &[f64],
    ) {
        let pairs = || values.iter().zip(weights).filter(|(_, w)| **w > 0.0);
        for (_, w) in pairs() {
            self.n += 1;
            self.weights.add(*w);
            self.squares.add(w * w);
        }
        for (g, sums) in functions.zip(&mut self.functions) {
            for (x, w) in pairs() {
                let value = g.value(*x);
                sums.sum.add(w * value);
                sums.sum_squares.add(w * value * value);
                sums.sum_by_squared_weight.add(w * w * value);
                sums.sum_squares_by_squared_weight.add(w * w * value * value);
            }
        }
    }

    /// Adds the sums of other scores.
    pub(super) fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.weights.merge(&other.weights);
        self.squares.merge(&other.squares);
        for (sums, more) in self.functions.iter_mut().zip(&other.functions) {
            sums.sum.merge(&more.sum);
            sums.sum_squares.merge(&more.sum_squares);
            sums.sum_by_squared_weight.merge(&more.sum_by_squared_weight);
            sums.sum_squares_by_squared_weight.merge(&more.sum_squares_by_squared_weight);
        }
    }

    /// Multiplies the sums with squared weights.
    pub(super) fn scale_squares(&mut self, factor: f64) {
        self.squares = self.squares.times(factor);
        for sums in &mut self.functions {
            sums.sum_by_squared_weight = sums.sum_by_squared_weight.times(factor);
            sums.sum_squares_by_squared_weight = sums.sum_squares_by_squared_weight.times(factor);
        }
    }

    /// Returns the number of scores with a positive weight.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// Returns Kish's effective sample size (Σw)²/Σw².
    pub(super) fn effective_n(&self) -> f64 {
        self.weights.value().powi(2) / self.squares.value()
    }

    pub(super) fn functions(&self) -> usize {
        self.functions.len()
    }

    pub(super) fn statistics(&self, function: usize) -> SampleStatistics {
        let sums = &self.functions[function];
        SampleStatistics {
            n: self.n as f64,
            total: self.weights.value(),
            sum: sums.sum.value(),
            sum_squares: sums.sum_squares.value(),
            mean_by_squared_weight: sums.sum_by_squared_weight.value() / self.squares.value(),
            mean_square_by_squared_weight: sums.sum_squares_by_squared_weight.value() / self.squares.value(),
            effective_size: self.effective_n(),
        }
    }

    /// Returns Σw and Σw², followed by the four sums of each function.
    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        let each = self.functions.iter().flat_map(|sums| {
            [&sums.sum, &sums.sum_squares, &sums.sum_by_squared_weight, &sums.sum_squares_by_squared_weight]
        });
        [&self.weights, &self.squares].into_iter().chain(each).collect()
    }

    /// Returns sums for the same functions; `next` yields them in the order of
    /// [`sums`](Self::sums).
    pub(super) fn with_sums(&self, n: u64, mut next: impl FnMut() -> CompensatedSum) -> Self {
        let (weights, squares) = (next(), next());
        let mut sums = |_: &WeightedSums| WeightedSums {
            sum: next(),
            sum_squares: next(),
            sum_by_squared_weight: next(),
            sum_squares_by_squared_weight: next(),
        };
        Self { n, weights, squares, functions: self.functions.iter().map(&mut sums).collect() }
    }
}

/// Sums over the scores in a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinWeights {
    /// Σw.
    pub sum: f64,
    /// Σw².
    pub sum_squares: f64,
}

impl BinWeights {
    /// Returns whether n weights can have these sums: (Σw)²/n ≤ Σw² ≤ (Σw)², up to rounding.
    pub(crate) fn are_possible(self, n: u64) -> bool {
        let (square, n) = (self.sum * self.sum, n as f64);
        let range = (1.0 - SUM_ROUNDING) * square..=(1.0 + SUM_ROUNDING) * square * n;
        (self.sum > 0.0) == (n > 0.0) && square.is_finite() && range.contains(&(self.sum_squares * n))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedCounts(Vec<WeightedBin>);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WeightedBin {
    /// The number of scores with a positive weight.
    n: u64,
    weights: CompensatedSum,
    squares: CompensatedSum,
}

impl WeightedCounts {
    /// Creates this many empty bins.
    pub(crate) fn new(bins: usize) -> Self {
        Self(vec![WeightedBin::default(); bins])
    }

    /// Adds a score to a bin; a score with weight 0 is ignored.
    pub(crate) fn add(&mut self, bin: usize, weight: f64) {
        if weight > 0.0 {
            let bin = &mut self.0[bin];
            bin.n += 1;
            bin.weights.add(weight);
            bin.squares.add(weight * weight);
        }
    }

    pub(crate) fn add_sums(&mut self, bin: usize, n: u64, sums: BinWeights) {
        let bin = &mut self.0[bin];
        bin.n += n;
        bin.weights.add(sums.sum);
        bin.squares.add(sums.sum_squares);
    }

    /// Adds the sums of other scores in the same bins.
    pub(super) fn merge(&mut self, other: &Self) {
        for (bin, more) in self.0.iter_mut().zip(&other.0) {
            bin.n += more.n;
            bin.weights.merge(&more.weights);
            bin.squares.merge(&more.squares);
        }
    }

    /// Multiplies the sums of squared weights.
    pub(super) fn scale_squares(&mut self, factor: f64) {
        self.0.iter_mut().for_each(|bin| bin.squares = bin.squares.times(factor));
    }

    /// Returns the number of scores with a positive weight in each bin.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().map(|bin| bin.n)
    }

    /// Returns Σw and Σw² of each bin.
    pub(super) fn weights(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.0.iter().map(|bin| (bin.weights.value(), bin.squares.value()))
    }

    /// Returns Kish's effective sample size (Σw)²/Σw².
    pub(super) fn effective_n(&self) -> f64 {
        self.total(|bin| bin.weights).powi(2) / self.total(|bin| bin.squares)
    }

    pub(super) fn statistics(&self, values: &[f64]) -> SampleStatistics {
        let sum = |term: &dyn Fn(&WeightedBin, f64) -> f64| {
            self.0.iter().zip(values).map(|(bin, value)| term(bin, *value)).collect::<CompensatedSum>().value()
        };
        let squares = self.total(|bin| bin.squares);
        SampleStatistics {
            n: self.counts().sum::<u64>() as f64,
            total: self.total(|bin| bin.weights),
            sum: sum(&|bin, value| bin.weights.value() * value),
            sum_squares: sum(&|bin, value| bin.weights.value() * value * value),
            mean_by_squared_weight: sum(&|bin, value| bin.squares.value() * value) / squares,
            mean_square_by_squared_weight: sum(&|bin, value| bin.squares.value() * value * value) / squares,
            effective_size: self.effective_n(),
        }
    }

    /// Returns the total of one kind of sum over all bins.
    fn total(&self, sum: impl Fn(&WeightedBin) -> CompensatedSum) -> f64 {
        let mut total = CompensatedSum::default();
        self.0.iter().for_each(|bin| total.merge(&sum(bin)));
        total.value()
    }

    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        self.0.iter().flat_map(|bin| [&bin.weights, &bin.squares]).collect()
    }

    /// Creates bins with these counts; `next` yields their sums in the order of
    /// [`sums`](Self::sums).
    pub(super) fn from_sums(counts: &[u64], mut next: impl FnMut() -> CompensatedSum) -> Self {
        Self(counts.iter().map(|n| WeightedBin { n: *n, weights: next(), squares: next() }).collect())
    }
}
