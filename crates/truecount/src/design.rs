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
use std::collections::{HashMap, HashSet};

/// Weights, clusters and strata of the labelled rows of each class, in the order of their scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelDesign {
    weights: Option<PerClass<Vec<f64>>>,
    /// The units of the rows, positives first.
    units: LabelledUnits,
    /// The number of clusters with rows of each class.
    class_clusters: Option<PerClass<usize>>,
    /// w/Σw.
    shares: PerClass<Vec<f64>>,
}

/// The sampled units of a list of labelled rows of any classes: clusters, or without clusters the rows themselves, in
/// strata if there are any.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LabelledUnits {
    /// The clusters of the rows, numbered as they appear, and how many there are.
    clusters: Option<(Vec<u32>, usize)>,
    strata: Option<LabelStrata>,
}

/// The strata of the rows, numbered as they appear.
#[derive(Clone, Debug, PartialEq)]
struct LabelStrata {
    ids: Vec<u32>,
    /// The stratum of each unit: of each cluster, or without clusters of each row.
    of_units: Vec<u32>,
    /// The number of units of each stratum.
    sizes: Vec<f64>,
}

impl LabelDesign {
    /// Returns the design, or `None` for a simple random sample of each class: equal weights and
    /// neither clusters nor strata. `sizes` are the numbers of rows.
    ///
    /// # Errors
    /// Returns [`Problem::TooFewClusters`] if the rows of a class are in fewer than two clusters, and the errors of
    /// [`LabelledUnits::new`].
    pub(crate) fn new(
        sizes: PerClass<usize>,
        weights: Option<PerClass<Vec<f64>>>,
        clusters: Option<&PerClass<Vec<u32>>>,
        strata: Option<&PerClass<Vec<u32>>>,
    ) -> Result<Option<Self>, Error> {
        let are_equal = |weights: &[f64]| weights.iter().all(|w| *w == weights[0]);
        let weights = weights.filter(|classes| !(are_equal(&classes.positive) && are_equal(&classes.negative)));
        let count = |class: Class, ids: &Vec<u32>| count_clusters(ids.iter().copied(), || class.to_string());
        let class_clusters = clusters.map(|clusters| clusters.try_map(count)).transpose()?;
        let all = |ids: Option<&PerClass<Vec<u32>>>| ids.map(|ids| [&ids.positive[..], &ids.negative].concat());
        let units = LabelledUnits::new([all(clusters).as_deref(), all(strata).as_deref()])?;
        if weights.is_none() && units.common_units().is_none() {
            return Ok(None);
        }
        let shares = match &weights {
            None => sizes.map(|n| vec![1.0 / *n as f64; *n]),
            Some(weights) => weights.map(|weights| {
                let total = weights.iter().copied().collect::<CompensatedSum>().value();
                weights.iter().map(|w| w / total).collect()
            }),
        };
        Ok(Some(Self { weights, units, class_clusters, shares }))
    }

    pub(crate) fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.weights.as_ref()
    }

    /// Returns the sampled units of the rows, positives first.
    pub(crate) fn units(&self) -> &LabelledUnits {
        &self.units
    }

    /// Returns the numbers of the clusters and of the strata of the rows of each class, if there are any.
    pub(crate) fn unit_ids(&self) -> [Option<PerClass<Vec<u32>>>; 2] {
        let LabelledUnits { clusters, strata } = &self.units;
        let ids = [clusters.as_ref().map(|(ids, _)| ids), strata.as_ref().map(|strata| &strata.ids)];
        let n = self.shares.positive.len();
        ids.map(|ids| ids.map(|ids| PerClass { positive: ids[..n].to_vec(), negative: ids[n..].to_vec() }))
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
    pub(crate) fn class_units(&self) -> PerClass<f64> {
        let clusters = self.class_clusters.as_ref().map(|classes| classes.map(|count| *count as f64));
        let further = self.units.further_strata();
        clusters
            .unwrap_or_else(|| self.effective_sizes())
            .map(|units| if further > 0.0 { (units - further).max(2.0) } else { *units })
    }

    /// Returns the weighted means of values of the rows.
    pub(crate) fn means(&self, values: &PerClass<Vec<f64>>) -> PerClass<f64> {
        values.zip_map(&self.shares, |values, shares| {
            values.iter().zip(shares).map(|(g, share)| share * g).collect::<CompensatedSum>().value()
        })
    }

    /// Returns the contributions of values of the rows of a class: the values themselves without clusters and strata,
    /// and otherwise those of [`LabelledUnits::sums_by_unit`], in which rows of the other class have the value 0.
    pub(crate) fn sums_by_unit(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        match self.units.common_units() {
            None => values.collect(),
            Some(_) => self.units.sums_by_unit(self.with_other_class(class, values)),
        }
    }

    /// Returns the sums of values of the rows of a class by cluster, whatever the strata.
    pub(crate) fn sums_by_cluster(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        self.units.sums_by_cluster(self.with_other_class(class, values))
    }

    /// Returns the values of a class together with 0 for each row of the other one.
    fn with_other_class(&self, class: Class, values: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
        let PerClass { positive, negative } = self.shares.map(Vec::len);
        let (before, after) = if class == Class::Positive { (0, negative) } else { (positive, 0) };
        std::iter::repeat_n(0.0, before).chain(values).chain(std::iter::repeat_n(0.0, after))
    }
}

