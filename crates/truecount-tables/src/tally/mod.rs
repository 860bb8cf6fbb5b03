//! Tallies of test scores: their one file format, and how several become one.

#[cfg(feature = "tallies")]
mod about;
#[cfg(feature = "tables")]
mod bins;
#[cfg(feature = "tallies")]
mod file;
#[cfg(feature = "tallies")]
mod merge;

#[cfg(feature = "tables")]
pub use bins::{Binned, read as read_bins};
#[cfg(feature = "tallies")]
pub use file::{COLUMN, TallyFile, bytes};
#[cfg(feature = "tallies")]
pub use merge::Merging;
