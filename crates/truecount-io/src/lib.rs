//! What any door needs of tables: files of every format read on all threads, their rows in groups, labelled scores and
//! tallies made of them, files of tallies that every door reads, files that are written whole or not at all, and results
//! in every form.
//!
//! Nothing here knows a terminal, a command line or another language: how far reading has come is told to a [`Progress`],
//! what is wrong is an [`Error`] with a code and values, and what is only worth knowing is returned.
//!
//! # Layout
//!
//! `input`: files → chunks of rows; adding a format is one file in `input/format`. `groups`: rows → groups with their
//! tallies or their scores. `labelled`: groups → labelled scores. [`tally`]: groups ⇄ files. [`results`]: tables of
//! results, described once and written in every form. Code flows in this order.

mod error;
mod fault;
pub mod groups;
#[cfg(feature = "tables")]
pub mod input;
#[cfg(feature = "tables")]
mod labelled;
#[cfg(feature = "tables")]
pub mod model_file;
mod places;
#[cfg(feature = "tables")]
mod progress;
pub mod results;
pub mod tally;
pub mod whole_file;
mod wider;

pub use error::{Error, Location, Position};
pub use fault::Fault;
#[cfg(feature = "tables")]
pub use labelled::LabelledFile;
#[cfg(feature = "tables")]
pub use progress::{Meter, Progress, Silent};
