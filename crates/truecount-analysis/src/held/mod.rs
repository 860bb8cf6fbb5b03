//! What may go wrong in an analysis, and tables as values of any language.

mod plain;
mod refused;

pub use plain::{Plain, Values, columns, groups, plain};
pub(crate) use refused::at_row;
pub use refused::{Failure, Place, Refused, Tested, Untold, cell};
