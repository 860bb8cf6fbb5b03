//! Every analysis of truecount, once: columns in memory or tallied groups in, rows of results out.
//!
//! The crate opens no files, knows no Arrow and starts no threads: an [`Executor`](executor::Executor) says who does the work.

pub mod advice;
pub mod output;
pub mod audit;
pub mod compare;
pub mod counts;
pub mod estimates;
pub mod evaluation;
pub mod executor;
pub mod experiment;
pub mod family_test;
pub mod groups;
pub mod monitor;
mod names;
mod numbers;
pub mod options;
pub mod plan;
mod problem;
pub mod results;
pub mod sets;
pub mod shift_test;
pub mod strata;
mod table_problem;
pub mod table_values;
pub mod tallied_groups;
pub mod notes;
pub mod totals;

pub use counts::with_denominator;
pub use names::{AUDIT_WEIGHT, SCORE};
pub use numbers::ScoreValues;
pub use problem::{AnalysisProblem, SentencePart};
pub use table_problem::TableProblem;
