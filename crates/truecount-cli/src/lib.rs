//! The `truecount` command: reads tables, writes tables; the mathematics is in the library. The list of commands is in `program`.
//!
//! # Features
//!
//! `lequa` (default): the LeQua competition's task.

mod audit;
mod bootstrap;
mod check;
mod compare;
mod completions;
mod counts;
mod estimate;
mod evaluate;
mod experiment;
mod failure;
mod finished;
mod fit;
mod hints;
mod influence;
#[cfg(feature = "lequa")]
mod lequa;
mod man;
mod models;
mod monitor;
mod options;
mod output;
mod parallel;
mod plan;
mod program;
mod progress;
mod reference;
mod report;
mod signals;
mod sql;
mod study;
mod tally;
mod whole;

pub use program::run;
