//! Tables in and out for every door of truecount: the command, Python, and whatever comes.
//!
//! ```text
//! files of any format ──input──▶ rows ──groups──▶ labelled scores, or what is known of each group ──tally──▶ files of tallies
//! estimates, checks, plans ──results──▶ CSV, JSON, JSON lines, Parquet, Markdown, LaTeX
//! ```
//!
//! It knows no terminal and no option of any program: how far reading has come goes to a [`Progress`], what is wrong is an
//! [`Error`] with a code and fields, and what is worth knowing comes back as values.

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

pub use error::{Error, Location, Position};
pub use fault::Fault;
#[cfg(feature = "tables")]
pub use labelled::LabelledFile;
#[cfg(feature = "tables")]
pub use progress::{Meter, Progress, Silent};
