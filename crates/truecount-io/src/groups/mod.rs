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

use truecount::Tally;

/// Groups above which the shift check looks at all of them together: it allows for their number, and among so many no
/// single group could show anything.
pub const CHECKED_EACH: usize = 20_000;

/// Groups in order of first appearance; a single one where no columns make groups.
pub struct Groups<T> {
    /// The values that make them.
    pub keys: Keys,
    /// What is known of each.
    pub contents: Vec<T>,
    /// What the shift check counted.
    pub shift: Shifts,
}

/// Tallies of the shift check.
pub enum Shifts {
    /// There is no check.
    None,
    /// Each group's.
    Each(Vec<Tally>),
    /// That of all groups together, where they are too many for each to have its own.
    Together(Tally),
}

impl<T> Groups<T> {
    /// The same groups with something else known of each.
    pub fn with<U>(self, contents: Vec<U>) -> Groups<U> {
        Groups { keys: self.keys, contents, shift: self.shift }
    }

    /// Does the same to every group.
    ///
    /// # Errors
    /// The first one met.
    pub fn map<U, E>(self, each: impl FnMut(T) -> Result<U, E>) -> Result<Groups<U>, E> {
        let Self { keys, contents, shift } = self;
        Ok(Groups { keys, contents: contents.into_iter().map(each).collect::<Result<_, E>>()?, shift })
    }
}
