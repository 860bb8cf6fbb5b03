//! Groups with what is known about each.

use crate::ScoreValues;
use crate::executor::Executor;
use truecount::check::ShiftTally;
use truecount::{Error, Estimates, Model, Reporting, Tallies};

/// With more groups than this, the shift check looks only at all of them together: it corrects for the number of
/// groups, and with so many no single group could be significant.
pub const MAX_CHECKED_GROUPS: usize = 20_000;

/// Groups in order of first appearance; a single one if there are no grouping columns.
pub struct NamedGroups<T, N> {
    /// The values that define the groups.
    pub keys: N,
    /// What is known about each group.
    pub contents: Vec<T>,
    /// What the shift check counted over all groups together, if there are too many to check each one.
    pub together: Option<ShiftTally>,
}

impl<T, N> NamedGroups<T, N> {
    /// The same groups with other contents.
    pub fn with_contents<U>(self, contents: Vec<U>) -> NamedGroups<U, N> {
        NamedGroups { keys: self.keys, contents, together: self.together }
    }

    /// The model and the reporting for finishing one group at a time: the check corrects for the number of groups, and
    /// is left out if it looks at all groups together.
    pub fn for_each(&self, model: &Model, reporting: &Reporting) -> (Model, Reporting) {
        let model = model.clone();
        let model = if self.together.is_some() { model.without_check() } else { model };
        (model, reporting.among(self.contents.len()))
    }

    /// Applies a function to every group's contents.
    ///
    /// # Errors
    /// The first error of the function.
    pub fn map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<NamedGroups<U, N>, E> {
        let Self { keys, contents, together } = self;
        Ok(NamedGroups { keys, contents: contents.into_iter().map(each).collect::<Result<_, E>>()?, together })
    }
}

impl<N> NamedGroups<Tallies, N> {
    /// Every group's estimates, by the model that made the tallies; the check corrects for the number of groups.
    ///
    /// # Errors
    /// Those of [`Model::finish`].
    pub fn finish(
        self,
        executor: &impl Executor,
        model: &Model,
        reporting: &Reporting,
    ) -> Result<NamedGroups<Estimates, N>, Error> {
        let reporting = reporting.among(self.contents.len());
        let Self { keys, contents, together } = self;
        let estimates = executor.map(&contents, |tallies| model.finish(tallies, &reporting));
        Ok(NamedGroups { keys, contents: estimates.into_iter().collect::<Result<_, _>>()?, together })
    }
}

impl<N> NamedGroups<ScoreValues<Vec<f64>>, N> {
    /// Adds what the check counts over all groups together, if there are too many to look at each.
    ///
    /// # Errors
    /// Returns an error if the check cannot use the scores of a group.
    pub fn with_shift_total(mut self, executor: &impl Executor, model: &Model) -> Result<Self, Error> {
        if self.contents.len() > MAX_CHECKED_GROUPS
            && let Some(check) = model.check()
        {
            let tally = |rows: &ScoreValues<Vec<f64>>| {
                let mut tally = check.tally();
                check.push(&mut tally, rows.batch()?).map(|()| tally)
            };
            for tally in executor.map(&self.contents, tally) {
                add_shift_tally(&mut self.together, Some(tally?));
            }
        }
        Ok(self)
    }

    /// All rows as a single group of this name, in the order of the groups.
    pub fn merge_into_one<M>(&self, keys: M) -> NamedGroups<ScoreValues<Vec<f64>>, M> {
        NamedGroups { keys, contents: vec![ScoreValues::concatenate(self.contents.iter())], together: None }
    }
}

/// Adds a group's tally of the check to that of all groups, if it has one.
pub fn add_shift_tally(together: &mut Option<ShiftTally>, tally: Option<ShiftTally>) {
    match (together, tally) {
        (Some(together), Some(tally)) => together.merge(&tally).expect("tallies of one check"),
        (together @ None, tally) => *together = tally,
        (Some(_), None) => {}
    }
}
