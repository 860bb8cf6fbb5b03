//! Files of any format, or standard input → chunks of rows, read on all threads.

mod files;
mod format;
mod reading;
mod rows;
mod source;
mod text;

pub use files::files;
pub(crate) use files::title;
pub(crate) use reading::Reading;
pub(crate) use rows::{Chunk, Wanted};
pub use rows::{Numbers, SCORE};
pub use source::{is_stdio, name, one_from_stdio, open};
pub use text::{Records, Table};
