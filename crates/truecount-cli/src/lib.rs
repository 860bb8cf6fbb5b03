//! The `truecount` command, for the program, for the Python package and for pages: reads tables, writes tables; the mathematics is in the
//! library. A program has a command line, whose list of commands is in `program`; a page has requests, which are in [`page`].
//!
//! # Features
//!
//! `program` (default): the command line, and whatever a program on a machine has and a page has not: every format of tables, threads,
//! signals, studies. `lequa` (default): the LeQua competition's task.

// A page leaves out commands, and with them what only they use of modules that they share, and what can fail with threads alone.
#![cfg_attr(not(feature = "program"), allow(dead_code, unused_imports, clippy::unnecessary_wraps, clippy::unused_self))]

mod audit;
mod bootstrap;
mod check;
#[cfg(feature = "program")]
mod compare;
#[cfg(feature = "program")]
mod completions;
mod counts;
#[cfg(feature = "program")]
mod estimate;
#[cfg(feature = "program")]
mod evaluate;
#[cfg(feature = "program")]
mod experiment;
mod failure;
mod figure;
#[cfg(feature = "program")]
mod finished;
#[cfg(feature = "program")]
mod fit;
mod hex;
#[cfg(feature = "program")]
mod hints;
#[cfg(feature = "program")]
mod influence;
#[cfg(feature = "lequa")]
mod lequa;
#[cfg(feature = "program")]
mod man;
mod models;
#[cfg(feature = "program")]
mod monitor;
mod options;
mod output;
pub mod page;
mod parallel;
#[cfg(feature = "program")]
mod plan;
#[cfg(feature = "program")]
mod program;
mod progress;
#[cfg(feature = "program")]
mod reference;
mod report;
#[cfg(feature = "program")]
mod signals;
#[cfg(feature = "program")]
mod sql;
#[cfg(feature = "program")]
mod study;
#[cfg(feature = "program")]
mod tally;
mod whole;

#[cfg(feature = "program")]
pub use program::run;
pub use report::InMemory as InMemoryReport;
