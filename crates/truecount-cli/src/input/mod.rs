//! Reading scores: one file or standard input → a table with a header → labelled scores, or tallies by group.

mod groups;
mod labelled;
mod source;
mod table;

pub use groups::Groups;
pub use labelled::read_labelled;
pub use source::{is_stdio, name, open};
