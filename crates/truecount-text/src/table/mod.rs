//! Delimited text with a header.
//!
//! Blocks of whole rows can be read on any thread ([`Records`]), or row by row ([`TextTable`]).

mod blocks;
mod records;

pub(crate) use blocks::{BLOCK_SIZE, MAX_ROW_SIZE, TableBlock, TableBlocks};
pub use records::Records;

use crate::encoding;
use crate::numbers::{ColumnForm, NumberForm};
use crate::rows::{ColumnSelection, Decimal, MAX_TITLE_ROWS, find_column};
use crate::source::{FileFormat, Input};
use crate::{Meter, NoProgress};
use std::borrow::Cow;
use std::io::BufRead;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

/// The header of a table, and how its cells are written.
pub(crate) struct Header {
    /// The file name, for messages.
    file: String,
    delimiter: u8,
    decimal: Decimal,
    names: Vec<String>,
    forms: Vec<ColumnForm>,
    /// Whether all numbers are plain and have a decimal point.
    has_plain_numbers: bool,
    encoding: Arc<EncodingNote>,
}

/// A note that text is not UTF-8, which is shown once for each file.
struct EncodingNote {
    meter: Arc<dyn Meter>,
    is_shown: AtomicBool,
}

/// A text with a header, read row by row.
pub struct TextTable {
    pub(crate) header: Arc<Header>,
    pub(crate) blocks: TableBlocks,
    pub(crate) records: Records,
}

impl TextTable {
    /// Opens the table in an input. Without a decimal separator numbers have a point, unless
    /// [`TextTable::detect_numbers`] detects a comma.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or is not text with a header.
    pub fn new(input: Input, decimal: Option<Decimal>) -> Result<Self, Error> {
        Self::from_input(input, decimal, None)
    }

    /// Opens the table in an input, whose header may be below titles: it has the selected columns.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub(crate) fn with_columns(input: Input, selection: &ColumnSelection) -> Result<Self, Error> {
        Self::from_input(input, selection.columns.decimal, Some(selection))
    }

    fn from_input(input: Input, decimal: Option<Decimal>, selection: Option<&ColumnSelection>) -> Result<Self, Error> {
        let file = input.name().to_owned();
        let other_format = match input.kind() {
            // No header of text has a NUL.
            FileFormat::Text if input.start().iter().take(64).any(|byte| *byte == 0) => {
                return Err(ErrorLocation::file(file).error(TableProblem::HeaderNotText));
            }
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
        let meter = Arc::clone(input.meter());
        let mut blocks = TableBlocks::new(file.clone(), input.stream(), BLOCK_SIZE, decimal)?;
        if let Some(selection) = selection {
            let rows = blocks.first_rows(MAX_TITLE_ROWS);
            let above = selection.find_header(&rows);
            if above > 0 {
                blocks.skip_rows(above, decimal)?;
            }
            if rows[..above].concat().iter().any(|cell| !cell.is_empty()) {
                meter.note(&format!("note: {file}: the header is in line {}, below titles", blocks.line()));
            }
        }
        Self::open(file, blocks, decimal, meter)
    }

    /// Opens the table in a text, read in blocks of this size. Tests use small blocks.
    #[doc(hidden)]
    pub fn in_blocks(
        file: String,
        bytes: Box<dyn BufRead + Send>,
        size: usize,
        decimal: Option<Decimal>,
    ) -> Result<Self, Error> {
        let blocks = TableBlocks::new(file.clone(), bytes, size, decimal)?;
        Self::open(file, blocks, decimal, Arc::new(NoProgress))
    }

    fn open(
        file: String,
        mut blocks: TableBlocks,
        decimal: Option<Decimal>,
        meter: Arc<dyn Meter>,
    ) -> Result<Self, Error> {
        let delimiter = blocks.delimiter();
        let decimal = decimal.unwrap_or_default();
        let encoding = Arc::new(EncodingNote { meter, is_shown: AtomicBool::new(false) });
        let nameless = Arc::new(Header::new(file.clone(), delimiter, decimal, Vec::new(), encoding));
        let mut records = Records::new(Arc::clone(&nameless), TableBlock::default());
        while !records.next()? {
            let Some(block) = blocks.next()? else {
                return Err(ErrorLocation::file(file).error(TableProblem::FileEmpty));
            };
            records = Records::new(Arc::clone(&nameless), block);
        }
        let names = records.texts().ok_or_else(|| ErrorLocation::file(&file).error(TableProblem::HeaderNotText))?;
        let encoding = Arc::clone(&nameless.encoding);
        let header = Arc::new(Header::new(file, delimiter, decimal, names, encoding));
        records.set_header(Arc::clone(&header));
        Ok(Self { header, blocks, records })
    }

    /// Detects how numbers are written in these columns. Their form is that of the first number in
    /// the column. Unless the decimal separator is given, it is that of the first number with a
    /// separator if cells are separated by semicolons or tabs, and a point otherwise. Between tabs, a
    /// comma before three digits may separate thousands and does not count.
    pub fn detect_numbers(&mut self, columns: &[usize], decimal: Option<Decimal>) {
        let Header { file, delimiter, names, encoding, .. } = self.header.as_ref();
        let detected = || self.records.decimal(columns, |cell| self.detect_decimal(cell));
        let decimal = decimal.or_else(detected).unwrap_or_default();
        let mut header = Header::new(file.clone(), *delimiter, decimal, names.clone(), Arc::clone(encoding));
        for (column, form) in columns.iter().zip(self.records.forms(columns, decimal)) {
            header.forms[*column] = ColumnForm::new(form.unwrap_or(NumberForm::Plain));
        }
        header.has_plain_numbers &= !header.forms.iter().any(ColumnForm::is_special);
        self.header = Arc::new(header);
        self.records.set_header(Arc::clone(&self.header));
    }

    /// Detects the decimal separator of a number, which is a point between commas.
    pub(crate) fn detect_decimal(&self, number: &[u8]) -> Option<Decimal> {
        match self.header.delimiter {
            b';' => Decimal::detect(number),
            b'\t' => Decimal::detect_certain(number),
            _ => Some(Decimal::Point),
        }
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
    /// Creates the header of a table with plain numbers.
    fn new(file: String, delimiter: u8, decimal: Decimal, names: Vec<String>, encoding: Arc<EncodingNote>) -> Self {
        let forms = names.iter().map(|_| ColumnForm::new(NumberForm::Plain)).collect();
        Self { file, delimiter, decimal, names, forms, has_plain_numbers: decimal == Decimal::Point, encoding }
    }

    /// Decodes a cell, with a note if it is not UTF-8; `None` if it is not text.
    fn decode<'a>(&self, cell: &'a [u8]) -> Option<Cow<'a, str>> {
        let text = encoding::decode(cell)?;
        if matches!(text, Cow::Owned(_)) && !self.encoding.is_shown.swap(true, Ordering::Relaxed) {
            self.encoding.meter.note(&format!("note: {} is read as Windows-1252 text", self.file));
        }
        Some(text)
    }

    /// Returns the index of the column with this name.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        find_column(self.names.iter().map(String::as_str), name).map_err(|problem| {
            let has_numbers = || self.names.iter().any(|column| column.parse::<f64>().is_ok());
            ErrorLocation::file(&self.file).error(match problem {
                TableProblem::ColumnUnknown { column, columns } if has_numbers() => {
                    TableProblem::HeaderMissing { column, columns }
                }
                problem => problem,
            })
        })
    }
}
