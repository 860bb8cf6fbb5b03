//! The sampling design of the labelled rows: their weights, which are the inverses of their
//! inclusion probabilities, their clusters and their strata.
//!
//! Rows, or clusters, that were drawn within strata have less variance: a contribution S of a unit is
//! replaced by √(m/(m−1)) (S − S̄), with S̄ the mean over the m units of the stratum. The units of a
//! stratum are those of both classes, since its number of rows is fixed and not that of a class. The
//! sum of squares over all units is then the variance of R's package survey.
//!
//! `quantifier::class_means` estimates means of a function over the rows under this design.

use crate::numeric::sum::CompensatedSum;
use crate::{Class, Error, PerClass, Problem};
use std::collections::HashMap;

/// Weights, clusters and strata of the labelled rows of each class, in the order of their scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelDesign {
    weights: Option<PerClass<Vec<f64>>>,
    clusters: Option<Clusters>,
    strata: Option<LabelStrata>,
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

/// The strata of the rows, numbered as they appear, positives first.
#[derive(Clone, Debug, PartialEq)]
struct LabelStrata {
    ids: PerClass<Vec<u32>>,
    /// The stratum of each unit: of each cluster, or without clusters of each row, positives first.
    of_units: Vec<u32>,
    /// The number of units of each stratum.
    sizes: Vec<f64>,
}

impl LabelDesign {
    /// Returns the design, or `None` for a simple random sample of each class: equal weights and
    /// neither clusters nor strata. `sizes` are the numbers of rows.
    ///
    /// # Errors
    /// Returns [`Problem::TooFewClusters`] if the rows of a class are in fewer than two clusters,
    /// [`Problem::SingleUnitStrata`] with the number of the stratum if one has a single row or cluster, and
    /// [`Problem::ClustersAcrossStrata`] if rows of a cluster are in several strata.
    pub(crate) fn new(
        sizes: PerClass<usize>,
        weights: Option<PerClass<Vec<f64>>>,
        clusters: Option<&PerClass<Vec<u32>>>,
        strata: Option<&PerClass<Vec<u32>>>,
    ) -> Result<Option<Self>, Error> {
        let are_equal = |weights: &[f64]| weights.iter().all(|w| *w == weights[0]);
        let weights = weights.filter(|classes| !(are_equal(&classes.positive) && are_equal(&classes.negative)));
        let clusters = clusters.map(Clusters::new).transpose()?;
        let strata = strata.map(|strata| LabelStrata::new(strata, clusters.as_ref())).transpose()?;
        if weights.is_none() && clusters.is_none() && strata.is_none() {
            return Ok(None);
        }
        let shares = match &weights {
            None => sizes.map(|n| vec![1.0 / *n as f64; *n]),
            Some(weights) => weights.map(|weights| {
                let total = weights.iter().copied().collect::<CompensatedSum>().value();
                weights.iter().map(|w| w / total).collect()
            }),
        };
        Ok(Some(Self { weights, clusters, strata, shares }))
    }

    /// Returns the design of rows of any classes, as if all were positives, for [`sums_by_unit`](Self::sums_by_unit).
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub(crate) fn single_class(
        weights: &[f64],
        [clusters, strata]: [Option<&[u32]>; 2],
    ) -> Result<Option<Self>, Error> {
        let units = |column: Option<&[u32]>| column.map(|c| PerClass { positive: c.to_vec(), negative: Vec::new() });
        let sizes = PerClass { positive: weights.len(), negative: 0 };
        let weights = PerClass { positive: weights.to_vec(), negative: Vec::new() };
        Self::new(sizes, Some(weights), units(clusters).as_ref(), units(strata).as_ref())
    }

