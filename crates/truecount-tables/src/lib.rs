//! Tables in and out: files of every format, groups of their rows, labelled and audited scores, tally files, and results as Parquet.
//!
//! The crate knows no terminal and no command line. Progress goes to a [`Progress`]; errors are values with a code and a place.
//!
//! `input` reads files as chunks of rows, on all threads: truecount-text those that are text, `input/format` the others, with one module for
//! each format. `groups` makes groups with their tallies or scores of the rows. `labelled` and `audited` make labelled scores and audited
//! rows of groups. [`tally`] writes and reads groups as files. `counts` reads tables of counts. [`experiment`] has the tidy table of an
//! experiment. [`parquet`] writes results. [`whole_file`] writes files whole or not at all.

mod audited;
pub mod counts;
pub mod experiment;
pub mod groups;
mod guard;
pub mod input;
mod key_types;
mod labelled;
pub mod model_file;
pub mod parallel;
pub mod parquet;
pub mod tally;
pub mod threads;
pub mod whole_file;
mod wider;

pub use audited::{AuditFile, AuditTable};
pub use labelled::LabelledFile;
pub use truecount_text::{LabelledTable, Meter, Progress, Silent};
