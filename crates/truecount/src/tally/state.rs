//! The state of a tally: all a quantifier needs to know of the test scores.

use super::counts::BinCounts;
use super::moments::{FunctionMoments, SampleStatistics};
use super::weighted::{WeightedMoments, WeightedCounts};
use crate::Error;
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;

/// What is kept of the test scores pushed so far. Mergeable in any order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TallyState {
    /// The mean of one function: counts, sweeps. Of constant size.
    Moments(FunctionMoments),
    /// The means of several functions: Efficient Sweep. Of constant size.
    Several(Vec<FunctionMoments>),
    /// The weighted means of one function or several. Of constant size.
    Weighted(WeightedMoments),
    /// How many scores fall into each bin: Efficient Sweep, DyS, `HDy`, the shift check. Of constant size.
    Counts(BinCounts),
    /// The same with their weights: Efficient Sweep. Of constant size.
    WeightedCounts(WeightedCounts),
    /// One number for each score: Median Sweep, SLD. Grows with the data.
    Values(Vec<f64>),
}

impl TallyState {
    /// Of scores that are counted between these edges, none so far.
    pub(crate) fn counting(edges: &Edges) -> Self {
        Self::Counts(BinCounts::new(edges.len() + 1))
    }

    /// Counts values in a state that began as [`counting`](Self::counting) them between these edges.
    ///
    /// # Errors
    /// Those of [`BinCounts::push`].
    pub(crate) fn count(&mut self, edges: &Edges, values: &[f64]) -> Result<(), Error> {
        let Self::Counts(counts) = self else { unreachable!("a tally of counts") };
        counts.push(edges, values)
    }

    /// The number of scores; of weighted ones, of those with a weight above 0.
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

    pub(crate) fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted(_) | Self::WeightedCounts(_))
    }

    /// The effective number of weighted scores; none without weights.
    pub(crate) fn effective_n(&self) -> Option<f64> {
        match self {
            Self::Weighted(weighted) => Some(weighted.effective_n()),
            Self::WeightedCounts(counts) => Some(counts.effective_n()),
            _ => None,
        }
    }

    /// What the scores say of one of the functions whose means are tallied.
    pub(crate) fn sampled(&self, place: usize) -> SampleStatistics {
        match self {
            Self::Moments(moments) => moments.sampled(),
            Self::Several(several) => several[place].sampled(),
            Self::Weighted(weighted) => weighted.sampled(place),
            Self::Counts(_) | Self::WeightedCounts(_) | Self::Values(_) => unreachable!("a tally of means"),
        }
    }

    /// What the scores say of a function with these values in the bins they are counted in.
    pub(crate) fn in_bins(&self, values: &[f64]) -> SampleStatistics {
        match self {
            Self::Counts(counts) => SampleStatistics::in_bins(counts, values),
            Self::WeightedCounts(counts) => counts.sampled(values),
            _ => unreachable!("a tally of counts"),
        }
    }

    /// How many scores lie in each bin; none where they are not counted in bins.
    pub(crate) fn counts(&self) -> Vec<u64> {
        match self {
            Self::Counts(counts) => counts.iter().collect(),
            Self::WeightedCounts(counts) => counts.counts().collect(),
            _ => Vec::new(),
        }
    }

    /// How many of the bins have scores.
    pub(crate) fn occupied(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.iter().filter(|n| *n > 0).count(),
            Self::WeightedCounts(counts) => counts.counts().filter(|n| *n > 0).count(),
            _ => 0,
        }
    }

    /// Whether every score counted the same, as when all are equal; not told for a single function, of which a step has but two
    /// values, and for bins.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Self::Several(several) => several.iter().all(|moments| moments.sampled().is_constant()),
            Self::Weighted(weighted) => {
                let functions = weighted.functions();
                functions > 1 && (0..functions).all(|place| weighted.sampled(place).is_constant())
            }
            Self::Values(values) => values.iter().all(|value| *value == values[0]),
            Self::Moments(_) | Self::Counts(_) | Self::WeightedCounts(_) => false,
        }
    }

    /// Adds another state of the same quantifier, weighted if this is.
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

    /// Every sum there is, in a fixed order.
    pub(super) fn sums(&self) -> Vec<&CompensatedSum> {
        match self {
            Self::Moments(moments) => moments.sums().to_vec(),
            Self::Several(several) => several.iter().flat_map(FunctionMoments::sums).collect(),
            Self::Weighted(weighted) => weighted.sums(),
            Self::WeightedCounts(counts) => counts.sums(),
            Self::Counts(_) | Self::Values(_) => Vec::new(),
        }
    }

    /// The same state with this number of scores, these counts and these sums instead, as many and in the same order.
    pub(super) fn with_sums(&self, n: u64, counts: &[u64], mut sums: impl Iterator<Item = CompensatedSum>) -> Self {
        let mut next = || sums.next().expect("as many sums");
        match self {
            Self::Moments(_) => Self::Moments(FunctionMoments::of(n, next(), next())),
            Self::Several(several) => Self::Several(several.iter().map(|_| FunctionMoments::of(n, next(), next())).collect()),
            Self::Weighted(weighted) => Self::Weighted(weighted.with_sums(n, next)),
            Self::WeightedCounts(_) => Self::WeightedCounts(WeightedCounts::with(counts, next)),
            Self::Counts(_) | Self::Values(_) => unreachable!("a tally of means"),
        }
    }
}