/// Returns how many clusters the rows of a class have.
///
/// # Errors
/// Returns [`Problem::TooFewClusters`] if there are fewer than two.
pub(crate) fn count_clusters(ids: impl Iterator<Item = u32>, class: impl Fn() -> String) -> Result<usize, Problem> {
    match ids.collect::<HashSet<u32>>().len() {
        n if n < 2 => Err(Problem::TooFewClusters { class: class(), n }),
        n => Ok(n),
    }
}

impl LabelledUnits {
    /// Creates the units from the cluster and the stratum of each row, any `u32`, if there are any.
    ///
    /// # Errors
    /// Returns [`Problem::SingleUnitStrata`] with the number of the stratum if one has a single row or cluster, and
    /// [`Problem::ClustersAcrossStrata`] if rows of a cluster are in several strata.
    pub(crate) fn new([clusters, strata]: [Option<&[u32]>; 2]) -> Result<Self, Error> {
        let clusters = clusters.map(renumbered);
        let strata = strata.map(|strata| LabelStrata::new(strata, clusters.as_ref())).transpose()?;
        Ok(Self { clusters, strata })
    }

    /// Returns the number of units of all classes, less the number of further strata, if the classes
    /// are not drawn independently: with clusters or strata.
    pub(crate) fn common_units(&self) -> Option<f64> {
        let units = self.cluster_count().or(self.strata.as_ref().map(|strata| strata.of_units.len()))?;
        Some(units as f64 - self.further_strata())
    }

    /// Returns how many clusters there are, if the rows are in clusters.
    pub(crate) fn cluster_count(&self) -> Option<usize> {
        self.clusters.as_ref().map(|(_, count)| *count)
    }

    /// Returns how many strata there are, if the rows are in strata.
    pub(crate) fn stratum_count(&self) -> Option<usize> {
        self.strata.as_ref().map(|strata| strata.sizes.len())
    }

    fn further_strata(&self) -> f64 {
        self.stratum_count().map_or(0, |strata| strata - 1) as f64
    }

    /// Returns the bias correction of the sum of squared [contributions](Self::sums_by_unit) of a
    /// class with n rows.
    pub(crate) fn unbiased(&self, n: usize) -> f64 {
        if self.strata.is_some() { 1.0 } else { unbiased(self.cluster_count().unwrap_or(n) as f64) }
    }

    /// Returns the sums of values by cluster, or without clusters the values themselves. `values`
    /// has a value for each row. With strata, these are differences from the mean of the stratum.
    pub(crate) fn sums_by_unit(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let sums = self.sums_by_cluster(values);
        if let Some(strata) = &self.strata { strata.centred(sums) } else { sums }
    }

    fn sums_by_cluster(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let Some((ids, count)) = &self.clusters else { return values.collect() };
        let mut sums = vec![0.0; *count];
        ids.iter().zip(values).for_each(|(id, value)| sums[*id as usize] += value);
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
    fn new(strata: &[u32], clusters: Option<&(Vec<u32>, usize)>) -> Result<Self, Error> {
        let (ids, count) = renumbered(strata);
        let of_units = match clusters {
            None => ids.clone(),
            Some((clusters, count)) => {
                let mut of_clusters = vec![None; *count];
                let mut across = vec![false; *count];
                for (cluster, stratum) in clusters.iter().map(|cluster| *cluster as usize).zip(&ids) {
                    across[cluster] |= of_clusters[cluster].get_or_insert(*stratum) != stratum;
                }
                match across.iter().filter(|across| **across).count() as u64 {
                    0 => of_clusters.into_iter().map(|stratum| stratum.expect("a cluster has rows")).collect(),
                    clusters => return Err(Problem::ClustersAcrossStrata { clusters }.into()),
                }
            }
        };
        let mut sizes = vec![0.0; count];
        for stratum in &of_units {
            sizes[*stratum as usize] += 1.0;
        }
        let is_single = |size: &&f64| **size < 2.0;
        match strata.iter().zip(&ids).find(|(_, stratum)| is_single(&&sizes[**stratum as usize])) {
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

/// Returns the numbers from 0 in the order in which they appear, and how many there are.
fn renumbered(numbers: &[u32]) -> (Vec<u32>, usize) {
    let mut known: HashMap<u32, u32> = HashMap::new();
    let renumber = |number: &u32| {
        let next = u32::try_from(known.len()).expect("the rows are numbered by u32");
        *known.entry(*number).or_insert(next)
    };
    (numbers.iter().map(renumber).collect(), known.len())
}
