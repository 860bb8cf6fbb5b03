//! Splits bytes into blocks of whole rows, which any thread can then read.
//!
//! A block without quotes ends at its last line end. In a block with quotes, every byte is
//! examined: a quote that is never closed, or that closes in the middle of a cell, would silently
//! swallow rows.

use crate::encoding;
use crate::rows::Decimal;
use crate::source::{self, BYTE_ORDER_MARK};
use std::io::{BufRead, Read};
use std::ops::Range;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// Size of a block in bytes, and the minimum by which it grows until a row ends.
pub const BLOCK_SIZE: usize = 1 << 19;
/// Maximum size of a row in bytes.
pub const MAX_ROW_SIZE: usize = 1 << 24;

/// The delimiters that are detected in the header line; the comma wins ties.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Whole rows of a table, the last of which is not empty.
#[derive(Default)]
pub struct TableBlock {
    pub bytes: Vec<u8>,
    /// The first line, counted from 1.
    pub line: u64,
    /// The end of each row, if the block contains quotes; without quotes every line is a row.
    pub ends: Option<Vec<usize>>,
    /// The empty lines just before the block.
    pub empty_lines: Range<u64>,
}

/// The blocks of a table, read one after another.
pub struct TableBlocks {
    name: String,
    bytes: Box<dyn BufRead + Send>,
    /// The size of a block, unless a row is longer.
    size: usize,
    delimiter: u8,
    /// Bytes that were read but are not yet in a block.
    rest: Vec<u8>,
    line: u64,
    /// The first of the empty lines after the last block, if there are any.
    empty_line: Option<u64>,
    is_at_end: bool,
}

impl TableBlocks {
    /// Opens a table with this name in messages, and detects the delimiter in the header line.
    pub fn new(
        name: String,
        bytes: Box<dyn BufRead + Send>,
        size: usize,
        decimal: Option<Decimal>,
    ) -> Result<Self, Error> {
        let delimiter = DELIMITERS[0];
        let mut blocks =
            Self { name, bytes, size, delimiter, rest: Vec::new(), line: 1, empty_line: None, is_at_end: false };
        let mut start = Vec::new();
        blocks.read_line(&mut start)?;
        if start.starts_with(BYTE_ORDER_MARK) {
            start.drain(..BYTE_ORDER_MARK.len());
        }
        let named_delimiter = separator_line(&start);
        if named_delimiter.is_some() {
            start.drain(..=memchr::memchr(b'\n', &start).expect("a line"));
            blocks.line += 1;
            blocks.read_line(&mut start)?;
        }
        let header = first_line(&start);
        if header.strip_suffix(b"\r").unwrap_or(header).contains(&b'\r') {
            return Err(ErrorLocation::file(blocks.name).error(TableProblem::CarriageReturns));
        }
        blocks.rest = start;
        blocks.detect_delimiter(named_delimiter, decimal).map(|()| blocks)
    }

    /// Sets the delimiter, which is the most frequent one in the header by default.
    fn detect_delimiter(&mut self, named: Option<u8>, decimal: Option<Decimal>) -> Result<(), Error> {
        let header = first_line(&self.rest);
        self.delimiter = named.unwrap_or_else(|| frequent_delimiter(header));
        if decimal == Some(Decimal::Comma) && self.delimiter == b',' {
            if header.contains(&b',') {
                return Err(ErrorLocation::file(&self.name).error(TableProblem::CommasBoth));
            }
            // With a single column any delimiter but the comma will do.
            self.delimiter = b';';
        }
        Ok(())
    }

    /// Returns the cells of the first rows, separated by the most frequent delimiter of each row, up
    /// to a quote that is not closed.
    pub fn first_rows(&self, max: usize) -> Vec<Vec<String>> {
        let cells = |row: &[u8]| -> Vec<String> {
            let delimiter = frequent_delimiter(row);
            let cells = row.split(|byte| *byte == delimiter).map(|cell| encoding::decode(cell).unwrap_or_default());
            cells.map(|cell| cell.trim().trim_matches('"').trim().to_owned()).collect()
        };
        let (mut rows, mut rest) = (Vec::new(), &self.rest[..]);
        while rows.len() < max
            && let Some(length) = row_length(rest)
        {
            let (row, after) = rest.split_at(length);
            rows.push(cells(row));
            rest = after;
        }
        rows
    }

