//! Rows grouped by the values of columns, and what is known about each group.

#[cfg(feature = "tables")]
mod counted;
mod dates;
#[cfg(feature = "tables")]
mod gather;
mod grouped;
#[cfg(feature = "tallies")]
mod ints;
#[cfg(feature = "tallies")]
mod keys;
#[cfg(feature = "tallies")]
mod merged;
#[cfg(feature = "tallies")]
mod numbering;
#[cfg(feature = "tallies")]
mod order;
#[cfg(feature = "tables")]
mod placed;
#[cfg(feature = "tables")]
mod read;
#[cfg(feature = "tables")]
mod sizes;
#[cfg(feature = "tables")]
mod spread;
#[cfg(not(feature = "tallies"))]
mod unnamed;
#[cfg(feature = "tallies")]
mod values;

pub use dates::DateForm;
#[cfg(feature = "tallies")]
pub use dates::Dates;
pub(crate) use dates::{date, span};
pub(crate) use grouped::add;
pub use grouped::{CHECKED_EACH, Groups};
#[cfg(feature = "tallies")]
pub use keys::{Keys, Texts};
#[cfg(feature = "tallies")]
pub(crate) use numbering::{Numbering, go_together};
#[cfg(feature = "tallies")]
pub use order::Ranks;
#[cfg(feature = "tables")]
pub use placed::Placed;
#[cfg(feature = "tables")]
pub(crate) use read::{Collect, Found, Kept};
#[cfg(feature = "tables")]
pub use read::{Examined, ScoreColumns, TestFiles};
#[cfg(feature = "tables")]
pub use sizes::{SIZE, sizes_in_columns, sizes_in_table};
#[cfg(not(feature = "tallies"))]
pub use unnamed::{Keys, Texts, Texts as Values};
#[cfg(feature = "tallies")]
pub use values::{Value, Values};
