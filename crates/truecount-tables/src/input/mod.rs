//! Reads files of any format, or standard input, as chunks of rows on all threads.

#[cfg(test)]
mod fault_tests;
mod files;
mod fingerprint;
mod format;
mod identity;
mod reader;

use crate::Progress;
use std::path::Path;
use std::sync::Arc;
use truecount::Error;
use truecount_analysis::TableProblem;

pub use files::{check_used_once, expand_patterns};
pub use fingerprint::Fingerprint;
pub(crate) use format::FormatChunk;
pub use identity::Identity;
pub(crate) use reader::FilesReader;
pub use truecount_analysis::ScoreValues;
use truecount_text::{ColumnSelection, NoProgress, SheetChoice};
pub use truecount_text::{
    Decimal, FileFormat, Input, MissingPolicy, Records, TextTable, is_file, is_stdio, name, title,
};

/// Opens a file, or standard input for `-`, and decompresses gzip and zstd.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub fn open(path: &Path, progress: &dyn Progress) -> Result<Input, Error> {
    Input::open(path, progress, &format::COMPRESSIONS)
}

/// Opens a table of delimited text with this decimal separator.
///
/// # Errors
/// Returns an error if the input cannot be read, or is not text with a header.
pub fn open_table(path: &Path, decimal: Option<Decimal>, progress: &dyn Progress) -> Result<TextTable, Error> {
    TextTable::new(open(path, progress)?, decimal)
}

/// Returns the names of the columns of a table in any format.
///
/// # Errors
/// Returns an error if the table cannot be read.
pub fn column_names(path: &Path, sheet: SheetChoice) -> Result<Vec<String>, Error> {
    // Every reader checks first that the selected columns exist, and names those that do.
    let mut selection = ColumnSelection::unknown();
    selection.columns.sheet = sheet;
    let opened =
        open(path, &NoProgress).and_then(|input| format::open(input, &selection, &(Arc::new(NoProgress) as _)));
    let Err(error) = opened else { return Ok(Vec::new()) };
    match error.problem() {
        Some(TableProblem::ColumnUnknown { columns, .. } | TableProblem::HeaderMissing { columns, .. }) => {
            Ok(columns.clone())
        }
        _ => Err(error),
    }
}
