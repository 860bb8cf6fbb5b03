//! Reading scores: one file or standard input → a table with a header → labelled scores, or tallies by group.

mod groups;
mod keys;
mod labelled;
mod source;
mod table;

/// The names of the columns with scores and probabilities.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub score: &'a str,
    pub probability: Option<&'a str>,
}

pub use groups::{Groups, Rows, Shifts, TestFile};
pub use keys::{Keys, Texts};
pub use labelled::read_labelled;
pub use source::{is_stdio, name, one_from_stdio, open};
pub use table::Table;
