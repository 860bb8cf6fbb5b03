//! Files of any format, or standard input → chunks of rows, read on all threads.

#[cfg(test)]
mod failing;
mod files;
mod fingerprint;
mod format;
mod identity;
mod reading;

use crate::Progress;
use std::path::Path;
use truecount::Error;

pub use files::{files, once_each};
pub use fingerprint::Fingerprint;
pub(crate) use format::FormatChunk;
pub use identity::Identity;
pub(crate) use reading::Reading;
pub use truecount_analysis::ScoreValues;
pub use truecount_text::{Decimal, Input, Kind, Records, TextTable, is_file, is_stdio, name, title};

/// Opens a file, or standard input for `-`: unpacked if it begins as gzip or zstd do.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn open(path: &Path, progress: &dyn Progress) -> Result<Input, Error> {
    Input::open(path, progress, &format::PACKINGS)
}

/// Opens a table of delimited text, whose numbers are written so.
///
/// # Errors
/// Returns an error if it cannot be read, or is no text with a header.
pub fn open_table(path: &Path, decimal: Option<Decimal>, progress: &dyn Progress) -> Result<TextTable, Error> {
    TextTable::new(open(path, progress)?, decimal)
}
