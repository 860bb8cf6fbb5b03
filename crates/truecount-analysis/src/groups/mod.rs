//! Groups of rows: their names, their order, their dates, and what is known about each.

mod dates;
mod named_groups;
mod merged_tallies;
mod names;
mod order;
mod partition;

pub use dates::{DateForm, Dates, date, span};
pub use named_groups::{MAX_CHECKED_GROUPS, NamedGroups, add_shift_tally};
pub use merged_tallies::MergedTallies;
pub use names::{GroupNames, NameReader, NameValue, TextNames, NameTexts, NameValues};
pub use order::GroupRanks;
pub use partition::Partition;
pub(crate) use partition::group_starts;
