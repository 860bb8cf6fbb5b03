//! Tables as values of any language.

mod plain;

pub use plain::{Plain, Values, columns, groups, plain};
