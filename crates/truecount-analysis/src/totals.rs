//! Estimates of groups with their total: added up by scores or by known sizes, for finite
//! populations, standardised, and with differences.
//!
//! Direct standardisation weights the shares of groups, such as age bands, by the sizes W of these
//! groups in a standard population: Σ Wα̂ / ΣW. The crude share is that of all rows together.

use crate::compare::{ComparisonSets, DifferenceResult, class_differences, group_differences};
use crate::estimates::{by_method, first_error, groups_warning};
use crate::executor::Executor;
use crate::groups::{NamedGroups, estimate_jointly, shift_warning};
use crate::results::PublicationRule;
use crate::standard::{Standard, StandardisedEstimates};
use std::borrow::Cow;
use truecount::compare::{JointErrors, Reference};
use truecount::error::Problem;
use truecount::inference::SharedVariance;
use truecount::multiclass::{MulticlassEstimate, MulticlassModel};
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Target, Warning};

/// Options for the estimates of groups and of their total.
#[derive(Clone, Debug)]
pub struct TotalOptions {
    /// Level, target and kind of the intervals.
    pub interval_options: IntervalOptions,
    /// Whether the total of all groups is estimated.
    pub total: bool,
    /// The standard population, if shares are standardised.
    pub standard: Option<Standard>,
    /// The size of each group's population, if it is finite.
    pub populations: Option<Vec<f64>>,
}

impl TotalOptions {
    /// Creates options that estimate each group, without a total.
    pub fn new(reporting: IntervalOptions) -> Self {
        Self { interval_options: reporting, total: false, standard: None, populations: None }
    }

    /// Returns the interval options of one group, with the size of its population.
    fn for_group(&self, group: usize) -> IntervalOptions {
        self.populations
            .as_ref()
            .map_or(self.interval_options, |sizes| with_population_size(&self.interval_options, sizes[group]))
    }

    /// Returns the target of a weighted mean: the population if group population sizes are given.
    fn target_of_mean(&self) -> Target {
        if self.populations.is_some() { Target::Population } else { self.interval_options.target() }
    }
}

/// An estimate of a group: of a prevalence by every method, or of the shares of several classes.
pub trait GroupEstimate: Send + Sync + Sized {
    /// The errors that estimates of groups have in common.
    type Joint: Clone;

    /// Estimates groups that share labelled rows.
    ///
    /// # Errors
    /// Returns the errors of `estimate`.
    fn estimate_jointly(
        estimate: impl Fn(Option<SharedVariance>) -> Result<Vec<Self>, Error>,
    ) -> Result<Vec<Self>, Error>;

    /// Estimates the weighted mean of these groups, for the population if group population sizes are given.
    ///
    /// # Errors
    /// Returns an error for a weight that is negative or not finite, and if all weights are 0.
    fn weighted_mean(
        joint: &Self::Joint,
        estimates: &[Self],
        groups: &[usize],
        weights: &[f64],
        options: &TotalOptions,
    ) -> Result<Self, Error>;

    /// Compares groups with others of their set, or with the total or the rest of the set. Without weights, groups are
    /// weighted by their rows.
    ///
    /// # Errors
    /// Returns an error if there is nothing to compare, or if joint errors do not suffice.
    fn differences(
        executor: &impl Executor,
        joint: &Self::Joint,
        compared: (&[Self], Option<&[f64]>),
        comparison: (&ComparisonSets, &Reference),
        options: &IntervalOptions,
    ) -> Result<DifferenceResult, Error>;
}

/// Groups of test rows that can be estimated one by one and combined.
pub trait GroupSource: Sync {
    /// The estimate of a group.
    type Estimate: GroupEstimate;

    /// Returns the number of groups.
    fn number(&self) -> usize;

    /// Estimates the union of some groups.
    ///
    /// # Errors
    /// Returns an error if there are no groups, or if their scores allow no estimate.
    fn combined(&self, groups: &[usize], options: &IntervalOptions) -> Result<Self::Estimate, Error>;

