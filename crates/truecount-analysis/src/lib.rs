//! Every analysis of truecount, once: columns in memory or tallied groups in, rows of results out.
//!
//! The crate opens no files, knows no Arrow and starts no threads: an [`Executor`](executor::Executor) says who does the work.

pub mod checked;
pub mod compared;
mod denominator;
mod error;
pub mod evaluated;
pub mod executor;
mod fault;
pub mod groups;
pub mod held;
pub mod monitored;
mod names;
mod numbers;
pub mod planned;
pub mod results;
pub mod told;

pub use denominator::with_denominator;
pub use error::{Error, Location, Position};
pub use fault::Fault;
pub use names::{AUDIT_WEIGHT, SCORE};
pub use numbers::Numbers;
