//! The sources of the sampling errors of estimates whose test scores were drawn in clusters or strata, or
//! have replicate weights.
//!
//! The error of an estimate is a sum of contributions z_s, one for each source s. The covariance of
//! two estimates is Σ ±z_s z'_s over the sources of both (Taylor linearisation, as for domains in R's
//! package survey). It is the sum over clusters or replicates, less the sum over strata: rows that
//! were drawn within a stratum have less variance than its mean square.

use std::collections::BTreeMap;

/// A source of errors that several estimates may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ErrorSource {
    /// The drawing of a cluster, or a set of replicate weights.
    Unit(u32),
    /// The classifier's errors in a cluster, given the classes.
    ErrorsInCluster(u32),
    /// The mean of a stratum, whose contribution is subtracted.
    Stratum(u32),
    /// The mean of the rows drawn in a cluster, whose contribution is subtracted.
    RowsOfCluster(u32),
}

/// The contributions of the sources to the error of an estimate, or of a weighted sum of estimates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ErrorContributions(BTreeMap<ErrorSource, Contribution>);

/// The contribution of one source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Contribution {
    /// The contribution: the sum of those to the estimates of a weighted sum.
    total: f64,
    /// The sum of the squares of the contributions to these estimates.
    squares: f64,
}

impl ErrorSource {
    /// The sign of a product of contributions in a covariance.
    fn sign(self) -> f64 {
        if matches!(self, Self::Stratum(_) | Self::RowsOfCluster(_)) { -1.0 } else { 1.0 }
    }
}

impl ErrorContributions {
    /// Adds the contribution of a source to an estimate.
    pub(crate) fn add(&mut self, source: ErrorSource, contribution: f64) {
        self.0.insert(source, Contribution { total: contribution, squares: contribution * contribution });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the contributions to another weighted sum, times a factor for their values and one for
    /// their squares.
    pub(crate) fn add_times(&mut self, factor: f64, square: f64, other: &Self) {
        for (source, contribution) in &other.0 {
            let own = self.0.entry(*source).or_default();
            own.total += factor * contribution.total;
            own.squares += square * contribution.squares;
        }
    }

    /// Returns the covariance of two estimates or sums.
    pub(crate) fn covariance(&self, other: &Self) -> f64 {
        let (few, many) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        let product = |(source, contribution): (&ErrorSource, &Contribution)| {
            Some(source.sign() * contribution.total * many.0.get(source)?.total)
        };
        few.0.iter().filter_map(product).sum()
    }

    /// Returns the sum of the covariances between the estimates of a weighted sum.
    pub(crate) fn covariance_of_terms(&self) -> f64 {
        self.0.iter().map(|(source, sum)| source.sign() * (sum.total * sum.total - sum.squares)).sum()
    }
}
