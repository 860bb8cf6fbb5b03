//! Rows grouped by the values of columns, and what is known about each group.

mod counted;
mod gather;
mod ints;
mod keys;
mod merged;
mod numbering;
mod placed;
mod read;
mod sizes;
mod spread;

pub use keys::Keys;
pub(crate) use numbering::GroupInterner;
pub(crate) use numbering::go_together;
pub use placed::Placed;
pub use read::TestFiles;
pub(crate) use read::{GroupedRows, RowCollector};
pub use sizes::{Sizes, group_sizes, with_size_columns};
pub use truecount_text::ScoreColumns;

/// Groups with the names that a file gives them.
pub type Groups<T> = truecount_analysis::groups::NamedGroups<T, Keys>;
