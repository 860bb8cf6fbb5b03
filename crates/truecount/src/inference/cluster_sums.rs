//! The contributions of clusters to estimates, for estimates whose test scores share clusters.
//!
//! The sampling error of an estimate from scores in clusters is a sum of independent contributions z_c,
//! one for each cluster c. The variance from the test scores is Σ z_c², and the covariance of two estimates is Σ z_c
//! z'_c over the clusters of both (Taylor linearisation with clusters drawn with replacement, as for
//! domains in R's package survey).

use std::collections::BTreeMap;

/// The contributions of clusters to the error of an estimate, or of a weighted sum of estimates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClusterSums(BTreeMap<u32, ClusterSum>);

/// The contribution of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ClusterSum {
    /// The contribution: the sum of those to the estimates of a weighted sum.
    total: f64,
    /// The sum of the squares of the contributions to these estimates.
    squares: f64,
}

impl ClusterSums {
    /// Adds the contributions to another weighted sum, times a factor for their values and one for
    /// their squares.
    pub(super) fn add_times(&mut self, factor: f64, square: f64, other: &Self) {
        for (cluster, sum) in &other.0 {
            let own = self.0.entry(*cluster).or_default();
            own.total += factor * sum.total;
            own.squares += square * sum.squares;
        }
    }

    /// Returns the covariance of two estimates or sums.
    pub(crate) fn covariance(&self, other: &Self) -> f64 {
        let (few, many) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        few.0.iter().filter_map(|(cluster, sum)| Some(sum.total * many.0.get(cluster)?.total)).sum()
    }

    /// Returns the sum of the covariances between the estimates of a weighted sum.
    pub(super) fn covariance_of_terms(&self) -> f64 {
        self.0.values().map(|sum| sum.total * sum.total - sum.squares).sum()
    }
}

impl FromIterator<(u32, f64)> for ClusterSums {
    /// Collects the contributions of clusters to an estimate.
    fn from_iter<I: IntoIterator<Item = (u32, f64)>>(contributions: I) -> Self {
        let sum = |contribution: f64| ClusterSum { total: contribution, squares: contribution * contribution };
        Self(contributions.into_iter().map(|(cluster, contribution)| (cluster, sum(contribution))).collect())
    }
}
