//! Table input and output: files of every format, groups of their rows, labelled and audited
//! scores, tally files, and results as Parquet or Excel.
//!
//! The crate uses no terminal and no command line. Progress is reported to a [`Progress`]; errors
//! are values with a code and a location.
//!
//! - `input` reads files as chunks of rows, on all threads. truecount-text reads text and workbooks;
//!   `input/format` has a module for each other format.
//! - `groups` collects the tallies or scores of each group of rows.
//! - `labelled`, `audit` and `confusion` read labelled scores and audited rows; `label_file` joins labels to scores.
//! - [`tally`] writes and reads tally files; `counts` reads tables of counts.
//! - [`experiment`] runs experiments; [`parquet`] and [`excel`] write results.
//! - [`whole_file`] writes files atomically; `file_roles` checks them before long work.

mod audit;
mod cast;
mod confusion;
pub mod counts;
pub mod excel;
pub mod experiment;
mod file_roles;
pub mod groups;
pub mod input;
mod key_types;
mod label_file;
mod labelled;
pub mod model_file;
pub mod parallel;
pub mod parquet;
pub mod tally;
pub mod threads;
pub mod whole_file;

pub use audit::{AuditFile, AuditedSample};
pub use confusion::ConfusionFile;
pub use file_roles::FileRoles;
pub use label_file::LabelFile;
pub use labelled::LabelledFile;
pub use truecount_text::{LabelClasses, LabelValue, LabelledTable, Meter, NoProgress, Progress};
