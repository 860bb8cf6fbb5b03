//! Tallies of numbered groups, merged from several parts.

use super::named_groups;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Tally};

/// The merged tallies of groups. If one part has a shift tally of all groups together, the merged
/// tallies have one, too.
#[derive(Clone, Default)]
pub struct MergedTallies {
    /// The tally of each group, by number.
    pub contents: Vec<Tally>,
    /// The shift check's tally of all groups together, if there are too many groups to check each one.
    pub shift_total: Option<ShiftTally>,
}

impl MergedTallies {
    /// Merges the tallies of groups with these numbers. A number beyond the existing groups appends a group.
    ///
    /// # Errors
    /// Returns an error if the tallies belong to another model.
    pub fn add(&mut self, numbers: &[u32], mut part: Self) -> Result<(), Error> {
        named_groups::add_shift_tally(&mut self.shift_total, part.shift_total.take());
        if self.shift_total.is_some() {
            self.move_shift_to_total();
            part.move_shift_to_total();
            named_groups::add_shift_tally(&mut self.shift_total, part.shift_total);
        }
        for (number, tallies) in numbers.iter().zip(part.contents) {
            match self.contents.get_mut(*number as usize) {
                Some(existing) => existing.merge(&tallies)?,
                None => self.contents.push(tallies),
            }
        }
        Ok(())
    }

    /// Keeps a shift tally for each group, or one for all together if there are more than
    /// [`MAX_CHECKED_GROUPS`](super::MAX_CHECKED_GROUPS).
    pub fn limit_checks(&mut self) {
        if self.contents.len() > super::MAX_CHECKED_GROUPS {
            self.move_shift_to_total();
        }
    }

    /// Moves the shift tally of each group into the tally of all groups together.
    pub fn move_shift_to_total(&mut self) {
        for tallies in &mut self.contents {
            named_groups::add_shift_tally(&mut self.shift_total, tallies.take_shift());
        }
    }
}
