//! Tallies of groups that are known by their numbers, added up.

use super::named_groups;
use truecount::check::ShiftTally;
use truecount::{Error, Tallies};

/// The tallies of groups, and what the check counted in all of them together, from the first part on that has it so.
#[derive(Clone, Default)]
pub struct MergedTallies {
    /// Each group's, in the order of their numbers.
    pub contents: Vec<Tallies>,
    /// The check's, where there are too many groups for each to be checked by itself.
    pub shift_total: Option<ShiftTally>,
}

impl MergedTallies {
    /// Adds tallies of groups with these numbers; groups that are new have the numbers that follow.
    ///
    /// # Errors
    /// Those of [`Tallies::merge`].
    pub fn add(&mut self, numbers: &[u32], mut more: Self) -> Result<(), Error> {
        named_groups::add_shift_tally(&mut self.shift_total, more.shift_total.take());
        if self.shift_total.is_some() {
            self.move_shift_to_total();
            more.move_shift_to_total();
            named_groups::add_shift_tally(&mut self.shift_total, more.shift_total);
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
    pub fn move_shift_to_total(&mut self) {
        for tallies in &mut self.contents {
            named_groups::add_shift_tally(&mut self.shift_total, tallies.take_shift());
        }
    }
}
