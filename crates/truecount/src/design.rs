//! The sampling design of the labelled rows: their weights, which are the inverses of their
//! inclusion probabilities, and their clusters.
//!
//! `quantifier::class_means` estimates means of a function over the rows under this design.

use crate::numeric::sum::CompensatedSum;
use crate::{Class, Error, PerClass, Problem};
use std::collections::HashMap;

/// Weights and clusters of the labelled rows of each class, in the order of their scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Design {
    weights: Option<PerClass<Vec<f64>>>,
    clusters: Option<Clusters>,
    /// w/Σw.
    shares: PerClass<Vec<f64>>,
}

/// The clusters of the rows, numbered as they appear, positives first.
#[derive(Clone, Debug, PartialEq)]
struct Clusters {
    ids: PerClass<Vec<u32>>,
    count: usize,
    /// The number of clusters with rows of the class.
    class_counts: PerClass<usize>,
}

impl Design {
    /// Returns the design, or `None` for a simple random sample of each class: equal weights and no
    /// clusters. `sizes` are the numbers of rows.
    ///
    /// # Errors
    /// Returns [`Problem::TooFewClusters`] if the rows of a class are in fewer than two clusters.
    pub(crate) fn new(
        sizes: PerClass<usize>,
        weights: Option<PerClass<Vec<f64>>>,
        clusters: Option<&PerClass<Vec<u32>>>,
    ) -> Result<Option<Self>, Error> {
        let are_equal = |weights: &[f64]| weights.iter().all(|w| *w == weights[0]);
        let weights = weights.filter(|classes| !(are_equal(&classes.positive) && are_equal(&classes.negative)));
        let clusters = clusters.map(Clusters::new).transpose()?;
        if weights.is_none() && clusters.is_none() {
            return Ok(None);
        }
        let shares = match &weights {
            None => sizes.map(|n| vec![1.0 / *n as f64; *n]),
            Some(weights) => weights.map(|weights| {
                let total = weights.iter().copied().collect::<CompensatedSum>().value();
                weights.iter().map(|w| w / total).collect()
            }),
        };
        Ok(Some(Self { weights, clusters, shares }))
    }

    pub(crate) fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.weights.as_ref()
    }

    /// Returns the number of the cluster of each row, if the rows are in clusters.
    pub(crate) fn clusters(&self) -> Option<&PerClass<Vec<u32>>> {
        self.clusters.as_ref().map(|clusters| &clusters.ids)
    }

    /// Returns how many clusters there are, if the rows are in clusters.
    pub(crate) fn cluster_count(&self) -> Option<usize> {
        self.clusters.as_ref().map(|clusters| clusters.count)
    }

    /// Returns w/Σw of each row, Σ over the rows of its class.
    pub(crate) fn normalized_weights(&self) -> &PerClass<Vec<f64>> {
        &self.shares
    }

    /// Effective number of rows of each class, (Σw)²/Σw² (Kish 1965).
    pub(crate) fn effective_sizes(&self) -> PerClass<f64> {
        self.shares.map(|shares| shares.iter().map(|share| share * share).collect::<CompensatedSum>().value().recip())
    }

    /// Number of sampling units of each class: its clusters, or without clusters its effective
    /// number of rows. The degrees of freedom are one less.
    pub(crate) fn units(&self) -> PerClass<f64> {
        match &self.clusters {
            Some(clusters) => clusters.class_counts.map(|count| *count as f64),
            None => self.effective_sizes(),
        }
    }

    /// Returns the weighted means of values of the rows.
    pub(crate) fn means(&self, values: &PerClass<Vec<f64>>) -> PerClass<f64> {
        let mean = |values: &[f64], shares: &[f64]| {
            values.iter().zip(shares).map(|(g, share)| share * g).collect::<CompensatedSum>().value()
        };
        PerClass {
            positive: mean(&values.positive, &self.shares.positive),
            negative: mean(&values.negative, &self.shares.negative),
        }
    }

    /// Returns the sums of values by cluster, or without clusters the values themselves. `values`
    /// has a value for each row of the class.
    pub(crate) fn sums_by_unit(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let Some(Clusters { ids, count, .. }) = &self.clusters else { return values.collect() };
        let ids = match class {
            Class::Positive => &ids.positive,
            Class::Negative => &ids.negative,
        };
        let mut sums = vec![0.0; *count];
        ids.iter().zip(values).for_each(|(id, value)| sums[*id as usize] += value);
        sums
    }
}

impl Clusters {
    fn new(clusters: &PerClass<Vec<u32>>) -> Result<Self, Error> {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let mut renumber = |cluster: &u32| {
            let next = u32::try_from(known.len()).expect("the clusters are numbered by u32");
            *known.entry(*cluster).or_insert(next)
        };
        let ids = clusters.map(|clusters| clusters.iter().map(&mut renumber).collect::<Vec<u32>>());
        let count = known.len();
        let class_counts = ids.try_map(|class, ids| {
            let mut has_rows = vec![false; count];
            for id in ids {
                has_rows[*id as usize] = true;
            }
            match has_rows.iter().filter(|has_rows| **has_rows).count() {
                n if n < 2 => Err(Problem::TooFewClusters { class, n }),
                n => Ok(n),
            }
        })?;
        Ok(Self { ids, count, class_counts })
    }
}
