//! Rows grouped by the values of columns, and what is known about each group.

#[cfg(feature = "text")]
mod counted;
#[cfg(feature = "text")]
mod gather;
#[cfg(feature = "arrow")]
mod ints;
#[cfg(feature = "arrow")]
mod keys;
#[cfg(feature = "arrow")]
mod merged;
#[cfg(feature = "arrow")]
mod numbering;
#[cfg(feature = "text")]
mod placed;
#[cfg(feature = "text")]
mod read;
#[cfg(feature = "text")]
mod sizes;
#[cfg(feature = "text")]
mod spread;

#[cfg(feature = "arrow")]
pub use keys::Keys;
#[cfg(feature = "arrow")]
pub(crate) use numbering::Numbering;
#[cfg(feature = "tallies")]
pub(crate) use numbering::go_together;
#[cfg(feature = "text")]
pub use placed::Placed;
#[cfg(feature = "text")]
pub(crate) use read::{Collect, Found, Kept};
#[cfg(feature = "text")]
pub use read::{Examined, ScoreColumns, TestFiles};
#[cfg(feature = "text")]
pub use sizes::{SIZE, sizes_in_columns, sizes_in_table};

/// Groups with the names that a file gives them.
pub type Groups<T> = truecount_analysis::groups::Groups<T, Keys>;