    /// Removes rows above the header.
    pub fn skip_rows(&mut self, rows: usize, decimal: Option<Decimal>) -> Result<(), Error> {
        for _ in 0..rows {
            let row = self.rest.drain(..row_length(&self.rest).expect("a row"));
            self.line += row.filter(|byte| *byte == b'\n').count() as u64;
        }
        self.detect_delimiter(None, decimal)
    }

    /// Reads until the bytes have a whole line, or are too long for one.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        while !bytes.contains(&b'\n') && !self.is_at_end && bytes.len() <= MAX_ROW_SIZE {
            self.read(bytes)?;
        }
        Ok(())
    }

    /// Returns the first line of the next block, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the delimiter of cells.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Returns the next block without empty lines at its end, or `None` at the end of the table.
    pub fn next(&mut self) -> Result<Option<TableBlock>, Error> {
        loop {
            let Some(mut block) = self.read_rows()? else { return Ok(None) };
            let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
            let length = length_without_empty_lines(&block.bytes);
            let first_empty = self.empty_line.take();
            block.empty_lines = first_empty.unwrap_or(block.line)..block.line;
            self.line += lines(&block.bytes);
            // Whether empty lines are missing rows depends on whether rows follow.
            self.empty_line = (length < block.bytes.len()).then(|| self.line - lines(&block.bytes[length..]));
            if length == 0 {
                self.empty_line = first_empty.or(self.empty_line);
                continue;
            }
            block.bytes.truncate(length);
            if let Some(ends) = &mut block.ends {
                ends.retain(|end| *end <= length);
            }
            return Ok(Some(block));
        }
    }

    /// Reads the next whole rows, including empty lines.
    fn read_rows(&mut self) -> Result<Option<TableBlock>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut scanner = QuoteScanner::new(self.delimiter, self.line);
        let (mut scanned, mut is_plain) = (0, true);
        let end_of_rows = loop {
            is_plain = is_plain && memchr::memchr(b'"', &bytes[scanned..]).is_none();
            let end_of_rows = if is_plain {
                memchr::memrchr(b'\n', &bytes[scanned..]).map_or(0, |end| scanned + end + 1)
            } else {
                // At the first quote, the scan starts from the beginning of the bytes.
                scanner.scan(&bytes).map_err(|problem| ErrorLocation::file(&self.name).error(problem))?
            };
            scanned = bytes.len();
            if end_of_rows > 0 {
                break end_of_rows;
            }
            if scanned > MAX_ROW_SIZE {
                let location = ErrorLocation::file(&self.name).at(Position::Line(self.line));
                return Err(location.error(TableProblem::RowTooLarge { megabytes: MAX_ROW_SIZE >> 20 }));
            }
            if !self.is_at_end {
                self.read(&mut bytes)?;
            } else if bytes.is_empty() {
                return Ok(None);
            } else if let Some(line) = scanner.open_quote() {
                return Err(ErrorLocation::file(&self.name).error(TableProblem::QuoteNeverClosed { line }));
            } else {
                // The last line may lack a line end.
                bytes.push(b'\n');
            }
        };
        self.rest = bytes.split_off(end_of_rows);
        Ok(Some(TableBlock { bytes, line: self.line, ends: (!is_plain).then_some(scanner.ends), empty_lines: 0..0 }))
    }

    /// Appends the next bytes: a block, or as many as there are already.
    fn read(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let before = bytes.len();
        let more = self.size.max(before) as u64;
        bytes.reserve(self.size.max(before) + 1);
        let read = self.bytes.by_ref().take(more).read_to_end(bytes).map_err(|e| {
            let lines = self.line + memchr::memchr_iter(b'\n', bytes).count() as u64;
            let location = ErrorLocation::file(&self.name).at(Position::AfterLine(lines - 1));
            location.error(TableProblem::FileUnreadable { reason: source::describe_io_error(&e) })
        })?;
        self.is_at_end = (read as u64) < more;
        Ok(())
    }
}

