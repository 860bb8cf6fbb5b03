//! Test scores under a sampling design: tallies of strata, clusters, replicate weights, or rows that
//! several classifiers have scored.

use super::{LonelyPsu, Model, PooledTally, ReplicateVariance, Tally};
use crate::inference::IntervalOptions;
use crate::quantifier::{
    DrawnRows, Estimates, PooledScores, Quantifier, RowUnits, SampledCell, SampledCells, SampledStratum, SampledUnit,
    VarianceSource,
};
use crate::tally::{InfluenceFunction, MethodTally};
use crate::{Error, Problem};
use std::borrow::{Borrow, Cow};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The sampling design of a test sample, with a tally of each of its parts.
///
/// A group of test scores, or all of them, is a set of parts. Estimates of several groups have
/// correlated errors if the groups share clusters, strata or replicate weights:
/// [`JointErrors::difference`](crate::compare::JointErrors::difference) and
/// [`Total`](crate::compare::Total) include the covariance.
///
/// # Examples
/// Two clusters in each of two strata, of which one is sampled as a whole:
/// ```
/// use truecount::model::{StratumPopulation, TestDesign, TestStrata};
/// use truecount::{IntervalOptions, LabelledScores, Model, Settings, Tally, Target};
/// # fn main() -> Result<(), truecount::Error> {
/// # let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// # let labels = [true, true, true, true, false, false, false, false];
/// # let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let mut tallies = vec![Tally::new(&model); 4];
/// tallies[0].update(&[1.7, 0.2])?;
/// tallies[1].update(&[0.9])?;
/// tallies[2].update(&[-0.5, 2.2])?;
/// tallies[3].update(&[0.1])?;
/// let strata = TestStrata {
///     strata: vec![0, 0, 1, 1],
///     clusters: Some(vec![0, 1, 2, 3]),
///     population: Some(StratumPopulation::Clusters { of_strata: vec![2.0, 90.0], rows: None }),
///     ..TestStrata::default()
/// };
/// let design = TestDesign::strata(&tallies, &strata)?;
/// let options = IntervalOptions::new(0.95, Target::Population)?;
/// let estimates = model.estimate_design(&design, &[0, 1, 2, 3], &options)?;
/// assert_eq!(estimates[0].n, 6);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct TestDesign<'a, T = Tally> {
    tallies: &'a [T],
    kind: Sampling<'a>,
}

