//! Delimited text with a header.
//!
//! Blocks of whole rows can be read on any thread ([`Records`]), or row by row ([`TextTable`]).

mod blocks;
mod records;

pub(crate) use blocks::{BLOCK_SIZE, MAX_ROW_SIZE, TableBlock, TableBlocks};
pub use records::Records;

use crate::rows::Decimal;
use crate::source::{FileFormat, Input};
use std::io::BufRead;
use std::ops::Deref;
use std::sync::Arc;
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

/// The header of a table, and how its cells are written.
pub(crate) struct Header {
    /// The file name, for messages.
    file: String,
    delimiter: u8,
    decimal: Decimal,
    /// The names of the columns.
    names: Vec<String>,
}

/// A text with a header, read row by row.
pub struct TextTable {
    header: Arc<Header>,
    blocks: TableBlocks,
    records: Records,
}

impl TextTable {
    /// Opens the table in an input. Without a decimal separator numbers have a point, unless
    /// [`TextTable::detect_decimal`] detects a comma.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or is not text with a header.
    pub fn new(input: Input, decimal: Option<Decimal>) -> Result<Self, Error> {
        let file = input.name().to_owned();
        let other_format = match input.kind() {
            FileFormat::Text => None,
            FileFormat::Parquet => Some("Parquet; save it as CSV"),
            FileFormat::ArrowFile | FileFormat::ArrowStream => Some("Arrow; save it as CSV"),
            FileFormat::JsonLines | FileFormat::JsonArray => Some("JSON; save it as CSV"),
            FileFormat::Workbook => Some("a workbook or another zip archive; save it as CSV"),
            FileFormat::Other(name) => Some(name),
        };
        if let Some(name) = other_format {
            return Err(ErrorLocation::file(file).error(TableProblem::FileKind { found: name }));
        }
        Self::in_blocks(file, input.stream(), BLOCK_SIZE, decimal)
    }

    /// Opens the table in a text, read in blocks of this size. Tests use small blocks.
    #[doc(hidden)]
    pub fn in_blocks(
        file: String,
        bytes: Box<dyn BufRead + Send>,
        size: usize,
        decimal: Option<Decimal>,
    ) -> Result<Self, Error> {
        let mut blocks = TableBlocks::new(file.clone(), bytes, size, decimal)?;
        let delimiter = blocks.delimiter();
        let decimal = decimal.unwrap_or_default();
        let nameless = Arc::new(Header { file: file.clone(), delimiter, decimal, names: Vec::new() });
        let mut records = Records::new(Arc::clone(&nameless), TableBlock::default());
        while !records.next()? {
            let Some(block) = blocks.next()? else {
                return Err(ErrorLocation::file(file).error(TableProblem::FileEmpty));
            };
            records = Records::new(Arc::clone(&nameless), block);
        }
        let names = records.texts().ok_or_else(|| ErrorLocation::file(&file).error(TableProblem::HeaderNotUtf8))?;
        let header = Arc::new(Header { file, delimiter, decimal, names });
        records.set_header(Arc::clone(&header));
        Ok(Self { header, blocks, records })
    }

    /// Detects the decimal separator if cells are separated by semicolons: that of the first number
    /// with a separator in these columns.
    pub fn detect_decimal(&mut self, columns: &[usize]) {
        let Some(decimal) = self.records.decimal(columns).filter(|_| self.header.delimiter == b';') else { return };
        let Header { file, delimiter, names, .. } = self.header.as_ref();
        let (file, names) = (file.clone(), names.clone());
        self.header = Arc::new(Header { file, delimiter: *delimiter, decimal, names });
        self.records.set_header(Arc::clone(&self.header));
    }

    /// Returns the rest of the first block, and the following blocks.
    pub(crate) fn into_blocks(self) -> (Records, TableBlocks) {
        (self.records, self.blocks)
    }

    /// Returns the shared header.
    pub(crate) fn shared_header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Returns the names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header.names
    }

    /// Returns the index of the column with this name.
    ///
    /// # Errors
    /// Returns an error if there is no such column, or several.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.header.column(name)
    }

    /// Moves to the next row; returns `false` at the end.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, or the row is not as wide as the header.
    pub fn advance(&mut self) -> Result<bool, Error> {
        while !self.records.next()? {
            let Some(block) = self.blocks.next()? else { return Ok(false) };
            self.records = Records::new(Arc::clone(&self.header), block);
        }
        Ok(true)
    }

    /// Returns the name of the file in messages.
    pub fn name(&self) -> &str {
        &self.header.file
    }

    /// Returns the error for a table without rows.
    pub fn without_rows(&self) -> Error {
        ErrorLocation::file(&self.header.file).error(TableProblem::NoRows)
    }
}

/// Gives access to the cells of the current row.
impl Deref for TextTable {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.records
    }
}

impl Header {
    /// Returns the index of the column with this name.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        let mut matches = self.names.iter().enumerate().filter(|(_, column)| *column == name).map(|(i, _)| i);
        let column = || name.to_owned();
        let problem = match (matches.next(), matches.next()) {
            (Some(index), None) => return Ok(index),
            (Some(_), Some(_)) => TableProblem::ColumnAmbiguous { column: column() },
            _ if self.names.iter().any(|column| column.parse::<f64>().is_ok()) => {
                TableProblem::HeaderMissing { column: column(), columns: self.names.clone() }
            }
            _ => TableProblem::ColumnUnknown { column: column(), columns: self.names.clone() },
        };
        Err(ErrorLocation::file(&self.file).error(problem))
    }
}
