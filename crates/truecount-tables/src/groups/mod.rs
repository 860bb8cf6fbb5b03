//! Rows grouped by the values of columns, and their contents by group.

mod accumulator;
mod class_scores;
mod interner;
mod keys;
mod merge_keys;
mod numbered_rows;
mod partition;
mod read;
mod replicates;
mod rows;

pub(crate) use interner::{GroupInterner, are_compatible};
pub use keys::Keys;
pub use read::TestFiles;
pub(crate) use read::{GroupedRows, RowCollector};
pub(crate) use rows::read_sizes;
pub use rows::{FileRows, TallyRows};
pub use truecount_text::{NumberedRows, ScoreColumns, ScoreWords, SheetChoice};

/// Groups with keys from a file.
pub type Groups<T> = truecount_analysis::groups::NamedGroups<T, Keys>;