#[derive(Clone, Debug)]
enum Sampling<'a> {
    /// The cluster of each tally.
    Clusters(&'a [u32]),
    /// The stratum of each tally, the strata, and the clusters whose rows were drawn.
    Strata { design: &'a TestStrata, strata: Vec<SampledStratum>, clusters: HashMap<u32, DrawnRows> },
    /// The replicate of each tally; 0 for the weights of the estimate itself.
    Replicates(&'a [u32], ReplicateVariance),
    /// The scores of several classifiers for the rows of each tally.
    Pooled(&'a [PooledTally]),
}

/// Test rows of a part of a sample: the tally of their scores, or their probabilities of several classes.
pub trait SampledRows {
    /// Returns the number of rows, without those of weight 0.
    fn n(&self) -> u64;

    /// Returns whether rows have weights.
    fn is_weighted(&self) -> bool;
}

impl<T: Borrow<Tally>> SampledRows for T {
    fn n(&self) -> u64 {
        self.borrow().n()
    }

    fn is_weighted(&self) -> bool {
        self.borrow().is_weighted()
    }
}

/// Strata that test scores were drawn in, with the stratum and perhaps the cluster of each tally.
#[derive(Clone, Debug, Default)]
pub struct TestStrata {
    /// The stratum of each tally, numbered from 0.
    pub strata: Vec<u32>,
    /// The cluster of each tally, any `u32`, if clusters were drawn in the strata.
    pub clusters: Option<Vec<u32>>,
    /// The sizes of a finite population.
    pub population: Option<StratumPopulation>,
    /// The number of units that were drawn in each stratum, if some of them have no tally, as in a
    /// subset of the sample.
    pub units: Option<Vec<f64>>,
    /// The variance within strata of which a single unit was drawn.
    pub lonely: LonelyPsu,
}

/// The sizes of strata in a finite population.
#[derive(Clone, Debug)]
pub enum StratumPopulation {
    /// The number of rows of each stratum.
    Rows(Vec<f64>),
    /// The sizes of a population that clusters were drawn from.
    Clusters {
        /// The number of clusters of each stratum.
        of_strata: Vec<f64>,
        /// For each tally, the number of rows of its cluster in the population, if only some of the
        /// rows of each cluster were drawn.
        rows: Option<Vec<f64>>,
    },
}

impl<'a, T: SampledRows> TestDesign<'a, T> {
    /// Creates the design of scores that were drawn in clusters. `clusters` has the cluster of each
    /// tally, any `u32`.
    pub fn clusters(tallies: &'a [T], clusters: &'a [u32]) -> Self {
        Self { tallies, kind: Sampling::Clusters(clusters) }
    }

    /// Creates the design of scores that were drawn in strata. Rows of weight 0 do not count.
    ///
    /// # Errors
    /// * [`Problem::LengthMismatch`] if there is not a value for each tally, or not a size for each
    ///   stratum;
    /// * [`Problem::ClustersAcrossStrata`] if a cluster has rows in several strata;
    /// * [`Problem::SmallPopulation`] if a stratum has more rows than its population, and
    ///   [`Problem::SmallStage`] for its clusters and their rows, with the number of the stratum;
    /// * [`Problem::SingleUnitTestStrata`] if only one row, or one cluster, of a stratum was drawn and
    ///   not the whole stratum, with the number of the first such stratum, unless `lonely` says what to
    ///   do;
    /// * [`Problem::SingleRowClusters`] if only one row of several was drawn in a cluster, unless
    ///   `lonely` is certainty or adjust.
    pub fn strata(tallies: &'a [T], design: &'a TestStrata) -> Result<Self, Error> {
        let TestStrata { strata, clusters, population, units, lonely } = design;
        let number = strata.iter().max().map_or(0, |last| *last as usize + 1);
        let length = |values: Option<&Vec<f64>>, others: usize| values.map_or(others, Vec::len);
        let (sizes, cluster_rows) = match population {
            None => (None, None),
            Some(StratumPopulation::Rows(sizes)) => (Some(sizes), None),
            Some(StratumPopulation::Clusters { of_strata, rows }) => (Some(of_strata), rows.as_ref()),
        };
        let lengths = [
            ("strata", strata.len(), tallies.len()),
            ("clusters", clusters.as_ref().map_or(tallies.len(), Vec::len), tallies.len()),
            ("sizes", length(sizes, number), number),
            ("rows", length(cluster_rows, tallies.len()), tallies.len()),
            ("units", length(units.as_ref(), number), number),
        ];
        lengths.into_iter().try_for_each(Error::unless_equal)?;
        let mut rows = vec![0; number];
        for (stratum, tally) in strata.iter().zip(tallies) {
            rows[*stratum as usize] += tally.n();
        }
        let drawn = match clusters {
            Some(clusters) => clusters_by_stratum(number, strata, clusters)?,
            None => rows.clone(),
        };
        let stratum = |index: usize| {
            let units = units.as_ref().map_or(0.0, |units| units[index]).max(drawn[index] as f64);
            let size = sizes.map_or(f64::INFINITY, |sizes| sizes[index]);
            let (n, small) = match population {
                Some(StratumPopulation::Clusters { .. }) => {
                    (units, Problem::SmallStage { drawn: to_count(units), what: "clusters", size: to_count(size) })
                }
                _ => (rows[index] as f64, Problem::SmallPopulation { n: rows[index], size: to_count(size) }),
            };
            if size < n {
                Err(Error::from(small).in_set(index))
            } else {
                Ok(SampledStratum { units, fraction: n / size })
            }
        };
        let sizes = (0..number).map(stratum).collect::<Result<Vec<_>, _>>()?;
        let mut single = (0..number).filter(|index| sizes[*index].units == 1.0 && sizes[*index].fraction < 1.0);
        if let Some(first) = single.next().filter(|_| *lonely == LonelyPsu::Error) {
            let strata = 1 + single.count() as u64;
            return Err(Error::from(Problem::SingleUnitTestStrata { strata }).in_set(first));
        }
        let clusters = match (clusters, cluster_rows) {
            (Some(clusters), Some(sizes)) => drawn_rows(tallies, design, clusters, sizes)?,
            _ => HashMap::new(),
        };
        Ok(Self { tallies, kind: Sampling::Strata { design, strata: sizes, clusters } })
    }

    /// Creates the design of scores with replicate weights.
    ///
    /// `replicates` has the replicate of each tally: 0 for the weights of the estimate itself, and 1
    /// to R for the replicate weights. It is empty for rows of several classes, which carry their replicate weights.
    pub fn replicates(tallies: &'a [T], replicates: &'a [u32], formula: ReplicateVariance) -> Self {
        Self { tallies, kind: Sampling::Replicates(replicates, formula) }
    }

    /// Returns the formula of the variance from replicate weights, if there are any.
    pub(crate) fn replicate_variance(&self) -> Option<&ReplicateVariance> {
        if let Sampling::Replicates(_, formula) = &self.kind { Some(formula) } else { None }
    }

    /// Returns the smallest and the largest sampled share of the rows of a stratum, if they are known.
    pub fn fractions(&self) -> Option<(f64, f64)> {
        let Sampling::Strata { strata, clusters, .. } = &self.kind else { return None };
        let fractions = || strata.iter().map(|stratum| stratum.fraction).filter(|fraction| *fraction > 0.0);
        let (least, most) = (fractions().fold(f64::INFINITY, f64::min), fractions().fold(0.0, f64::max));
        (most > 0.0 && clusters.is_empty()).then_some((least, most))
    }

    fn has_clusters(&self) -> bool {
        match &self.kind {
            Sampling::Clusters(_) => true,
            Sampling::Strata { design, .. } => design.clusters.is_some(),
            Sampling::Replicates(..) | Sampling::Pooled(_) => false,
        }
    }

    /// Returns the stratum, and the cluster or replicate, of a tally.
    fn unit(&self, part: usize) -> (u32, Option<u32>) {
        match &self.kind {
            Sampling::Clusters(clusters) => (0, Some(clusters[part])),
            Sampling::Strata { design: TestStrata { strata, clusters, .. }, .. } => {
                (strata[part], clusters.as_ref().map(|clusters| clusters[part]))
            }
            Sampling::Replicates(replicates, _) => (0, Some(replicates[part])),
            Sampling::Pooled(_) => (0, None),
        }
    }

    fn sampled_unit(&self, (stratum, cluster): (u32, Option<u32>)) -> SampledUnit {
        let rows = match &self.kind {
            Sampling::Strata { clusters, .. } => cluster.and_then(|cluster| clusters.get(&cluster).copied()),
            _ => None,
        };
        SampledUnit { stratum: stratum as usize, cluster, rows }
    }

    /// Returns the strata, or one for this number of units without strata, and the variance within strata of a
    /// single unit.
    fn sampled_strata(&self, units: usize) -> (Cow<'_, [SampledStratum]>, LonelyPsu) {
        match &self.kind {
            Sampling::Strata { design, strata, .. } => (Cow::Borrowed(strata), design.lonely),
            _ => (Cow::Owned(vec![SampledStratum { units: units as f64, fraction: 0.0 }]), LonelyPsu::Error),
        }
    }

    /// The rows of all parts.
    pub(crate) fn tables(&self) -> &'a [T] {
        self.tallies
    }

    /// Returns the units of the rows in some parts, with a function for the number of rows of a part.
    ///
    /// # Errors
    /// Returns [`Problem::OneCluster`] for a single cluster.
    pub(crate) fn row_units(&self, parts: &[usize], rows: impl Fn(&T) -> usize) -> Result<RowUnits<'_>, Error> {
        let mut numbers: BTreeMap<(u32, Option<u32>), usize> = BTreeMap::new();
        let (mut units, mut of_rows) = (Vec::new(), Vec::new());
        for part in parts {
            let unit = *numbers.entry(self.unit(*part)).or_insert_with_key(|key| {
                units.push(self.sampled_unit(*key));
                units.len() - 1
            });
            of_rows.resize(of_rows.len() + rows(&self.tallies[*part]), unit);
        }
        if self.has_clusters() && units.len() == 1 {
            return Err(Problem::OneCluster.into());
        }
        let (strata, lonely) = self.sampled_strata(units.len());
        Ok(RowUnits { of_rows, units, strata, lonely })
    }
}

impl<'a, T: Borrow<Tally>> TestDesign<'a, T> {
    /// Creates the design of rows that several classifiers have scored. Each tally has one score for each
    /// row, by a classifier drawn with the shares; `pooled` has the scores by all.
    ///
    /// The scores of one classifier for each row are used for the check of prior probability shift.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`] unless there is a pooled tally for each tally.
    pub fn pooled(tallies: &'a [T], pooled: &'a [PooledTally]) -> Result<Self, Error> {
        Error::unless_equal(("pooled", pooled.len(), tallies.len()))?;
        Ok(Self { tallies, kind: Sampling::Pooled(pooled) })
    }
}

/// Merges the pooled scores of one or more parts for the method with this index.
fn merge_pooled<'p>(mut parts: impl Iterator<Item = &'p PooledTally>, method: usize) -> MethodTally {
    let mut merged = parts.next().expect("an estimate has parts").methods[method].clone();
    parts.for_each(|part| merged.merge(&part.methods[method]));
    merged
}

