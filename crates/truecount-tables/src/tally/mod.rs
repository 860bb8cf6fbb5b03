//! Tallies of test scores: the tally file, tables of bins, and merging.

mod bins;
mod file;
mod merge;
mod metadata;

pub use bins::{BinnedTallies, read as read_bins};
pub use file::{COLUMN, TallyFile, bytes};
pub use merge::TallyMerger;
