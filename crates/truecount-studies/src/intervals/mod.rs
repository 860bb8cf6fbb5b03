//! How intervals did: in a setting, over several, and as a picture.

mod dots;
mod over;
mod statistics;

pub(crate) use dots::{Row, dots};
pub use over::{BAND, Coverages, Over};
pub use statistics::Intervals;
