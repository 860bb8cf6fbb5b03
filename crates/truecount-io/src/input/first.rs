//! The first rows of a table that is text, to see what its columns are.

use super::format::first_objects;
use super::rows::{FirstCell, FirstRows};
use super::source::{Input, Kind};
use super::text::Table;
use crate::{Error, Progress};
use std::path::Path;

/// What people see of a text that is not UTF-8.
const UNREADABLE: &str = "\u{fffd}";

impl FirstRows {
    /// So many rows, or all if there are fewer.
    ///
    /// # Errors
    /// If the file cannot be read, is no text, or has no rows.
    pub fn read(path: &Path, most: usize, progress: &dyn Progress) -> Result<Self, Error> {
        let input = Input::open(path, progress)?;
        if input.kind() == Kind::JsonLines {
            return first_objects(input, most);
        }
        let mut table = Table::new(input, None)?;
        let names = table.header().to_vec();
        let columns: Vec<usize> = (0..names.len()).collect();
        table.see_decimal(&columns);
        let mut rows = Vec::new();
        while rows.len() < most && table.advance()? {
            // A column that cannot be read may be one that nobody wants.
            let cell = |column: &usize| FirstCell {
                text: table.text(*column).unwrap_or(UNREADABLE).to_owned(),
                number: table.number(*column).ok(),
            };
            rows.push(columns.iter().map(cell).collect());
        }
        if rows.is_empty() { Err(table.without_rows()) } else { Ok(Self { names, rows }) }
    }
}
