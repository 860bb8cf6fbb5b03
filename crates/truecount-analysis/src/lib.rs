//! Analyses of truecount: they take columns in memory or tallied groups, and return rows of results.
//!
//! The crate reads no files, does not depend on Arrow and starts no threads. An
//! [`Executor`](executor::Executor) provides the threads.

pub mod advice;
pub mod audit;
pub mod compare;
pub mod counts;
pub mod design_tallies;
pub mod estimates;
pub mod evaluation;
pub mod executor;
pub mod experiment;
pub mod family_test;
pub mod groups;
pub mod monitor;
mod names;
pub mod notes;
mod numbers;
pub mod options;
pub mod output;
pub mod plan;
mod problem;
pub mod request;
pub mod results;
pub mod rows;
pub mod sets;
pub mod shift_test;
pub mod spelling;
pub mod standard;
pub mod strata;
mod table_problem;
pub mod table_values;
pub mod tallied_groups;
pub mod totals;

pub use names::{AUDIT_WEIGHT, LABEL, POSITIVE, SCORE};
pub use numbers::ScoreValues;
pub use problem::{AnalysisProblem, SentenceText};
pub use table_problem::{TableProblem, abridged_list};
