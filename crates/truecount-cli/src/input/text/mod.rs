//! Delimited text with a header.
//!
//! Blocks of whole rows can be read on any thread ([`Records`]), or one row after the other ([`Table`]).

mod blocks;
mod records;

pub use blocks::{Block, Blocks};
pub use records::Records;

use super::source;
use crate::failure::Failure;
use std::io::BufRead;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// Delimiters told apart by the header line; the comma comes first and wins ties.
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

/// A text read row by row.
pub struct Table {
    header: Arc<Header>,
    blocks: Blocks,
    records: Records,
}

impl Table {
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::from(source::name(path), source::open(path)?)
    }

    /// Without a bar, for one of many files.
    pub fn open_quietly(path: &Path) -> Result<Self, Failure> {
        Self::from(source::name(path), source::open_quietly(path)?)
    }

    pub fn from(place: String, mut bytes: Box<dyn BufRead + Send>) -> Result<Self, Failure> {
        let start = bytes.fill_buf().map_err(|e| Failure::Data(format!("{place}: {}", source::describe(&e))))?;
        if let Some(what) = no_table(start) {
            return Err(Failure::Data(format!("{place}: {what}")));
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
            return Err(Failure::Data(format!("{place}: is empty; it needs a header line and rows")));
        }
        let header = Arc::new(Header { names: names(&place, &records)?, place, delimiter });
        records.named(Arc::clone(&header));
        Ok(Self { header, blocks, records })
    }

    /// What is left of the first block, and the blocks after it.
    pub fn into_blocks(self) -> (Records, Blocks) {
        (self.records, self.blocks)
    }

    /// What all rows share.
    pub fn shared(&self) -> &Arc<Header> {
        &self.header
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header.names
    }

    /// The position of the column of that name.
    pub fn column(&self, name: &str) -> Result<usize, Failure> {
        self.header.column(name)
    }

    /// Moves to the next row; false at the end.
    pub fn next(&mut self) -> Result<bool, Failure> {
        while !self.records.next()? {
            let Some(block) = self.blocks.next()? else { return Ok(false) };
            self.records = Records::new(Arc::clone(&self.header), block);
        }
        Ok(true)
    }

    pub fn name(&self) -> &str {
        &self.header.place
    }

    /// An error about a table that is a header and nothing else.
    pub fn without_rows(&self) -> Failure {
        Failure::Data(format!("{}: there are no rows below the header", self.header.place))
    }
}

/// What can be asked of the current row.
impl Deref for Table {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.records
    }
}

impl Header {
    /// The position of the column of that name.
    pub fn column(&self, name: &str) -> Result<usize, Failure> {
        let mut found = self.names.iter().enumerate().filter(|(_, column)| *column == name).map(|(i, _)| i);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => {
                Err(Failure::Data(format!("{}: several columns are called '{name}'; rename all but one", self.place)))
            }
            _ => {
                let known: Vec<String> = self.names.iter().map(|column| format!("'{column}'")).collect();
                let hint = if self.names.iter().any(|column| column.parse::<f64>().is_ok()) {
                    "; is the header line missing?"
                } else {
                    ""
                };
                Err(Failure::Data(format!(
                    "{}: there is no column '{name}'; the columns are {}{hint}",
                    self.place,
                    known.join(", ")
                )))
            }
        }
    }
}

/// The first row's cells.
fn names(place: &str, records: &Records) -> Result<Vec<String>, Failure> {
    let Some(names) = records.texts() else {
        return Err(Failure::Data(format!("{place}: the header is not UTF-8 text; save the file as UTF-8")));
    };
    if names.iter().any(|column| column.contains('\r')) {
        return Err(Failure::Data(format!(
            "{place}: lines end in carriage returns alone; save the file with ordinary line ends"
        )));
    }
    Ok(names)
}

/// What a file that begins so is instead of a table.
fn no_table(start: &[u8]) -> Option<&'static str> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("is UTF-16 text; save it as UTF-8"),
        [b'P', b'K', 3, 4, ..] => Some("is a zip archive or a spreadsheet; save it as CSV"),
        [b'P', b'A', b'R', b'1', ..] => Some("is Parquet; save it as CSV"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => Some("is Arrow; save it as CSV"),
        [b'P', b'A', b'R', b'E', ..] => Some("is encrypted Parquet; decrypt it first"),
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("is packed twice; unpack it once"),
        _ => None,
    }
}