/// Returns the first line without its line end.
fn first_line(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())]
}

/// Returns the length of the first row with its line end, unless a quote is not closed.
fn row_length(bytes: &[u8]) -> Option<usize> {
    let mut is_open = false;
    let is_end = |byte: &u8| {
        is_open ^= *byte == b'"';
        !is_open && *byte == b'\n'
    };
    let end = bytes.iter().position(is_end);
    end.map(|end| end + 1).or((!is_open && !bytes.is_empty()).then_some(bytes.len()))
}

fn frequent_delimiter(line: &[u8]) -> u8 {
    let count = |delimiter: u8| memchr::memchr_iter(delimiter, line).count();
    // `max_by_key` returns the last maximum.
    DELIMITERS.into_iter().rev().max_by_key(|d| count(*d)).expect("there are delimiters")
}

/// Returns the delimiter that the first line names for Excel, as in `sep=;`.
fn separator_line(bytes: &[u8]) -> Option<u8> {
    let line = bytes.split_inclusive(|byte| *byte == b'\n').next()?.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let unquoted = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    match unquoted.strip_prefix(b"sep=")? {
        [delimiter] if !delimiter.is_ascii_alphanumeric() && !b"\"\r".contains(delimiter) => Some(*delimiter),
        _ => None,
    }
}

/// Returns the length of the bytes without the empty lines at the end.
fn length_without_empty_lines(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    loop {
        let start = match bytes[..end] {
            [.., b'\r', b'\n'] => end - 2,
            [.., b'\n'] => end - 1,
            _ => return end,
        };
        if start > 0 && bytes[start - 1] != b'\n' {
            return end;
        }
        end = start;
    }
}

/// Tracks quotes across cells and rows of a block.
struct QuoteScanner {
    delimiter: u8,
    state: QuoteState,
    line: u64,
    /// The number of bytes scanned.
    scanned: usize,
    ends: Vec<usize>,
}

/// The state after a byte.
#[derive(Clone, Copy)]
enum QuoteState {
    Start,
    Plain,
    /// Inside quotes that were opened on this line.
    Quoted(u64),
    /// After the closing quote, or the first of two quotes that stand for one; opened on this line.
    Closed(u64),
    /// After spaces that follow the closing quote; opened on this line.
    Spaced(u64),
}

impl QuoteScanner {
    fn new(delimiter: u8, line: u64) -> Self {
        Self { delimiter, state: QuoteState::Start, line, scanned: 0, ends: Vec::new() }
    }

    /// Scans the bytes to their end, and returns how many of them belong to whole rows.
    fn scan(&mut self, bytes: &[u8]) -> Result<usize, TableProblem> {
        for byte in &bytes[self.scanned..] {
            self.scanned += 1;
            self.state = match (self.state, *byte) {
                (QuoteState::Quoted(line), b'"') => QuoteState::Closed(line),
                (QuoteState::Closed(line), b'"') | (QuoteState::Quoted(line), _) => QuoteState::Quoted(line),
                (_, b'\n') => {
                    self.ends.push(self.scanned);
                    QuoteState::Start
                }
                (_, delimiter) if delimiter == self.delimiter => QuoteState::Start,
                (QuoteState::Closed(line) | QuoteState::Spaced(line), b' ' | b'\r') => QuoteState::Spaced(line),
                (QuoteState::Closed(line) | QuoteState::Spaced(line), _) => {
                    return Err(TableProblem::QuoteClosedEarly { line: self.line, opened: line });
                }
                (QuoteState::Start, b'"') => QuoteState::Quoted(self.line),
                (QuoteState::Start | QuoteState::Plain, _) => QuoteState::Plain,
            };
            self.line += u64::from(*byte == b'\n');
        }
        Ok(self.ends.last().copied().unwrap_or_default())
    }

    /// Returns the line of a quote that is still open.
    fn open_quote(&self) -> Option<u64> {
        match self.state {
            QuoteState::Quoted(line) => Some(line),
            _ => None,
        }
    }
}
