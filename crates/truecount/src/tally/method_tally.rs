//! The state of a tally: the summary of the test scores that a quantifier needs.

use super::counts::BinCounts;
use super::moments::{FunctionMoments, SampleStatistics};
use super::weighted::{WeightedCounts, WeightedMoments};
use crate::Error;
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;

/// A summary of the test scores pushed so far; states can be merged in any order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MethodTally {
    /// Sums of one function, for Classify & Count and the sweeps; of constant size.
    Moments(FunctionMoments),
    /// Sums of several functions, for Efficient Sweep; of constant size.
    Several(Vec<FunctionMoments>),
    /// Weighted sums of one or several functions; of constant size.
    Weighted(Box<WeightedMoments>),
    /// The number of scores in each bin, for Efficient Sweep, DyS, `HDy` and the shift check; of
    /// constant size.
    Counts(BinCounts),
    /// Weights of the scores in each bin, for Efficient Sweep; of constant size.
    WeightedCounts(WeightedCounts),
    /// One number for each score, for Median Sweep and SLD; grows with the data.
    Values(Vec<f64>),
}

impl MethodTally {
    /// Creates a state that counts scores in the bins between these edges, without scores.
    pub(crate) fn empty_counts(edges: &Edges) -> Self {
        Self::Counts(BinCounts::new(edges.len() + 1))
    }

    /// Counts values in the bins between these edges.
    ///
    /// The state must come from [`empty_counts`](Self::empty_counts) with the same edges.
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) if a value is not finite.
    pub(crate) fn count(&mut self, edges: &Edges, values: &[f64]) -> Result<(), Error> {
        let Self::Counts(counts) = self else { unreachable!("a tally of counts") };
        counts.update(edges, values)
    }

    /// Returns the number of scores; with weights, the number of scores with a positive weight.
    pub(crate) fn n(&self) -> u64 {
        match self {
            Self::Moments(moments) => moments.n(),
            Self::Several(several) => several.first().map_or(0, FunctionMoments::n),
            Self::Weighted(weighted) => weighted.n(),
            Self::Counts(counts) => counts.total(),
            Self::WeightedCounts(counts) => counts.counts().sum(),
            Self::Values(values) => values.len() as u64,
        }
    }

    /// Returns whether the scores have survey weights.
    pub(crate) fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted(_) | Self::WeightedCounts(_))
    }

    /// Returns the effective sample size of weighted scores; `None` without weights.
    pub(crate) fn effective_n(&self) -> Option<f64> {
        match self {
            Self::Weighted(weighted) => Some(weighted.effective_n()),
            Self::WeightedCounts(counts) => Some(counts.effective_n()),
            _ => None,
        }
    }

    /// Returns the statistics of the tallied function with this index.
    pub(crate) fn statistics(&self, function: usize) -> SampleStatistics {
        match self {
            Self::Moments(moments) => moments.statistics(),
            Self::Several(several) => several[function].statistics(),
            Self::Weighted(weighted) => weighted.statistics(function),
            Self::Counts(_) | Self::WeightedCounts(_) | Self::Values(_) => unreachable!("a tally of means"),
        }
    }

    pub(crate) fn statistics_in_bins(&self, values: &[f64]) -> SampleStatistics {
        match self {
            Self::Counts(counts) => SampleStatistics::from_bins(counts, values),
            Self::WeightedCounts(counts) => counts.statistics(values),
            _ => unreachable!("a tally of counts"),
        }
    }

    /// Returns the number of scores in each bin; empty if scores are not counted in bins.
    pub(crate) fn counts(&self) -> Vec<u64> {
        match self {
            Self::Counts(counts) => counts.iter().collect(),
            Self::WeightedCounts(counts) => counts.counts().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns Σw and Σw² of each bin, which are counts without weights; empty if scores are not
    /// counted in bins.
    pub(crate) fn bin_weights(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Counts(counts) => counts.iter().map(|n| (n as f64, n as f64)).collect(),
            Self::WeightedCounts(counts) => counts.weights().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the number of bins that contain scores.
    pub(crate) fn occupied_bins(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.iter().filter(|n| *n > 0).count(),
            Self::WeightedCounts(counts) => counts.counts().filter(|n| *n > 0).count(),
            _ => 0,
        }
    }

    /// Returns whether every score contributed the same value, as when all scores are equal.
    ///
    /// Always false for a single function, since a step function has only two values, and for bins.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Self::Several(several) => several.iter().all(|moments| moments.statistics().is_constant()),
            Self::Weighted(weighted) => {
                let functions = weighted.functions();
                functions > 1 && (0..functions).all(|function| weighted.statistics(function).is_constant())
            }
            Self::Values(values) => values.iter().all(|value| *value == values[0]),
            Self::Moments(_) | Self::Counts(_) | Self::WeightedCounts(_) => false,
        }
    }

    /// Multiplies the sums with squared weights, on which the effective number of scores depends.
    pub(crate) fn scale_squares(&mut self, factor: f64) {
        match self {
            Self::Weighted(weighted) => weighted.scale_squares(factor),
            Self::WeightedCounts(counts) => counts.scale_squares(factor),
            _ => unreachable!("a weighted tally"),
        }
    }

    /// Adds another state of the same quantifier; both states must be weighted, or neither.
    pub(crate) fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Moments(a), Self::Moments(b)) => a.merge(b),
            (Self::Several(a), Self::Several(b)) => a.iter_mut().zip(b).for_each(|(a, b)| a.merge(b)),
            (Self::Counts(a), Self::Counts(b)) => a.merge(b),
            (Self::Weighted(a), Self::Weighted(b)) => a.merge(b),
            (Self::WeightedCounts(a), Self::WeightedCounts(b)) => a.merge(b),
            (Self::Values(a), Self::Values(b)) => a.extend_from_slice(b),
            _ => unreachable!("states of the same quantifier"),
        }
    }

    /// Returns all sums in a fixed order.
    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        match self {
            Self::Moments(moments) => moments.sums().to_vec(),
            Self::Several(several) => several.iter().flat_map(FunctionMoments::sums).collect(),
            Self::Weighted(weighted) => weighted.sums(),
            Self::WeightedCounts(counts) => counts.sums(),
            Self::Counts(_) | Self::Values(_) => Vec::new(),
        }
    }

    /// Returns a state of the same form with this number of scores, these counts, and these sums in
    /// the order of [`sums`](Self::sums).
    pub(super) fn with_sums(&self, n: u64, counts: &[u64], mut sums: impl Iterator<Item = CompensatedSum>) -> Self {
        let mut next = || sums.next().expect("as many sums");
        match self {
            Self::Moments(_) => Self::Moments(FunctionMoments::from_sums(n, next(), next())),
            Self::Several(several) => {
                Self::Several(several.iter().map(|_| FunctionMoments::from_sums(n, next(), next())).collect())
            }
            Self::Weighted(weighted) => Self::Weighted(weighted.with_sums(n, next).into()),
            Self::WeightedCounts(_) => Self::WeightedCounts(WeightedCounts::from_sums(counts, next)),
            Self::Counts(_) | Self::Values(_) => unreachable!("a tally of means"),
        }
    }
}
