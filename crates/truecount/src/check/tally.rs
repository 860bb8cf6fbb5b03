//! What the shift check keeps of test scores.

use crate::tally::PlainTally;
use crate::{Error, Problem};

/// How many test scores lie between any two edges of the check. Of constant size, and mergeable in any order.
///
/// It can be used only with a check of the same labelled scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftTally {
    /// The check it belongs to.
    owner: u64,
    counts: Vec<u64>,
}

impl ShiftTally {
    pub(crate) fn new(owner: u64, counts: Vec<u64>) -> Self {
        Self { owner, counts }
    }

    /// The number of scores; if weighted, of those with a weight above 0.
    pub fn n(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds another tally of the same check.
    ///
    /// # Errors
    /// [`Problem::OtherTally`]; this one is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        self.counts.iter_mut().zip(other.of(self.owner)?).for_each(|(count, more)| *count += more);
        Ok(())
    }

    /// The whole tally as plain numbers.
    pub fn plain(&self) -> PlainTally {
        PlainTally { n: self.n(), counts: self.counts.clone(), sums: Vec::new() }
    }

    /// The counts, if it belongs to this owner.
    pub(super) fn of(&self, owner: u64) -> Result<&[u64], Error> {
        if self.owner == owner { Ok(&self.counts) } else { Err(Problem::OtherTally.into()) }
    }

    /// The counts, for changing, if it belongs to this owner.
    pub(super) fn of_mut(&mut self, owner: u64) -> Result<&mut [u64], Error> {
        if self.owner == owner { Ok(&mut self.counts) } else { Err(Problem::OtherTally.into()) }
    }
}
