//! Tallies of groups that are identified by numbers, merged from several parts.

use super::named_groups;
use truecount::check::ShiftTally;
use truecount::{Error, Tallies};

/// The merged tallies of groups. As soon as one part has a shift tally of all groups together, the
/// merged tallies have one, too.
#[derive(Clone, Default)]
pub struct MergedTallies {
    /// The tally of each group, by number.
    pub contents: Vec<Tallies>,
    /// The shift check's tally of all groups together, if there are too many groups to check each
    /// one.
    pub shift_total: Option<ShiftTally>,
}

impl MergedTallies {
    /// Merges tallies of groups with these numbers; new groups have the following numbers.
    ///
    /// # Errors
    /// Returns an error if the tallies belong to another model.
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

    /// Moves the shift tally of each group into the tally of all groups together.
    pub fn move_shift_to_total(&mut self) {
        for tallies in &mut self.contents {
            named_groups::add_shift_tally(&mut self.shift_total, tallies.take_shift());
        }
    }
}
