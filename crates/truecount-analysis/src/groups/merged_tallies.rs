//! Tallies of groups that are known by their numbers, added up.

use super::grouped;
use truecount::check::ShiftTally;
use truecount::{Error, Tallies};

/// The tallies of groups, and what the check counted in all of them together, from the first part on that has it so.
#[derive(Clone, Default)]
pub struct MergedTallies {
    /// Each group's, in the order of their numbers.
    pub contents: Vec<Tallies>,
    /// The check's, where there are too many groups for each to be checked by itself.
    pub together: Option<ShiftTally>,
}

impl MergedTallies {
    /// Adds tallies of groups with these numbers; groups that are new have the numbers that follow.
    ///
    /// # Errors
    /// Those of [`Tallies::merge`].
    pub fn add(&mut self, numbers: &[u32], mut more: Self) -> Result<(), Error> {
        grouped::add(&mut self.together, more.together.take());
        if self.together.is_some() {
            self.check_together();
            more.check_together();
            grouped::add(&mut self.together, more.together);
        }
        for (number, tallies) in numbers.iter().zip(more.contents) {
            match self.contents.get_mut(*number as usize) {
                Some(known) => known.merge(&tallies)?,
                None => self.contents.push(tallies),
            }
        }
        Ok(())
    }

    /// Moves what the check counted in each group into that of all groups together.
    pub fn check_together(&mut self) {
        for tallies in &mut self.contents {
            grouped::add(&mut self.together, tallies.take_shift());
        }
    }
}
