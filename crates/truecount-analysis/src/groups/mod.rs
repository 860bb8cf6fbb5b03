//! Groups of rows: their names, their order, their dates, and what is known about each.

mod dates;
mod grouped;
mod merged_tallies;
mod names;
mod order;

pub use dates::{DateForm, Dates, date, span};
pub use grouped::{CHECKED_EACH, Groups, add};
pub use merged_tallies::MergedTallies;
pub use names::{GroupNames, NameReader, NameValue, TextNames, Texts, Values};
pub use order::Ranks;
