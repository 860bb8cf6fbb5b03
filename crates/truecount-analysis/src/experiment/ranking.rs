//! Comparison of methods over data sets by protocol: mean ranks, tests of their differences, and
//! comparisons with a reference method.
//!
//! A data set is one observation, whatever the number of its classifiers, labelled samples and
//! samples, as those are dependent. A method without an estimate for a sample of a data set ranks
//! last on it, and comparisons leave that data set out.

use super::errors::{ExperimentSummary, MeanErrors};
use truecount::evaluation::{Measure, MethodRanks, PairedComparison, holm};

/// The ranking of the methods under a protocol, best first.
pub struct Ranking {
    /// The protocol.
    pub protocol: String,
    /// The number of data sets.
    pub data_sets: usize,
    /// The number of samples of each method.
    pub samples: u64,
    /// The p-value for the hypothesis that all methods have the same mean rank, if there is one.
    pub p_value: Option<f64>,
    /// The difference of mean ranks that is significant at the 5 % level (Nemenyi); `None` if there
    /// is only one method or data set.
    pub critical_difference: Option<f64>,
    /// The methods.
    pub methods: Vec<RankedMethod>,
}

/// A method with its rank and errors.
pub struct RankedMethod {
    /// The protocol.
    pub protocol: String,
    /// The method.
    pub method: String,
    /// The mean rank over the data sets.
    pub rank: f64,
    /// The number of data sets on which no other method has a smaller error.
    pub first: usize,
    /// The means over the data sets of the means over their samples.
    pub errors: MeanErrors,
    /// The reference method; `None` for the reference itself.
    pub reference: Option<String>,
    /// The comparison with the reference over the data sets on which both have estimates, if there are any.
    pub comparison: Option<PairedComparison>,
    /// The p-value of the comparison, adjusted for the number of comparisons.
    pub adjusted: Option<f64>,
}

/// The confidence level of the critical difference.
const LEVEL: f64 = 0.95;

impl Ranking {
    /// Ranks the methods for every protocol by the mean of a measure (the bias by its absolute
    /// value), and compares them with the method `reference`.
    pub fn all(summary: &ExperimentSummary, measure: Measure, reference: &str) -> Vec<Self> {
        let protocols = summary.protocols().into_iter();
        protocols.map(|protocol| Self::for_protocol(summary, protocol, measure, reference)).collect()
    }

    fn for_protocol(summary: &ExperimentSummary, protocol: &str, measure: Measure, reference: &str) -> Self {
        let by_data = summary.by_data(|part| part.cell.protocol == protocol);
        let error = |errors: &MeanErrors| match errors.mean(measure) {
            Some(mean) if errors.failed == 0 => mean.abs(),
            _ => f64::INFINITY,
        };
        let blocks: Vec<Vec<f64>> = by_data.iter().map(|methods| methods.iter().map(error).collect()).collect();
        let ranks = MethodRanks::new(&blocks).expect("an error for every method");
        let mean = ranks.mean();
        let mut order: Vec<usize> = (0..summary.methods.len()).collect();
        order.sort_by(|a, b| mean[*a].total_cmp(&mean[*b]));
        let reference = summary.methods.iter().position(|method| method == reference).unwrap_or(0);
        let errors =
            |index: usize| MeanErrors::over(&by_data.iter().map(|data| data[index].clone()).collect::<Vec<_>>());
        let min = |block: &[f64]| block.iter().copied().fold(f64::MAX, f64::min);
        let mut methods: Vec<RankedMethod> = order
            .into_iter()
            .map(|index| RankedMethod {
                protocol: protocol.to_owned(),
                method: summary.methods[index].clone(),
                rank: mean[index],
                first: blocks.iter().filter(|block| block[index] <= min(block)).count(),
                errors: errors(index),
                reference: (index != reference).then(|| summary.methods[reference].clone()),
                comparison: (index != reference).then(|| compare_pair(&blocks, reference, index)).flatten(),
                adjusted: None,
            })
            .collect();
        let p_values = methods.iter().filter_map(|method| method.comparison.as_ref()?.p_value);
        let mut adjusted = holm(&p_values.collect::<Vec<_>>()).into_iter();
        for method in &mut methods {
            method.adjusted =
                method.comparison.as_ref().and_then(|comparison| comparison.p_value).and_then(|_| adjusted.next());
        }
        let several = methods.len() > 1 && blocks.len() > 1;
        Self {
            protocol: protocol.to_owned(),
            data_sets: blocks.len(),
            samples: methods.first().map_or(0, |method| method.errors.samples),
            p_value: ranks.p_value(),
            critical_difference: several.then(|| ranks.critical_difference(LEVEL).expect("a level")),
            methods,
        }
    }
}

/// Compares two methods on the data sets on which both have estimates.
fn compare_pair(blocks: &[Vec<f64>], reference: usize, other: usize) -> Option<PairedComparison> {
    let both = blocks.iter().filter(|block| block[reference].is_finite() && block[other].is_finite());
    let (reference, other): (Vec<f64>, Vec<f64>) = both.map(|block| (block[reference], block[other])).unzip();
    if reference.is_empty() { None } else { PairedComparison::new(&reference, &other).ok() }
}
