//! Every analysis of truecount, once: columns in memory or tallied groups in, rows of results out.
//!
//! The crate opens no files, knows no Arrow and starts no threads: an [`Executor`](executor::Executor) says who does the work.

pub mod checked;
pub mod compared;
mod denominator;
pub mod evaluated;
pub mod executor;
pub mod groups;
pub mod held;
pub mod monitored;
mod names;
mod numbers;
pub mod planned;
mod problem;
pub mod results;
mod table_problem;
pub mod told;

pub use denominator::with_denominator;
pub use names::{AUDIT_WEIGHT, SCORE};
pub use numbers::Numbers;
pub use problem::{AnalysisProblem, SentencePart};
pub use table_problem::TableProblem;