    pub(crate) fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.weights.as_ref()
    }

    /// Returns the number of the cluster of each row, if the rows are in clusters.
    pub(crate) fn clusters(&self) -> Option<&PerClass<Vec<u32>>> {
        self.clusters.as_ref().map(|clusters| &clusters.ids)
    }

    /// Returns the number of the stratum of each row, if the rows are in strata.
    pub(crate) fn strata(&self) -> Option<&PerClass<Vec<u32>>> {
        self.strata.as_ref().map(|strata| &strata.ids)
    }

    /// Returns how many strata there are, if the rows are in strata.
    pub(crate) fn stratum_count(&self) -> Option<usize> {
        self.strata.as_ref().map(|strata| strata.sizes.len())
    }

    /// Returns the number of units of both classes, less the number of further strata, if the classes
    /// are not drawn independently: with clusters or strata.
    pub(crate) fn common_units(&self) -> Option<f64> {
        let units = match (&self.clusters, &self.strata) {
            (Some(clusters), _) => clusters.count,
            (None, Some(strata)) => strata.of_units.len(),
            (None, None) => return None,
        };
        Some(units as f64 - self.further_strata())
    }

    fn further_strata(&self) -> f64 {
        self.stratum_count().map_or(0, |strata| strata - 1) as f64
    }

    /// Returns the bias correction of the sum of squared [contributions](Self::sums_by_unit) of a
    /// class with n rows.
    pub(crate) fn unbiased(&self, n: usize) -> f64 {
        match (&self.strata, &self.clusters) {
            (Some(_), _) => 1.0,
            (None, Some(clusters)) => unbiased(clusters.count as f64),
            (None, None) => unbiased(n as f64),
        }
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
    /// number of rows, less the number of further strata. The degrees of freedom are one less.
    pub(crate) fn units(&self) -> PerClass<f64> {
        let units = match &self.clusters {
            Some(clusters) => clusters.class_counts.map(|count| *count as f64),
            None => self.effective_sizes(),
        };
        let further = self.further_strata();
        units.map(|units| if further > 0.0 { (units - further).max(2.0) } else { *units })
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
    /// has a value for each row of the class. With strata, these are the contributions of all units,
    /// as differences from the mean of the stratum.
    pub(crate) fn sums_by_unit(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let sums = self.sums_by_cluster(class, values);
        let Some(strata) = &self.strata else { return sums };
        let others = strata.of_units.len() - sums.len();
        strata.centred(match (class, others) {
            (Class::Positive, others) => [sums, vec![0.0; others]].concat(),
            (Class::Negative, others) => [vec![0.0; others], sums].concat(),
        })
    }

    /// Returns the sums of values by cluster, or without clusters the values themselves, whatever the
    /// strata.
    pub(crate) fn sums_by_cluster(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let Some(Clusters { ids, count, .. }) = &self.clusters else { return values.collect() };
        let mut sums = vec![0.0; *count];
        ids.get(class).iter().zip(values).for_each(|(id, value)| sums[*id as usize] += value);
        sums
    }
}

/// Returns the degrees of freedom of Σ S², from the contributions S of the units; infinite if they do not vary.
pub(crate) fn satterthwaite_dof(contributions: &[f64]) -> f64 {
    let power_sum = |power| contributions.iter().map(|sum| sum.powi(power)).collect::<CompensatedSum>().value();
    let kurtosis_over_units = power_sum(4) / power_sum(2).powi(2);
    let dof = 2.0 / (kurtosis_over_units - (contributions.len() as f64).recip());
    if dof.is_finite() && dof > 0.0 { dof.max(1.0) } else { f64::INFINITY }
}

/// Returns the bias correction n/(n − 1) of a variance; 1 for a single unit.
pub(crate) fn unbiased(n: f64) -> f64 {
    if n > 1.0 { n / (n - 1.0) } else { 1.0 }
}

impl LabelStrata {
    fn new(strata: &PerClass<Vec<u32>>, clusters: Option<&Clusters>) -> Result<Self, Error> {
        let ids = renumbered(strata).0;
        let of_rows = || ids.positive.iter().chain(&ids.negative).copied();
        let of_units: Vec<u32> = match clusters {
            None => of_rows().collect(),
            Some(Clusters { ids: clusters, count, .. }) => {
                let mut of_clusters = vec![None; *count];
                let mut across = vec![false; *count];
                let rows = clusters.positive.iter().chain(&clusters.negative).map(|cluster| *cluster as usize);
                for (cluster, stratum) in rows.zip(of_rows()) {
                    across[cluster] |= *of_clusters[cluster].get_or_insert(stratum) != stratum;
                }
                match across.iter().filter(|across| **across).count() as u64 {
                    0 => of_clusters.into_iter().map(|stratum| stratum.expect("a cluster has rows")).collect(),
                    clusters => return Err(Problem::ClustersAcrossStrata { clusters }.into()),
                }
            }
        };
        let mut sizes = vec![0.0; of_units.iter().max().map_or(0, |last: &u32| *last as usize + 1)];
        for stratum in &of_units {
            sizes[*stratum as usize] += 1.0;
        }
        let is_single = |size: &&f64| **size < 2.0;
        let mut rows = strata.positive.iter().chain(&strata.negative).zip(of_rows());
        match rows.find(|(_, stratum)| is_single(&&sizes[*stratum as usize])) {
            None => Ok(Self { ids, of_units, sizes }),
            Some((number, _)) => {
                let strata = sizes.iter().filter(is_single).count() as u64;
                Err(Error::from(Problem::SingleUnitStrata { strata }).in_set(*number as usize))
            }
        }
    }

    /// Returns √(m/(m−1)) (S − S̄) of each unit.
    fn centred(&self, mut values: Vec<f64>) -> Vec<f64> {
        let mut means = vec![0.0; self.sizes.len()];
        let units = || self.of_units.iter().map(|stratum| *stratum as usize);
        units().zip(&values).for_each(|(stratum, value)| means[stratum] += value / self.sizes[stratum]);
        for (stratum, value) in units().zip(&mut values) {
            *value = unbiased(self.sizes[stratum]).sqrt() * (*value - means[stratum]);
        }
        values
    }
}

/// Returns the numbers from 0 in the order in which they appear, positives first, and how many there
/// are.
fn renumbered(numbers: &PerClass<Vec<u32>>) -> (PerClass<Vec<u32>>, usize) {
    let mut known: HashMap<u32, u32> = HashMap::new();
    let mut renumber = |number: &u32| {
        let next = u32::try_from(known.len()).expect("the rows are numbered by u32");
        *known.entry(*number).or_insert(next)
    };
    let ids = numbers.map(|numbers| numbers.iter().map(&mut renumber).collect::<Vec<u32>>());
    (ids, known.len())
}

impl Clusters {
    fn new(clusters: &PerClass<Vec<u32>>) -> Result<Self, Error> {
        let (ids, count) = renumbered(clusters);
        let class_counts = ids.try_map(|class, ids| {
            let mut has_rows = vec![false; count];
            for id in ids {
                has_rows[*id as usize] = true;
            }
            match has_rows.iter().filter(|has_rows| **has_rows).count() {
                n if n < 2 && !ids.is_empty() => Err(Problem::TooFewClusters { class: class.to_string(), n }),
                n => Ok(n),
            }
        })?;
        Ok(Self { ids, count, class_counts })
    }
}