    /// Returns the joint errors of the groups' estimates.
    ///
    /// # Errors
    /// Returns an error for a method without joint errors.
    fn joint_errors(&self) -> Result<Cow<'_, <Self::Estimate as GroupEstimate>::Joint>, Error>;

    /// Returns the shift check's warning about all groups together; `None` if each group is checked.
    ///
    /// # Errors
    /// Returns an error if the check's tally belongs to another check.
    fn warning(&self) -> Result<Option<Warning>, Error>;
}

/// The estimates of groups, with their total and differences.
pub struct GroupEstimates<E = Estimates> {
    /// The estimates of each group.
    pub groups: Vec<E>,
    /// The estimates of all groups together, if requested.
    pub total: Option<E>,
    /// The crude and standardised estimates, if requested.
    pub standardised: Option<StandardisedEstimates<E>>,
    /// The differences between groups, or between standardised sets of groups, if requested.
    pub differences: Option<DifferenceResult>,
    /// The shift check's warning about all groups together; `None` if each group is checked.
    pub warning: Option<Warning>,
    /// Sentences on whose shares the estimates are.
    pub notes: Vec<String>,
    /// The rule for publication, if requested.
    pub publication_rule: Option<PublicationRule>,
}

impl<E> From<Vec<E>> for GroupEstimates<E> {
    fn from(groups: Vec<E>) -> Self {
        let (total, standardised, differences, warning) = (None, None, None, None);
        Self { groups, total, standardised, differences, warning, notes: Vec::new(), publication_rule: None }
    }
}

impl<E> GroupEstimates<E> {
    /// Takes the standardised estimates of all groups together or, without a standard population, their total.
    pub fn take_total(&mut self) -> Option<E> {
        self.standardised.take().map(|mut sets| sets.standardised.swap_remove(0)).or(self.total.take())
    }
}

impl GroupEstimates {
    /// Converts estimates of groups by `model`, without total and differences. Returns the names of
    /// the groups and the estimates.
    ///
    /// # Errors
    /// Returns an error if the check's tally belongs to another model.
    pub fn from_estimates<N>(model: &Model, groups: NamedGroups<Estimates, N>) -> Result<(N, Self), Error> {
        let warning = shift_warning(model, groups.shift_total.as_ref())?;
        Ok((groups.keys, Self { warning, ..Self::from(groups.contents) }))
    }
}

/// Estimates every group separately.
///
/// # Errors
/// Returns the first error, with the number of its group.
pub fn estimate_each<S: GroupSource>(
    executor: &impl Executor,
    groups: &S,
    options: impl Fn(usize) -> IntervalOptions + Sync + Send,
) -> Result<Vec<S::Estimate>, Error> {
    let numbers: Vec<usize> = (0..groups.number()).collect();
    S::Estimate::estimate_jointly(|shift| {
        let options = |group| options(group).with_multiplicity(numbers.len()).with_shared_shift(shift);
        first_error(executor.map(&numbers, |group| groups.combined(&[*group], &options(*group))))
    })
}

/// Estimates groups and their total, and compares groups if sets and a reference are given. The comparison is between
/// standardised sets of groups if the standard population lacks grouping columns.
///
/// # Errors
/// Returns an error for a group that allows no estimate, with its number; for a method without
/// joint errors if groups are weighted or compared; and for weights that are negative, not finite or
/// all zero.
pub fn estimate_groups<S: GroupSource>(
    executor: &impl Executor,
    groups: &S,
    options: &TotalOptions,
    comparison: Option<(&ComparisonSets, &Reference)>,
) -> Result<GroupEstimates<S::Estimate>, Error> {
    let TotalOptions { interval_options, standard, populations, total, .. } = options;
    let estimates = estimate_each(executor, groups, |group| options.for_group(group))?;
    let needs_joint = standard.is_some() || comparison.is_some() || (*total && populations.is_some());
    let joint = needs_joint.then(|| groups.joint_errors()).transpose()?;
    let joint = || joint.as_ref().expect("joint errors where they are needed");
    let weighted_mean =
        |groups: &[usize], weights: &[f64]| S::Estimate::weighted_mean(joint(), &estimates, groups, weights, options);
    let crude = |set: &[usize]| match populations {
        Some(sizes) => weighted_mean(set, sizes),
        None => groups.combined(set, interval_options),
    };
    let total = total.then(|| crude(&(0..groups.number()).collect::<Vec<_>>())).transpose()?;
    let standardise =
        |standard: &Standard| standard.estimates(crude, |groups| weighted_mean(groups, &standard.weights));
    let standardised = standard.as_ref().map(standardise).transpose()?;
    let compared = match &standardised {
        Some(sets) if !sets.columns.is_empty() => (sets.standardised.as_slice(), None),
        // The weights of the groups if they are not their numbers of scores.
        _ => (estimates.as_slice(), standard.as_ref().map(|standard| &standard.weights[..]).or(populations.as_deref())),
    };
    let compare = |comparison| S::Estimate::differences(executor, joint(), compared, comparison, interval_options);
    let differences = comparison.map(compare).transpose()?;
    let warning = groups.warning()?;
    Ok(GroupEstimates { total, standardised, differences, warning, ..estimates.into() })
}

