//! Tallies of test scores: their one file format, and how several become one.

mod about;
#[cfg(feature = "tables")]
mod bins;
mod file;
mod merge;
mod merged;

#[cfg(feature = "tables")]
pub use bins::{Binned, read as read_bins};
pub use file::{COLUMN, TallyFile, bytes};
pub use merge::Merging;
pub use merged::MergedTallies;
