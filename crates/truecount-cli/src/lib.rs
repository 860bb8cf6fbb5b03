//! The `truecount` command, for the program, for the Python package and for pages: reads tables, writes tables; the mathematics is in the
//! library. A program has a command line, whose list of commands is in `program`; a page has requests, which are in [`page`].
//!
//! # Features
//!
//! `program` (default): the command line, and whatever a program on a machine has and a page has not: every format of tables, threads,
//! signals.

// A page leaves out commands, and with them what only they use of modules that they share, and what can fail with threads alone.
#![cfg_attr(not(feature = "program"), allow(dead_code, unused_imports, clippy::unnecessary_wraps, clippy::unused_self))]

mod advice;
mod audit;
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
mod finish;
#[cfg(feature = "program")]
mod fit;
mod groups;
mod hex;
#[cfg(feature = "program")]
mod hints;
#[cfg(feature = "program")]
mod influence;
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
mod strata;
#[cfg(feature = "program")]
mod tallies;
#[cfg(feature = "program")]
mod tally;

#[cfg(feature = "program")]
pub use program::run;
pub use report::InMemory as InMemoryReport;

/// Parts of the command that truecount-bench and the book's pictures use too. They are no promise.
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod shared {
    pub use crate::evaluate::{FIGURES, evaluation, figures, write as write_estimates};
    pub use crate::failure::{DONE, Failure};
    pub use crate::figure::{boxes, palette};
    pub use crate::hex::hex;
    pub use crate::models::learn;
    pub use crate::options::one_of;
    pub use crate::output::{Files, Form, print, say, warn};
    pub use crate::parallel::{numbered, pool, tried};
    pub use crate::program::exit_status;
    pub use crate::progress::Bars;
    pub use crate::signals::orderly;
}
