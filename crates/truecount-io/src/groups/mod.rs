//! Rows grouped by the values of columns, and what is known about each group.

#[cfg(feature = "text")]
mod counted;
mod dates;
#[cfg(feature = "text")]
mod gather;
mod grouped;
#[cfg(feature = "arrow")]
mod ints;
#[cfg(feature = "arrow")]
mod keys;
#[cfg(feature = "arrow")]
mod merged;
#[cfg(feature = "arrow")]
mod numbering;
#[cfg(feature = "arrow")]
mod order;
#[cfg(feature = "text")]
mod placed;
#[cfg(feature = "text")]
mod read;
#[cfg(feature = "text")]
mod sizes;
#[cfg(feature = "text")]
mod spread;
#[cfg(not(feature = "arrow"))]
mod unnamed;
#[cfg(feature = "arrow")]
mod values;

pub use dates::DateForm;
#[cfg(feature = "arrow")]
pub use dates::Dates;
pub(crate) use dates::{date, span};
pub(crate) use grouped::add;
pub use grouped::{CHECKED_EACH, Groups};
#[cfg(feature = "arrow")]
pub use keys::{Keys, Texts};
#[cfg(feature = "arrow")]
pub(crate) use numbering::Numbering;
#[cfg(feature = "tallies")]
pub(crate) use numbering::go_together;
#[cfg(feature = "arrow")]
pub use order::Ranks;
#[cfg(feature = "text")]
pub use placed::Placed;
#[cfg(feature = "text")]
pub(crate) use read::{Collect, Found, Kept};
#[cfg(feature = "text")]
pub use read::{Examined, ScoreColumns, TestFiles};
#[cfg(feature = "text")]
pub use sizes::{SIZE, sizes_in_columns, sizes_in_table};
#[cfg(not(feature = "arrow"))]
pub use unnamed::{Keys, Texts, Texts as Values};
#[cfg(feature = "arrow")]
pub use values::{Value, Values};