/// Returns a number of units or rows without its fraction.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at least 0
fn to_count(number: f64) -> u64 {
    number.max(0.0) as u64
}

/// Returns the number of drawn rows of each cluster, and their share of its rows in the population.
fn drawn_rows<T: SampledRows>(
    tallies: &[T],
    design: &TestStrata,
    clusters: &[u32],
    sizes: &[f64],
) -> Result<HashMap<u32, DrawnRows>, Error> {
    let mut drawn: HashMap<u32, DrawnRows> = HashMap::new();
    for (cluster, tally) in clusters.iter().zip(tallies) {
        drawn.entry(*cluster).or_default().n += tally.n() as f64;
    }
    for (part, (cluster, size)) in clusters.iter().zip(sizes).enumerate() {
        let rows = drawn.get_mut(cluster).expect("a cluster of a tally");
        rows.fraction = rows.n / size;
        if rows.fraction > 1.0 {
            let small =
                Problem::SmallStage { drawn: to_count(rows.n), what: "rows of a cluster", size: to_count(*size) };
            return Err(Error::from(small).in_set(design.strata[part] as usize));
        }
    }
    let is_single = |rows: &&DrawnRows| rows.n == 1.0 && rows.fraction < 1.0;
    match drawn.values().filter(is_single).count() as u64 {
        clusters @ 1.. if matches!(design.lonely, LonelyPsu::Error | LonelyPsu::Average) => {
            Err(Problem::SingleRowClusters { clusters }.into())
        }
        _ => Ok(drawn),
    }
}

