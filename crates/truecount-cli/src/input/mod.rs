//! Reading scores: files of any format or standard input → chunks of rows on all threads → groups → labelled scores, or
//! tallies by group.

mod files;
mod format;
mod groups;
mod ints;
mod keys;
mod labelled;
mod numbering;
mod reading;
mod rows;
mod source;
mod spread;
mod text;

/// The names of the columns with scores and probabilities.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub score: &'a str,
    pub probability: Option<&'a str>,
}

pub use files::files;
pub use groups::{CHECKED_EACH, Groups, Shifts, TestFiles};
pub use keys::Keys;
pub use labelled::read_labelled;
pub use rows::Numbers;
pub use source::{is_stdio, name, one_from_stdio, open};
pub use text::Table;
