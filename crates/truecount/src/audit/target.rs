//! The items of a group, of which some are audited: their numbers and weights in the bins of the
//! score, by stratum and cluster.

use super::difference_estimator::TargetMoments;
use super::sample::{BinnedItem, StratumSize};
use crate::inference::IntervalOptions;
use crate::model::{Model, Tally, TestDesign};
use crate::numeric::sum::CompensatedSum;
use crate::quantifier::Estimate;
use crate::tally::MethodTally;
use crate::{Error, Problem};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The items of a group in one stratum and cluster, audited ones included.
#[derive(Clone, Copy, Debug)]
pub struct TargetCell<'a> {
    /// The number of the stratum; 0 without strata.
    pub stratum: u32,
    /// The number of the cluster; 0 without clusters.
    pub cluster: u32,
    /// The tally of the items.
    pub tally: &'a Tally,
}

impl<'a> From<&'a Tally> for TargetCell<'a> {
    /// Returns a group without strata and clusters.
    fn from(tally: &'a Tally) -> Self {
        Self { stratum: 0, cluster: 0, tally }
    }
}

pub(super) struct AuditTarget<'a> {
    parts: &'a [TargetCell<'a>],
    tally: Cow<'a, Tally>,
    whole: TargetBins,
    /// The bins of each stratum, in the order of their numbers.
    strata: Vec<TargetBins>,
    stratum_numbers: Vec<u32>,
}

/// Numbers, sums of weights and sums of squared weights of the items in each bin.
pub(super) struct TargetBins {
    counts: Vec<u64>,
    weights: Vec<f64>,
    squares: Vec<f64>,
}

impl<'a> AuditTarget<'a> {
    /// Adds up the parts of a group.
    ///
    /// # Errors
    /// Returns [`Problem::AuditNeedsBins`] unless `es` is the model's only method, without
    /// probabilities; [`Problem::NoTestScores`] for empty tallies; and an error under the conditions of
    /// [`Tally::merge`].
    pub(super) fn new(model: &Model, parts: &'a [TargetCell<'a>]) -> Result<Self, Error> {
        let by_stratum = merged_by(parts, |part| part.stratum)?;
        let strata: Vec<TargetBins> =
            by_stratum.values().map(|tally| TargetBins::new(model, tally)).collect::<Result<_, _>>()?;
        let stratum_numbers = by_stratum.keys().copied().collect();
        let mut tallies = by_stratum.into_values();
        let mut tally = tallies.next().ok_or(Problem::NoTestScores)?;
        tallies.try_for_each(|other| tally.to_mut().merge(&other))?;
        let whole = TargetBins::new(model, &tally)?;
        Ok(Self { parts, tally, whole, strata, stratum_numbers })
    }

    pub(super) fn bins(&self) -> usize {
        self.whole.counts.len()
    }

    /// The number of items with a weight above 0.
    pub(super) fn n(&self) -> u64 {
        self.tally.n()
    }

    /// Returns the estimate from external labels.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`Tally::evaluate_with`] or, with clusters, of
    /// [`Model::estimate_design`].
    pub(super) fn external_estimate(
        &self,
        model: &Model,
        is_clustered: bool,
        options: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let estimates = if is_clustered {
            let (clusters, tallies): (Vec<u32>, Vec<&Tally>) =
                self.parts.iter().map(|part| (part.cluster, part.tally)).unzip();
            let parts: Vec<usize> = (0..tallies.len()).collect();
            model.estimate_design(&TestDesign::clusters(&tallies, &clusters), &parts, options)
        } else {
            self.tally.evaluate_with(options)
        };
        Ok(estimates?.into_iter().next().expect("es"))
    }

    /// Returns the index of a stratum in [`stratum_sizes`](Self::stratum_sizes).
    pub(super) fn stratum_index(&self, stratum: u32) -> Option<usize> {
        self.stratum_numbers.binary_search(&stratum).ok()
    }

    pub(super) fn stratum_sizes(&self) -> Vec<StratumSize> {
        let total = self.whole.total_weight();
        let size = |(number, bins): (&u32, &TargetBins)| StratumSize {
            number: *number,
            n: bins.n(),
            share: bins.total_weight() / total,
        };
        self.stratum_numbers.iter().zip(&self.strata).map(size).collect()
    }

    /// Checks that the audited items can be items of the target.
    ///
    /// # Errors
    /// Returns [`Problem::AuditOutside`] if a bin of a part has more audited items than items.
    pub(super) fn check_audited(&self, items: &[BinnedItem]) -> Result<(), Error> {
        let mut audited: HashMap<(u32, u32), Vec<u64>> = HashMap::new();
        for item in items {
            let part = audited.entry((item.stratum, item.cluster.unwrap_or(0)));
            part.or_insert_with(|| vec![0; self.bins()])[item.bin] += 1;
        }
        for TargetCell { stratum, cluster, tally } in self.parts {
            if let Some(audited) = audited.get_mut(&(*stratum, *cluster)) {
                let counts = tally.methods[0].counts();
                audited.iter_mut().zip(counts).for_each(|(audited, n)| *audited = audited.saturating_sub(n));
            }
        }
        match audited.into_values().flatten().sum() {
            0 => Ok(()),
            outside => Err(Problem::AuditOutside { outside, audited: items.len() as u64 }.into()),
        }
    }

    /// Checks that each cluster lies in one stratum.
    ///
    /// # Errors
    /// Returns [`Problem::ClustersAcrossStrata`] otherwise.
    pub(super) fn check_clusters(&self) -> Result<(), Error> {
        let mut strata: HashMap<u32, u32> = HashMap::new();
        let mut across: Vec<u32> = Vec::new();
        for TargetCell { stratum, cluster, .. } in self.parts {
            if strata.insert(*cluster, *stratum).is_some_and(|other| other != *stratum) {
                across.push(*cluster);
            }
        }
        across.sort_unstable();
        across.dedup();
        match across.len() as u64 {
            0 => Ok(()),
            clusters => Err(Problem::ClustersAcrossStrata { clusters }.into()),
        }
    }

    /// Returns the mean in each stratum of a value that depends on the stratum and the bin.
    pub(super) fn stratum_means(&self, value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        self.strata.iter().enumerate().map(|(stratum, bins)| bins.mean(|bin| value(stratum, bin))).collect()
    }

    pub(super) fn moments(&self, predictions: &[f64], is_clustered: bool) -> TargetMoments {
        let (n, total) = (self.whole.n() as f64, self.whole.total_weight());
        let correction = n / (n - 1.0).max(1.0);
        let mean = self.whole.mean(|bin| predictions[bin]);
        let within = self.strata.iter().map(|bins| {
            let mean = bins.mean(|bin| predictions[bin]);
            bins.total_weight() / total * bins.mean(|bin| (predictions[bin] - mean).powi(2))
        });
        let variance = correction * within.collect::<CompensatedSum>().value();
        if !is_clustered {
            let squares = |term: &dyn Fn(usize) -> f64| {
                let squares = self.whole.squares.iter().enumerate();
                squares.map(|(bin, square)| square / (total * total) * term(bin)).collect::<CompensatedSum>().value()
            };
            let sampling_variance = correction * squares(&|bin| (predictions[bin] - mean).powi(2));
            let squared_shares = squares(&|_| 1.0);
            return TargetMoments { n, mean, variance, sampling_variance, squared_shares, clusters: None };
        }
        let (mut sums, mut shares): (HashMap<u32, f64>, HashMap<u32, f64>) = (HashMap::new(), HashMap::new());
        for TargetCell { cluster, tally, .. } in self.parts {
            let bins = TargetBins::from_tally(&tally.methods[0]);
            let share = bins.total_weight() / total;
            *sums.entry(*cluster).or_default() += share * bins.mean(|bin| predictions[bin] - mean);
            *shares.entry(*cluster).or_default() += share;
        }
        let squares = |values: &HashMap<u32, f64>| {
            let mut values: Vec<f64> = values.values().map(|value| value * value).collect();
            values.sort_by(f64::total_cmp);
            values.into_iter().collect::<CompensatedSum>().value()
        };
        let (sampling_variance, squared_shares) = (squares(&sums), squares(&shares));
        TargetMoments { n, mean, variance, sampling_variance, squared_shares, clusters: Some(sums) }
    }
}

