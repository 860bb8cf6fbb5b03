//! Tallies of test scores: their one file format, and how several become one.

mod about;
mod bins;
mod file;
mod merge;

pub use bins::{Binned, read as read_bins};
pub use file::{COLUMN, TallyFile, bytes};
pub use merge::Merging;