/// Returns the number of clusters in each stratum.
fn clusters_by_stratum(number: usize, strata: &[u32], clusters: &[u32]) -> Result<Vec<u64>, Error> {
    let (mut stratum_of, mut across) = (HashMap::new(), BTreeSet::new());
    for (stratum, cluster) in strata.iter().zip(clusters) {
        if stratum_of.insert(cluster, stratum).is_some_and(|other| other != stratum) {
            across.insert(cluster);
        }
    }
    if !across.is_empty() {
        return Err(Problem::ClustersAcrossStrata { clusters: across.len() as u64 }.into());
    }
    let mut units = vec![0; number];
    for stratum in stratum_of.values() {
        units[**stratum as usize] += 1;
    }
    Ok(units)
}

impl Model {
    /// Estimates the prevalence with every method in some parts of a test sample.
    ///
    /// If the target is the population, the variance is that of R's package survey for the design. If
    /// it is the sample, only the classifier's errors are uncertain: strata and replicate weights
    /// then have no effect, and the covariance within clusters is that of the labelled scores. Unless
    /// these are in clusters of several rows, the covariance is not known, and the variance is that
    /// for the population, which is not smaller.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`Tally::merge`] and
    /// [`estimate_tally`](Self::estimate_tally); [`Operation::TestDesign`](crate::error::Operation)
    /// for a method whose estimate is not the corrected mean of a function of the score;
    /// [`Problem::OneCluster`] for a single cluster; and [`Problem::EmptyReplicate`] if the parts have
    /// no weight in a replicate.
    ///
    /// # Panics
    /// Panics for a part that the design does not have, or a replicate without a factor.
    pub fn estimate_design<T: Borrow<Tally>>(
        &self,
        design: &TestDesign<T>,
        parts: &[usize],
        options: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        let mut units: BTreeMap<(u32, Option<u32>), Cow<Tally>> = BTreeMap::new();
        for part in parts {
            let tally = design.tallies[*part].borrow();
            match units.entry(design.unit(*part)) {
                Entry::Vacant(entry) => drop(entry.insert(Cow::Borrowed(tally))),
                Entry::Occupied(mut entry) => entry.get_mut().to_mut().merge(tally)?,
            }
        }
        if design.has_clusters() && units.len() == 1 {
            return Err(Problem::OneCluster.into());
        }
        let is_replicate = |unit: Option<u32>| matches!(design.kind, Sampling::Replicates(..)) && unit != Some(0);
        let mut tallies = units.iter().filter(|((_, unit), _)| !is_replicate(*unit)).map(|(_, tally)| tally);
        let mut whole = tallies.next().ok_or(Problem::NoTestScores)?.as_ref().clone();
        self.check_model_of(&whole)?;
        tallies.try_for_each(|tally| whole.merge(tally))?;
        let (strata, lonely) = design.sampled_strata(units.len());
        let assessed = self.assess(whole.shift().as_ref(), options)?;
        let estimate = |index: usize, quantifier: &Quantifier| {
            let methods = units.iter().map(|((stratum, unit), tally)| (*stratum, *unit, &tally.methods[index]));
            let (replicates, units): (Vec<(u32, &MethodTally)>, Vec<SampledCell>);
            let (row_sums, pooled_scores);
            let design = match &design.kind {
                Sampling::Pooled(pooled) => {
                    let pooled = || parts.iter().map(|part| &pooled[*part]);
                    pooled().try_for_each(|part| part.check_model(self))?;
                    pooled_scores = merge_pooled(pooled(), index);
                    row_sums =
                        move |function: &InfluenceFunction| pooled().map(|part| part.row_sums(index, function)).sum();
                    SampledCells::Pooled(PooledScores {
                        tally: &pooled_scores,
                        row_sums: &row_sums,
                        smallest_variance_ratio: pooled().map(PooledTally::smallest_variance_ratio).fold(1.0, f64::min),
                    })
                }
                Sampling::Replicates(_, formula) => {
                    replicates = methods
                        .filter_map(|(_, unit, tally)| unit.filter(|unit| *unit > 0).map(|unit| (unit, tally)))
                        .collect();
                    SampledCells::Replicates(&replicates, formula)
                }
                Sampling::Strata { .. } | Sampling::Clusters(_) => {
                    let unit = |(stratum, cluster, tally)| SampledCell {
                        unit: design.sampled_unit((stratum, cluster)),
                        tally,
                    };
                    units = methods.map(unit).collect();
                    SampledCells::Units(&units, &strata, lonely)
                }
            };
            quantifier.estimate(&whole.methods[index], VarianceSource::Design(design), assessed.as_ref(), options)
        };
        self.collect_estimates(estimate, |index| match &design.kind {
            Sampling::Pooled(pooled) => Cow::Owned(merge_pooled(parts.iter().map(|part| &pooled[*part]), index)),
            _ => Cow::Borrowed(&whole.methods[index]),
        })
    }
}
