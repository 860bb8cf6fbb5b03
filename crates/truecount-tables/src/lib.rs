//! Tables in and out: files of every format, groups of their rows, labelled and audited scores, tally files, and results as Parquet.
//!
//! The crate knows no terminal and no command line. Progress goes to a [`Progress`]; errors are values with a code and a place.
//!
//! `input` reads files as chunks of rows, on all threads; a new format is one file in `input/format`. `groups` makes groups with their
//! tallies or scores of the rows. `labelled` and `audited` make labelled scores and audited rows of groups. [`tally`] writes and reads
//! groups as files. `counts` reads tables of counts. [`experimented`] has the tidy table of an experiment. [`parquet`] writes results.
//! [`whole_file`] writes files whole or not at all.
//!
//! # Features
//!
//! `tables` (default): reads tables of scores in every format, on all threads. `text`: those that are text. `threads`: on all of them.
//! `tallies`: tally files, groups with values of any type, and results as Parquet. `arrow`, which all these need: groups with values that are
//! texts, and files written whole.

// What only the other formats use of modules that they share with text.
#![cfg_attr(not(feature = "tables"), allow(dead_code))]

#[cfg(feature = "text")]
mod audited;
#[cfg(feature = "text")]
pub mod counts;
#[cfg(feature = "tallies")]
pub mod experimented;
pub mod groups;
#[cfg(feature = "arrow")]
mod guard;
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
#[cfg(feature = "arrow")]
pub mod parallel;
#[cfg(feature = "tallies")]
pub mod parquet;
#[cfg(feature = "arrow")]
mod places;
#[cfg(feature = "text")]
mod progress;
pub mod tally;
pub mod threads;
#[cfg(feature = "arrow")]
pub mod whole_file;
#[cfg(feature = "arrow")]
mod wider;

#[cfg(feature = "text")]
pub use audited::{AuditFile, AuditTable};
#[cfg(feature = "text")]
pub use labelled::{LabelledFile, LabelledTable};
#[cfg(feature = "text")]
pub use progress::{Meter, Progress, Silent};
