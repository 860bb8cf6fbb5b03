//! Groups with what is known about each.

use super::Keys;
#[cfg(feature = "text")]
use crate::parallel::prelude::*;
use truecount::check::ShiftTally;
#[cfg(feature = "text")]
use truecount::{Error, Estimates, Tallies};
use truecount::{Model, Reporting};

/// With more groups than this, the shift check looks only at all of them together: it corrects for the number of
/// groups, and with so many no single group could be significant.
pub const CHECKED_EACH: usize = 20_000;

/// Groups in order of first appearance; a single one if there are no grouping columns.
pub struct Groups<T> {
    /// The values that define the groups.
    pub keys: Keys,
    /// What is known about each group.
    pub contents: Vec<T>,
    /// What the shift check counted over all groups together, if there are too many to check each one.
    pub together: Option<ShiftTally>,
}

impl<T> Groups<T> {
    /// The same groups with other contents.
    pub fn with<U>(self, contents: Vec<U>) -> Groups<U> {
        Groups { keys: self.keys, contents, together: self.together }
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
    pub fn map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<Groups<U>, E> {
        let Self { keys, contents, together } = self;
        Ok(Groups { keys, contents: contents.into_iter().map(each).collect::<Result<_, E>>()?, together })
    }
}

#[cfg(feature = "text")]
impl Groups<Tallies> {
    /// Every group's estimates, by the model that made the tallies; the check corrects for the number of groups. On all
    /// threads.
    ///
    /// # Errors
    /// Those of [`Model::finish`].
    pub fn finish(self, model: &Model, reporting: &Reporting) -> Result<Groups<Estimates>, Error> {
        let reporting = reporting.among(self.contents.len());
        let Self { keys, contents, together } = self;
        let finish = |tallies: Tallies| model.finish(&tallies, &reporting);
        Ok(Groups { keys, contents: contents.into_par_iter().map(finish).collect::<Result<_, _>>()?, together })
    }
}

/// Adds a group's tally of the check to that of all groups, if it has one.
pub fn add(together: &mut Option<ShiftTally>, tally: Option<ShiftTally>) {
    match (together, tally) {
        (Some(together), Some(tally)) => together.merge(&tally).expect("tallies of one check"),
        (together @ None, tally) => *together = tally,
        (Some(_), None) => {}
    }
}
