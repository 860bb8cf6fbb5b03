//! Delimited text with a header.
//!
//! Blocks of whole rows can be read on any thread ([`Records`]), or row by row ([`Table`]).

mod blocks;
mod records;

pub use blocks::{Block, Blocks};
pub use records::Records;

use super::source;
use crate::{Error, Fault, Progress};
use std::io::BufRead;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// The delimiters that the header line is searched for; the comma comes first and wins ties.
const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What all rows share.
pub struct Header {
    /// The file, for messages.
    place: String,
    delimiter: u8,
    /// The names of the columns.
    names: Vec<String>,
}

/// A text with a header, read row by row.
pub struct Table {
    header: Arc<Header>,
    blocks: Blocks,
    records: Records,
}

impl Table {
    /// The table in a file, or in what standard input gives.
    ///
    /// # Errors
    /// If it cannot be read, or is no text with a header.
    pub fn open(path: &Path, progress: &dyn Progress) -> Result<Self, Error> {
        Self::new(source::name(path), source::open(path, progress)?)
    }

    /// The table in these bytes; errors call it by this name.
    pub(crate) fn new(place: String, mut bytes: Box<dyn BufRead + Send>) -> Result<Self, Error> {
        let start = bytes.fill_buf().map_err(|e| Error::unreadable(&place)(source::describe(&e)))?;
        if let Some(found) = no_table(start) {
            return Err(Error::in_file(place, Fault::FileKind { found }));
        }
        let first_line = start.split(|b| *b == b'\n').next().unwrap_or_default();
        let count = |delimiter: u8| first_line.split(|b| *b == delimiter).count();
        // `max_by_key` keeps the last of equals.
        let delimiter = DELIMITERS.into_iter().rev().max_by_key(|d| count(*d)).expect("there are delimiters");
        let mut blocks = Blocks::new(place.clone(), bytes, delimiter);
        let nameless = Arc::new(Header { place: place.clone(), delimiter, names: Vec::new() });
        let mut first = blocks.next()?.unwrap_or_default();
        if first.bytes.starts_with(BYTE_ORDER_MARK) {
            first.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let mut records = Records::new(nameless, first);
        if !records.next()? {
            return Err(Error::in_file(place, Fault::FileEmpty));
        }
        let header = Arc::new(Header { names: names(&place, &records)?, place, delimiter });
        records.named(Arc::clone(&header));
        Ok(Self { header, blocks, records })
    }

    /// The rest of the first block, and the blocks after it.
    pub(crate) fn into_blocks(self) -> (Records, Blocks) {
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
    /// If there is none, or several.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.header.column(name)
    }

    /// Moves to the next row; false at the end.
    ///
    /// # Errors
    /// If the text cannot be read, or the row is not as wide as the header.
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
        Error::in_file(&self.header.place, Fault::NoRows)
    }
}

/// The current row can be asked for its cells.
impl Deref for Table {
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
        let fault = match (found.next(), found.next()) {
            (Some(index), None) => return Ok(index),
            (Some(_), Some(_)) => Fault::ColumnAmbiguous { column: column() },
            _ if self.names.iter().any(|column| column.parse::<f64>().is_ok()) => {
                Fault::HeaderMissing { column: column(), columns: self.names.clone() }
            }
            _ => Fault::ColumnUnknown { column: column(), columns: self.names.clone() },
        };
        Err(Error::in_file(&self.place, fault))
    }
}

/// The first row's cells.
fn names(place: &str, records: &Records) -> Result<Vec<String>, Error> {
    let names = records.texts().ok_or_else(|| Error::in_file(place, Fault::HeaderNotUtf8))?;
    if names.iter().any(|column| column.contains('\r')) {
        return Err(Error::in_file(place, Fault::CarriageReturns));
    }
    Ok(names)
}

/// What a file that begins with these bytes is, if it is not a table, and what to do about it.
fn no_table(start: &[u8]) -> Option<&'static str> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16 text; save it as UTF-8"),
        [b'P', b'K', 3, 4, ..] => Some("a zip archive or a spreadsheet; save it as CSV"),
        [b'P', b'A', b'R', b'1', ..] => Some("Parquet; save it as CSV"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => Some("Arrow; save it as CSV"),
        [b'P', b'A', b'R', b'E', ..] => Some("encrypted Parquet; decrypt it first"),
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("packed twice; unpack it once"),
        _ => None,
    }
}
