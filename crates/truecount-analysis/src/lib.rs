//! Every analysis of truecount, once: columns in memory or tallied groups in, rows of results out.
//!
//! The crate opens no files, knows no Arrow and starts no threads: an [`Executor`](executor::Executor) says who does the work.

pub mod checked;
pub mod compare;
mod denominator;
mod error;
pub mod estimates;
pub mod evaluated;
pub mod executor;
mod fault;
pub mod groups;
pub mod held;
pub mod monitored;
mod names;
pub mod options;
pub mod planned;
pub mod results;
pub mod sets;
pub mod strata;
pub mod told;
pub mod totals;

pub use denominator::with_denominator;
pub use error::{Error, Location, Position};
pub use fault::Fault;
pub use names::{AUDIT_WEIGHT, SCORE};
pub use sets::Numbers;
