//! Groups of rows: their names, order, dates and contents.

mod bands;
mod dates;
mod merged_tallies;
mod named_groups;
mod names;
mod order;
mod partition;
mod periods;

pub use bands::{ColumnBands, ColumnGrouper};
pub use dates::{DateForm, DateFormat, Dates, span};
pub use merged_tallies::MergedTallies;
pub use named_groups::{MAX_CHECKED_GROUPS, NamedGroups, add_shift_tally, estimate_jointly, shift_warning};
pub use names::{GroupKeys, GroupNames, NameReader, NameTexts, NameValue, NameValues, PartialNames, TextNames};
pub use order::GroupRanks;
pub use partition::Partition;
pub(crate) use partition::group_starts;
pub use periods::{ColumnPeriods, PeriodGrouper, TimeZone, time_zone};
