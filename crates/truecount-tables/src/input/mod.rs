//! Files of any format, or standard input → chunks of rows, read on all threads.

#[cfg(test)]
mod failing;
mod files;
mod fingerprint;
mod first;
mod format;
mod identity;
mod reading;
mod rows;
mod source;
mod text;
mod valid;

pub use files::title;
pub use files::{files, once_each};
pub use fingerprint::Fingerprint;
pub use first::first_rows;
pub use identity::Identity;
pub(crate) use reading::Reading;
pub(crate) use rows::{Chunk, Wanted};
pub use source::{Input, Kind, is_file, is_stdio, name};
pub use text::{Decimal, Records, Table};
pub use truecount_analysis::Numbers;
