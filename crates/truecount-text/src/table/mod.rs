//! Delimited text with a header.
//!
//! Blocks of whole rows can be read on any thread ([`Records`]), or row by row ([`TextTable`]).

mod blocks;
mod records;

pub(crate) use blocks::{LARGEST, SIZE, TableBlock, TableBlocks};
pub use records::Records;

use crate::rows::Decimal;
use crate::source::{Input, Kind};
use std::io::BufRead;
use std::ops::Deref;
use std::sync::Arc;
use truecount::{Error, ErrorLocation};
use truecount_analysis::TableProblem;

/// What all rows share.
pub(crate) struct Header {
    /// The file, for messages.
    place: String,
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
    /// The table in an input, of numbers written so; with a point, unless [`TextTable::see_decimal`] sees something else.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is no text with a header.
    pub fn new(input: Input, decimal: Option<Decimal>) -> Result<Self, Error> {
        let place = input.name().to_owned();
        let found = match input.kind() {
            Kind::Text => None,
            Kind::Parquet => Some("Parquet; save it as CSV"),
            Kind::ArrowFile | Kind::ArrowStream => Some("Arrow; save it as CSV"),
            Kind::JsonLines | Kind::JsonArray => Some("JSON; save it as CSV"),
            Kind::Workbook => Some("a workbook or another zip archive; save it as CSV"),
            Kind::Other(found) => Some(found),
        };
        if let Some(found) = found {
            return Err(ErrorLocation::file(place).error(TableProblem::FileKind { found }));
        }
        Self::in_blocks(place, input.stream(), SIZE, decimal)
    }

    /// The table in a text, read in blocks of this size: small ones show what happens where they end.
    #[doc(hidden)]
    pub fn in_blocks(
        place: String,
        bytes: Box<dyn BufRead + Send>,
        size: usize,
        decimal: Option<Decimal>,
    ) -> Result<Self, Error> {
        let mut blocks = TableBlocks::new(place.clone(), bytes, size, decimal)?;
        let delimiter = blocks.delimiter();
        let decimal = decimal.unwrap_or_default();
        let nameless = Arc::new(Header { place: place.clone(), delimiter, decimal, names: Vec::new() });
        let mut records = Records::new(Arc::clone(&nameless), TableBlock::default());
        while !records.next()? {
            let Some(block) = blocks.next()? else {
                return Err(ErrorLocation::file(place).error(TableProblem::FileEmpty));
            };
            records = Records::new(Arc::clone(&nameless), block);
        }
        let names = records.texts().ok_or_else(|| ErrorLocation::file(&place).error(TableProblem::HeaderNotUtf8))?;
        let header = Arc::new(Header { place, delimiter, decimal, names });
        records.named(Arc::clone(&header));
        Ok(Self { header, blocks, records })
    }

    /// Where semicolons part the cells, numbers are taken as the first ones in these columns are written that are not whole.
    pub fn see_decimal(&mut self, columns: &[usize]) {
        let Some(decimal) = self.records.decimal(columns).filter(|_| self.header.delimiter == b';') else { return };
        let Header { place, delimiter, names, .. } = self.header.as_ref();
        let (place, names) = (place.clone(), names.clone());
        self.header = Arc::new(Header { place, delimiter: *delimiter, decimal, names });
        self.records.named(Arc::clone(&self.header));
    }

    /// The rest of the first block, and the blocks after it.
    pub(crate) fn into_blocks(self) -> (Records, TableBlocks) {
        (self.records, self.blocks)
    }

    /// What all rows share.
    pub(crate) fn shared(&self) -> &Arc<Header> {
        &self.header
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header.names
    }

    /// The position of the column of that name.
    ///
    /// # Errors
    /// Returns an error if there is none, or several.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.header.column(name)
    }

    /// Moves to the next row; false at the end.
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

    /// What the file is called in errors.
    pub fn name(&self) -> &str {
        &self.header.place
    }

    /// An error about a table that is a header and nothing else.
    pub fn without_rows(&self) -> Error {
        ErrorLocation::file(&self.header.place).error(TableProblem::NoRows)
    }
}

/// The current row can be asked for its cells.
impl Deref for TextTable {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.records
    }
}

impl Header {
    /// The position of the column with this name.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        let mut found = self.names.iter().enumerate().filter(|(_, column)| *column == name).map(|(i, _)| i);
        let column = || name.to_owned();
        let problem = match (found.next(), found.next()) {
            (Some(index), None) => return Ok(index),
            (Some(_), Some(_)) => TableProblem::ColumnAmbiguous { column: column() },
            _ if self.names.iter().any(|column| column.parse::<f64>().is_ok()) => {
                TableProblem::HeaderMissing { column: column(), columns: self.names.clone() }
            }
            _ => TableProblem::ColumnUnknown { column: column(), columns: self.names.clone() },
        };
        Err(ErrorLocation::file(&self.place).error(problem))
    }
}
