//! Estimates of groups with their total: added up by scores or by known sizes, for finite
//! populations, and with differences.

use crate::compare::{ComparisonSets, DifferenceResult, group_differences};
use crate::estimates::{GroupSource, by_method, estimate_each, groups_warning};
use crate::executor::Executor;
use crate::groups::NamedGroups;
use truecount::compare::{JointErrors, Reference};
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Target, Warning};

/// Options for the estimates of groups and of their total.
#[derive(Clone, Debug)]
pub struct TotalOptions {
    /// Level, target and kind of the intervals.
    pub interval_options: IntervalOptions,
    /// Whether the total of all groups is estimated.
    pub total: bool,
    /// The weights of the groups in the total; `None` weights groups by their populations, or
    /// without populations by their numbers of scores.
    pub weights: Option<Vec<f64>>,
    /// The size of each group's population, if it is finite.
    pub populations: Option<Vec<f64>>,
}

impl TotalOptions {
    /// Creates options that estimate each group, without a total.
    pub fn new(reporting: IntervalOptions) -> Self {
        Self { interval_options: reporting, total: false, weights: None, populations: None }
    }

    /// Returns the interval options of one group, with the size of its population.
    fn for_group(&self, group: usize) -> IntervalOptions {
        self.populations
            .as_ref()
            .map_or(self.interval_options, |sizes| with_population_size(&self.interval_options, sizes[group]))
    }

    /// Returns the weights of the groups if they are not their numbers of scores.
    fn known_weights(&self) -> Option<&[f64]> {
        self.weights.as_deref().or(self.populations.as_deref())
    }
}

/// The estimates of groups, with their total and differences.
pub struct GroupEstimates {
    /// The estimates of each group.
    pub groups: Vec<Estimates>,
    /// The estimates of all groups together, if requested.
    pub total: Option<Estimates>,
    /// The differences between groups, if requested.
    pub differences: Option<DifferenceResult>,
    /// The shift check's warning about all groups together; `None` if each group is checked.
    pub warning: Option<Warning>,
    /// Sentences on whose shares the estimates are.
    pub notes: Vec<String>,
}

impl GroupEstimates {
    /// Converts estimates of groups by `model`, without total and differences. Returns the names of
    /// the groups and the estimates.
    ///
    /// # Errors
    /// Returns an error if the check's tally belongs to another model.
    pub fn from_estimates<N>(model: &Model, groups: NamedGroups<Estimates, N>) -> Result<(N, Self), Error> {
        let NamedGroups { keys, contents, shift_total } = groups;
        let warning = match model.check().zip(shift_total) {
            Some((check, tally)) => check.warning(&tally, 1)?,
            None => None,
        };
        Ok((keys, Self { groups: contents, total: None, differences: None, warning, notes: Vec::new() }))
    }
}

/// Estimates groups and their total, and compares groups if sets and a reference are given.
///
/// # Errors
/// Returns an error for a group that allows no estimate, with its number; for a method without
/// joint errors if groups are weighted or compared; and for a weight that is negative or not
/// finite.
pub fn estimate_groups(
    executor: &impl Executor,
    groups: &impl GroupSource,
    options: &TotalOptions,
    comparison: Option<(&ComparisonSets, &Reference)>,
) -> Result<GroupEstimates, Error> {
    let estimates = estimate_each(executor, groups, |group| options.for_group(group))?;
    let weights = options.known_weights();
    let weighted_total = weights.filter(|_| options.total || options.weights.is_some());
    let joint = if weighted_total.is_some() || comparison.is_some() { groups.joint_errors()? } else { Vec::new() };
    let interval_options = &options.interval_options;
    let mut total = match weighted_total {
        Some(weights) => Some(poststratified_total(&estimates, &joint, weights, interval_options)?),
        None if options.total => Some(groups.combined(&(0..groups.number()).collect::<Vec<_>>(), interval_options)?),
        None => None,
    };
    if options.populations.is_some() {
        // The total of groups of finite populations is that of the population.
        total.iter_mut().flatten().for_each(|estimate| estimate.target = Target::Population);
    }
    let compare = |comparison| group_differences(executor, (&estimates, weights), &joint, comparison, interval_options);
    let differences = comparison.map(compare).transpose()?;
    Ok(GroupEstimates { groups: estimates, total, differences, warning: groups.warning()?, notes: Vec::new() })
}

/// Adds up the groups' estimates with known weights, by every method.
///
/// # Errors
/// Returns an error for a weight that is negative or not finite.
fn poststratified_total(
    groups: &[Estimates],
    joint: &[(Method, JointErrors)],
    weights: &[f64],
    interval_options: &IntervalOptions,
) -> Result<Estimates, Error> {
    let total = |(method, joint): &(Method, JointErrors)| {
        let mut total = joint.total();
        let groups = || groups.iter().map(|estimates| by_method(estimates, *method)).zip(weights.iter().copied());
        for (estimate, weight) in groups() {
            total.add(estimate, weight)?;
        }
        let mut estimate = total.estimate(interval_options);
        // Weights that do not sum to at least the number of scores are relative and tell no size.
        estimate.size = Some(total.weight()).filter(|size| *size >= total.n() as f64);
        estimate.warnings.extend(groups_warning(&estimate, groups()));
        Ok(estimate)
    };
    joint.iter().map(total).collect()
}

/// Returns the interval options of a population of this size, rounded to a whole number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes are above 0
pub(crate) fn with_population_size(interval_options: &IntervalOptions, size: f64) -> IntervalOptions {
    interval_options.with_population(size.round() as u64)
}