impl GroupEstimate for Estimates {
    type Joint = Vec<(Method, JointErrors)>;

    fn estimate_jointly(
        estimate: impl Fn(Option<SharedVariance>) -> Result<Vec<Self>, Error>,
    ) -> Result<Vec<Self>, Error> {
        estimate_jointly(estimate)
    }

    fn weighted_mean(
        joint: &Self::Joint,
        estimates: &[Self],
        groups: &[usize],
        weights: &[f64],
        options: &TotalOptions,
    ) -> Result<Self, Error> {
        let total = |(method, joint): &(Method, JointErrors)| {
            let mut total = joint.total();
            let weighted = groups.iter().filter(|group| weights[**group] != 0.0);
            let weighted = || weighted.clone().map(|group| (by_method(&estimates[*group], *method), weights[*group]));
            for (estimate, weight) in weighted() {
                total.add(estimate, weight)?;
            }
            if total.n() == 0 {
                return Err(Problem::AllWeightsZero.into());
            }
            let mut estimate = total.estimate(&options.interval_options);
            // Weights that do not sum to at least the number of scores are relative and tell no size.
            estimate.size = Some(total.weight()).filter(|size| *size >= total.n() as f64);
            estimate.warnings.extend(groups_warning(&estimate, weighted()));
            estimate.target = options.target_of_mean();
            Ok(estimate)
        };
        joint.iter().map(total).collect()
    }

    fn differences(
        executor: &impl Executor,
        joint: &Self::Joint,
        compared: (&[Self], Option<&[f64]>),
        comparison: (&ComparisonSets, &Reference),
        options: &IntervalOptions,
    ) -> Result<DifferenceResult, Error> {
        group_differences(executor, compared, joint, comparison, options)
    }
}

impl GroupEstimate for MulticlassEstimate {
    type Joint = MulticlassModel;

    fn estimate_jointly(
        estimate: impl Fn(Option<SharedVariance>) -> Result<Vec<Self>, Error>,
    ) -> Result<Vec<Self>, Error> {
        estimate(None)
    }

    fn weighted_mean(
        model: &MulticlassModel,
        estimates: &[Self],
        groups: &[usize],
        weights: &[f64],
        options: &TotalOptions,
    ) -> Result<Self, Error> {
        let groups: Vec<_> = groups.iter().map(|group| (&estimates[*group], weights[*group])).collect();
        let mut mean = model.weighted_mean(&groups, &options.interval_options)?;
        mean.target = options.target_of_mean();
        Ok(mean)
    }

    fn differences(
        executor: &impl Executor,
        model: &MulticlassModel,
        compared: (&[Self], Option<&[f64]>),
        comparison: (&ComparisonSets, &Reference),
        options: &IntervalOptions,
    ) -> Result<DifferenceResult, Error> {
        class_differences(executor, model, compared, comparison, options)
    }
}

/// Returns the interval options of a population of this size, rounded to a whole number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes are above 0
pub(crate) fn with_population_size(interval_options: &IntervalOptions, size: f64) -> IntervalOptions {
    interval_options.with_population(size.round() as u64)
}