/// Merges the tallies of parts with the same number.
///
/// # Errors
/// Returns an error under the conditions of [`Tally::merge`].
fn merged_by<'a>(
    parts: &[TargetCell<'a>],
    number: fn(&TargetCell) -> u32,
) -> Result<BTreeMap<u32, Cow<'a, Tally>>, Error> {
    let mut merged: BTreeMap<u32, Cow<Tally>> = BTreeMap::new();
    for part in parts {
        match merged.get_mut(&number(part)) {
            Some(tally) => tally.to_mut().merge(part.tally)?,
            None => drop(merged.insert(number(part), Cow::Borrowed(part.tally))),
        }
    }
    Ok(merged)
}

impl TargetBins {
    fn new(model: &Model, tally: &Tally) -> Result<Self, Error> {
        model.score_bins().ok_or(Problem::AuditNeedsBins)?;
        if tally.n() == 0 {
            return Err(Problem::NoTestScores.into());
        }
        match tally.methods.as_slice() {
            [tally @ (MethodTally::Counts(_) | MethodTally::WeightedCounts(_))] => Ok(Self::from_tally(tally)),
            _ => Err(Problem::AuditNeedsBins.into()),
        }
    }

    fn from_tally(tally: &MethodTally) -> Self {
        let (weights, squares) = tally.bin_weights().into_iter().unzip();
        Self { counts: tally.counts(), weights, squares }
    }

    fn n(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn total_weight(&self) -> f64 {
        self.weights.iter().copied().collect::<CompensatedSum>().value()
    }

    /// Returns the weighted mean over the items of a value that depends on the bin; 0 without items.
    fn mean(&self, value: impl Fn(usize) -> f64) -> f64 {
        let total = self.total_weight();
        let terms = self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        terms.map(|(bin, weight)| weight / total * value(bin)).collect::<CompensatedSum>().value()
    }
}
