//! The first rows of a table that is text, to see what its columns are.

use super::format::first_objects;
use super::rows::{FirstCell, FirstRows};
use super::source::{Input, Kind};
use super::text::Table;
use crate::{Error, Progress};
use std::path::Path;

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
            let cell = |column: &usize| {
                let text = table.text(*column)?.to_owned();
                Ok(FirstCell { text, number: table.number(*column).ok() })
            };
            rows.push(columns.iter().map(cell).collect::<Result<_, Error>>()?);
        }
        if rows.is_empty() { Err(table.without_rows()) } else { Ok(Self { names, rows }) }
    }
}
