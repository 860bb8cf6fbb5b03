//! The first rows of a table that is text, to see what its columns are.

use super::format::first_objects;
use super::rows::See;
use super::source::{Input, Kind};
use super::text::Table;
use crate::Progress;
use std::path::Path;
use truecount_analysis::Error;

/// What people see of a text that is not UTF-8.
const UNREADABLE: &str = "\u{fffd}";

/// Shows the cells of so many rows, or of all if there are fewer, row by row in the order of the columns, and returns the columns' names.
///
/// # Errors
/// If the file cannot be read, is no text, or has no rows.
pub fn first_rows(path: &Path, most: usize, progress: &dyn Progress, see: &mut See) -> Result<Vec<String>, Error> {
    let input = Input::open(path, progress)?;
    if input.kind() == Kind::JsonLines {
        return first_objects(input, most, see);
    }
    let mut table = Table::new(input, None)?;
    let names = table.header().to_vec();
    table.see_decimal(&(0..names.len()).collect::<Vec<_>>());
    let mut rows = 0;
    while rows < most && table.advance()? {
        for column in 0..names.len() {
            // A column that cannot be read may be one that nobody wants.
            see(column, table.text(column).unwrap_or(UNREADABLE), table.number(column).ok());
        }
        rows += 1;
    }
    if rows == 0 { Err(table.without_rows()) } else { Ok(names) }
}
