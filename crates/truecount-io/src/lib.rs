//! Tables in and out, for the command and the Python package alike: reads files of every format on all threads, groups
//! their rows, makes labelled scores and tallies of them, reads and writes files of tallies, writes files whole or not
//! at all, and writes results in every form.
//!
//! Nothing here knows of a terminal, a command line or another language: progress goes to a [`Progress`], errors are an
//! [`Error`] with a code and values, and what is merely worth knowing is returned.
//!
//! # Layout
//!
//! `input`: files → chunks of rows; a new format is one file in `input/format`. `groups`: rows → groups with their
//! tallies or their scores. `labelled`: groups → labelled scores. `audited`: groups → audited rows. [`tally`]: groups ⇄
//! files. [`results`]: tables of results, described once and written in every form. `checked`: what the check says, in words.
//! `evaluated`: samples of known prevalence, and errors. `experimented`: those of many
//! data sets, protocols and methods. `compared`: groups beside each other. `monitored`: groups that are dates, one after
//! the other. `planned`: a pilot → sizes. `denominator`, `counts`: tables of counts → prevalences. `told`: what was fitted, in words.
//! [`held`]: all of this for doors whose columns are in memory. Code flows in this order.
//!
//! # Features
//!
//! `tables` (default): reads tables of scores in every format, on all threads. `text`: those that are text. `threads`: on all of them.
//! `tallies`: tally files, groups with values of any type, and results as Parquet. `arrow`, which all these need: groups with values that are
//! texts, results as CSV, and files written whole. Without any there are the results in their other forms, and what doors need whose columns
//! are in memory.

// What only the other formats use of modules that they share with text.
#![cfg_attr(not(feature = "tables"), allow(dead_code))]

#[cfg(feature = "text")]
mod audited;
pub mod checked;
#[cfg(feature = "text")]
pub mod compared;
#[cfg(feature = "text")]
pub mod counts;
mod denominator;
mod error;
pub mod evaluated;
#[cfg(feature = "tallies")]
pub mod experimented;
mod fault;
pub mod groups;
#[cfg(feature = "arrow")]
mod guard;
pub mod held;
#[cfg(feature = "text")]
pub mod input;
#[cfg(feature = "arrow")]
mod kernels;
#[cfg(feature = "tallies")]
mod key_types;
#[cfg(feature = "text")]
mod labelled;
#[cfg(feature = "text")]
pub mod model_file;
pub mod monitored;
mod names;
mod numbers;
#[cfg(feature = "arrow")]
pub mod parallel;
#[cfg(feature = "arrow")]
mod places;
pub mod planned;
#[cfg(feature = "text")]
mod progress;
pub mod results;
pub mod tally;
pub mod threads;
pub mod told;
#[cfg(feature = "arrow")]
pub mod whole_file;
#[cfg(feature = "arrow")]
mod wider;

#[cfg(feature = "text")]
pub use audited::{AuditFile, AuditTable};
pub use denominator::with_denominator;
pub use error::{Error, Location, Position};
pub use fault::Fault;
#[cfg(feature = "text")]
pub use labelled::{LabelledFile, LabelledTable};
pub use names::{AUDIT_WEIGHT, SCORE};
pub use numbers::Numbers;
#[cfg(feature = "text")]
pub use progress::{Meter, Progress, Silent};
