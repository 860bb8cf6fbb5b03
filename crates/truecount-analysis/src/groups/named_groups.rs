//! Groups with names and contents.

use crate::ScoreValues;
use crate::executor::Executor;
use truecount::inference::SharedVariance;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally, Warning};

/// The largest number of groups that are checked one by one. With more groups, only all groups together are checked: as
/// the check corrects for the number of groups, no single group could be significant.
pub const MAX_CHECKED_GROUPS: usize = 20_000;

/// Groups with names and contents, in order of first appearance. Without grouping columns there is a single group.
pub struct NamedGroups<T, N> {
    /// The values that define the groups.
    pub keys: N,
    /// The contents of each group, such as its rows, tallies or estimates.
    pub contents: Vec<T>,
    /// The shift check's tally of all groups together, if there are too many groups to check each one.
    pub shift_total: Option<ShiftTally>,
}

impl<T, N> NamedGroups<T, N> {
    /// Replaces the contents of the groups.
    pub fn with_contents<U>(self, contents: Vec<U>) -> NamedGroups<U, N> {
        NamedGroups { keys: self.keys, contents, shift_total: self.shift_total }
    }

    /// Returns the model and the interval options for the estimate of one group. The shift check corrects for the
    /// number of groups; the model is without the check if only all groups together are checked.
    pub fn single_group_settings(&self, model: &Model, options: &IntervalOptions) -> (Model, IntervalOptions) {
        let model = model.clone();
        let model = if self.shift_total.is_some() { model.without_check() } else { model };
        (model, options.with_multiplicity(self.contents.len()))
    }

    /// Applies a function to every group's contents.
    ///
    /// # Errors
    /// Returns the first error of the function.
    pub fn map<U, E>(self, f: impl FnMut(T) -> Result<U, E>) -> Result<NamedGroups<U, N>, E> {
        let Self { keys, contents, shift_total } = self;
        Ok(NamedGroups { keys, contents: contents.into_iter().map(f).collect::<Result<_, E>>()?, shift_total })
    }
}

/// Returns the shift check's warning about all groups together, from their joint tally; `None` if each is checked.
///
/// # Errors
/// Returns an error if the tally belongs to another model.
pub fn shift_warning(model: &Model, total: Option<&ShiftTally>) -> Result<Option<Warning>, Error> {
    model.check().zip(total).map_or(Ok(None), |(check, tally)| check.warning(tally, 1))
}

impl<N: Clone> NamedGroups<Tally, N> {
    /// Estimates every group with the model of the tallies. The shift check corrects for the number of groups.
    ///
    /// # Errors
    /// Returns an error for a group whose tallies allow no estimate.
    pub fn estimate(
        &self,
        executor: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, N>, Error> {
        let options = options.with_multiplicity(self.contents.len());
        let contents = estimate_jointly(|shift| {
            let options = options.with_shared_shift(shift);
            executor.map(&self.contents, |tally| model.estimate_tally(tally, &options)).into_iter().collect()
        })?;
        Ok(NamedGroups { keys: self.keys.clone(), contents, shift_total: self.shift_total.clone() })
    }
}

impl<V: AsRef<[f64]> + Sync, N> NamedGroups<ScoreValues<V>, N> {
    /// Adds the shift check's tally of all groups together, if there are too many groups to check each one.
    ///
    /// # Errors
    /// Returns an error if the check cannot use the scores of a group.
    pub fn with_shift_total(mut self, executor: &impl Executor, model: &Model) -> Result<Self, Error> {
        if self.contents.len() > MAX_CHECKED_GROUPS
            && let Some(check) = model.check()
        {
            let tally = |rows: &ScoreValues<V>| {
                let mut tally = check.tally();
                check.update(&mut tally, rows.batch()?).map(|()| tally)
            };
            for tally in executor.map(&self.contents, tally) {
                add_shift_tally(&mut self.shift_total, Some(tally?));
            }
        }
        Ok(self)
    }

    /// Merges all rows into a single group with this name, in the order of the groups.
    pub fn merge_into_one<M>(&self, keys: M) -> NamedGroups<ScoreValues<Vec<f64>>, M> {
        NamedGroups { keys, contents: vec![ScoreValues::concatenate(self.contents.iter())], shift_total: None }
    }
}

/// Adds a group's shift tally, if it has one, to the tally of all groups.
pub fn add_shift_tally(total: &mut Option<ShiftTally>, tally: Option<ShiftTally>) {
    match (total, tally) {
        (Some(total), Some(tally)) => total.merge(&tally).expect("tallies of one check"),
        (total @ None, tally) => *total = tally,
        (Some(_), None) => {}
    }
}

/// Estimates groups that share labelled scores, and again with a shared shift if the groups show one.
/// If some groups contradict the labelled scores, the other groups get a warning.
///
/// # Errors
/// Returns the errors of `estimate`.
pub fn estimate_jointly(
    estimate: impl Fn(Option<SharedVariance>) -> Result<Vec<Estimates>, Error>,
) -> Result<Vec<Estimates>, Error> {
    let estimates = estimate(None)?;
    let shift = Estimates::shared_shift(&estimates);
    let mut estimates = if shift.is_some() { estimate(shift)? } else { estimates };
    for method in 0..estimates.first().map_or(0, |estimates| estimates.len()) {
        Warning::warn_of_contradictions(estimates.iter_mut().map(|estimates| &mut estimates[method].warnings));
    }
    Ok(estimates)
}
