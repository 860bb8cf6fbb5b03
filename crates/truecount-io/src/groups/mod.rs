//! Groups of rows by the values of columns, and what is known of each.

mod ints;
mod keys;
mod numbering;
#[cfg(feature = "tables")]
mod read;
#[cfg(feature = "tables")]
mod spread;
mod values;

pub use keys::{Keys, Texts};
pub(crate) use numbering::Numbering;
#[cfg(feature = "tables")]
pub(crate) use read::{Found, Kept};
#[cfg(feature = "tables")]
pub use read::{ScoreColumns, TestFiles};
pub use values::{Value, Values};

use truecount::check::ShiftTally;
use truecount::{Error, Estimates, Model, Reporting, Tallies};

/// Groups above which the shift check looks at all of them together: it allows for their number, and among so many no
/// single group could show anything.
pub const CHECKED_EACH: usize = 20_000;

/// Groups in order of first appearance; a single one where no columns make groups.
pub struct Groups<T> {
    /// The values that make them.
    pub keys: Keys,
    /// What is known of each.
    pub contents: Vec<T>,
    /// What the shift check counted in all groups together, where they are too many for each to be checked by itself.
    pub together: Option<ShiftTally>,
}

impl<T> Groups<T> {
    /// The same groups with something else known of each.
    pub fn with<U>(self, contents: Vec<U>) -> Groups<U> {
        Groups { keys: self.keys, contents, together: self.together }
    }

    /// Model and reporting for one of these groups after the other: the check allows for their number, and is left out where it
    /// looks at all of them together.
    pub fn for_each(&self, model: &Model, reporting: &Reporting) -> (Model, Reporting) {
        let model = model.clone();
        let model = if self.together.is_some() { model.without_check() } else { model };
        (model, reporting.among(self.contents.len()))
    }

    /// Does the same to every group.
    ///
    /// # Errors
    /// The first one met.
    pub fn map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<Groups<U>, E> {
        let Self { keys, contents, together } = self;
        Ok(Groups { keys, contents: contents.into_iter().map(each).collect::<Result<_, E>>()?, together })
    }
}

impl Groups<Tallies> {
    /// Every group's estimates by the model that made the tallies; the check allows for the number of groups.
    ///
    /// # Errors
    /// Those of [`Model::finish`].
    pub fn finish(self, model: &Model, reporting: &Reporting) -> Result<Groups<Estimates>, Error> {
        let reporting = reporting.among(self.contents.len());
        self.map(|tallies| model.finish(&tallies, &reporting))
    }
}

/// Adds a tally of the check to that of all groups, where there is one.
pub(crate) fn add(together: &mut Option<ShiftTally>, tally: Option<ShiftTally>) {
    match (together, tally) {
        (Some(together), Some(tally)) => together.merge(&tally).expect("tallies of one check"),
        (together @ None, tally) => *together = tally,
        (Some(_), None) => {}
    }
}
