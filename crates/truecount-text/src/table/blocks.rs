//! Bytes cut into blocks of whole rows, which any thread can then read.
//!
//! A block without quotes ends at its last line end. In a block with quotes, every byte is examined: a quote that is
//! never closed, or that closes in the middle of a cell, would silently swallow rows.

use crate::rows::Decimal;
use crate::source::{self, BYTE_ORDER_MARK};
use std::io::{BufRead, Read};
use truecount::{Error, ErrorLocation, Position};
use truecount_analysis::TableProblem;

/// The size of a block in bytes, and by how much it grows until a row ends.
pub const SIZE: usize = 1 << 19;
/// The largest row.
pub const LARGEST: usize = 1 << 24;

/// The delimiters that the header line is searched for; the comma comes first and wins ties.
const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

/// Whole rows of a table, the last of which is not empty.
#[derive(Default)]
pub struct TableBlock {
    pub bytes: Vec<u8>,
    /// The line it begins with, counted from 1.
    pub line: u64,
    /// Where each of its rows ends, if it contains quotes: without them, every line is a row.
    pub ends: Option<Vec<usize>>,
    /// The first of the empty lines just before it.
    pub empty: Option<u64>,
}

pub struct TableBlocks {
    name: String,
    bytes: Box<dyn BufRead + Send>,
    /// The size of a block, unless a row is longer.
    size: usize,
    delimiter: u8,
    /// Bytes read that belong to no block yet.
    rest: Vec<u8>,
    line: u64,
    /// The first of the empty lines after the last block.
    empty: Option<u64>,
    ended: bool,
}

impl TableBlocks {
    /// Of these bytes, called by this name; the header line tells the delimiter.
    pub fn new(
        name: String,
        bytes: Box<dyn BufRead + Send>,
        size: usize,
        decimal: Option<Decimal>,
    ) -> Result<Self, Error> {
        let delimiter = DELIMITERS[0];
        let mut blocks = Self { name, bytes, size, delimiter, rest: Vec::new(), line: 1, empty: None, ended: false };
        let mut start = Vec::new();
        while !start.contains(&b'\n') && !blocks.ended && start.len() <= LARGEST {
            blocks.read(&mut start)?;
        }
        if start.starts_with(BYTE_ORDER_MARK) {
            start.drain(..BYTE_ORDER_MARK.len());
        }
        let header = start.split(|b| *b == b'\n').next().unwrap_or_default();
        if header.strip_suffix(b"\r").unwrap_or(header).contains(&b'\r') {
            return Err(ErrorLocation::file(blocks.name).error(TableProblem::CarriageReturns));
        }
        let count = |delimiter: u8| memchr::memchr_iter(delimiter, header).count();
        // `max_by_key` keeps the last of equals.
        blocks.delimiter = DELIMITERS.into_iter().rev().max_by_key(|d| count(*d)).expect("there are delimiters");
        if decimal == Some(Decimal::Comma) && blocks.delimiter == b',' {
            if header.contains(&b',') {
                return Err(ErrorLocation::file(blocks.name).error(TableProblem::CommasBoth));
            }
            // A single column.
            blocks.delimiter = b';';
        }
        blocks.rest = start;
        Ok(blocks)
    }

    /// What separates cells.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The next rows, none at the end.
    pub fn next(&mut self) -> Result<Option<TableBlock>, Error> {
        loop {
            let Some(mut block) = self.rows()? else { return Ok(None) };
            let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
            let filled = filled(&block.bytes);
            block.empty = self.empty.take();
            self.line += lines(&block.bytes);
            // Whether empty lines are missing rows depends on whether rows follow.
            self.empty = (filled < block.bytes.len()).then(|| self.line - lines(&block.bytes[filled..]));
            if filled == 0 {
                self.empty = block.empty.or(self.empty);
                continue;
            }
            block.bytes.truncate(filled);
            if let Some(ends) = &mut block.ends {
                ends.retain(|end| *end <= filled);
            }
            return Ok(Some(block));
        }
    }

    /// The next whole rows, empty lines and all.
    fn rows(&mut self) -> Result<Option<TableBlock>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut quotes = Quotes::new(self.delimiter, self.line);
        let (mut seen, mut plain) = (0, true);
        let whole = loop {
            plain = plain && memchr::memchr(b'"', &bytes[seen..]).is_none();
            let whole = if plain {
                memchr::memrchr(b'\n', &bytes[seen..]).map_or(0, |end| seen + end + 1)
            } else {
                // The first quote: examine the bytes from the beginning.
                quotes.follow(&bytes).map_err(|problem| ErrorLocation::file(&self.name).error(problem))?
            };
            seen = bytes.len();
            if whole > 0 {
                break whole;
            }
            if seen > LARGEST {
                let location = ErrorLocation::file(&self.name).at(Position::Line(self.line));
                return Err(location.error(TableProblem::RowTooLarge { megabytes: LARGEST >> 20 }));
            }
            if !self.ended {
                self.read(&mut bytes)?;
            } else if bytes.is_empty() {
                return Ok(None);
            } else if let Some(line) = quotes.open() {
                return Err(ErrorLocation::file(&self.name).error(TableProblem::QuoteNeverClosed { line }));
            } else {
                // The last line may lack its line end.
                bytes.push(b'\n');
            }
        };
        self.rest = bytes.split_off(whole);
        Ok(Some(TableBlock { bytes, line: self.line, ends: (!plain).then_some(quotes.ends), empty: None }))
    }

    /// Adds the next bytes.
    fn read(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let before = bytes.len();
        let more = self.size.max(before) as u64;
        bytes.reserve(self.size.max(before) + 1);
        let read = self.bytes.by_ref().take(more).read_to_end(bytes).map_err(|e| {
            let lines = self.line + memchr::memchr_iter(b'\n', bytes).count() as u64;
            let location = ErrorLocation::file(&self.name).at(Position::AfterLine(lines - 1));
            location.error(TableProblem::Unreadable { reason: source::describe(&e) })
        })?;
        self.ended = (read as u64) < more;
        Ok(())
    }
}

/// How many bytes there are without the empty lines at the end.
fn filled(bytes: &[u8]) -> usize {
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

/// Tracks quotes across cells, rows and blocks.
struct Quotes {
    delimiter: u8,
    cell: QuotedCell,
    line: u64,
    /// The number of bytes examined, and after how many of them rows end.
    followed: usize,
    ends: Vec<usize>,
}

/// Where within a cell the last byte was.
#[derive(Clone, Copy)]
enum QuotedCell {
    Start,
    Plain,
    /// Inside quotes that were opened on this line.
    Quoted(u64),
    /// After what may be the closing quote of those opened on this line.
    Closed(u64),
    /// After spaces that follow a closing quote of those opened on this line.
    Spaced(u64),
}

impl Quotes {
    fn new(delimiter: u8, line: u64) -> Self {
        Self { delimiter, cell: QuotedCell::Start, line, followed: 0, ends: Vec::new() }
    }

    /// Examines the bytes to their end, and returns how many of them belong to whole rows.
    fn follow(&mut self, bytes: &[u8]) -> Result<usize, TableProblem> {
        for byte in &bytes[self.followed..] {
            self.followed += 1;
            self.cell = match (self.cell, *byte) {
                (QuotedCell::Quoted(line), b'"') => QuotedCell::Closed(line),
                (QuotedCell::Closed(line), b'"') | (QuotedCell::Quoted(line), _) => QuotedCell::Quoted(line),
                (_, b'\n') => {
                    self.ends.push(self.followed);
                    QuotedCell::Start
                }
                (_, delimiter) if delimiter == self.delimiter => QuotedCell::Start,
                (QuotedCell::Closed(line) | QuotedCell::Spaced(line), b' ' | b'\r') => QuotedCell::Spaced(line),
                (QuotedCell::Closed(line) | QuotedCell::Spaced(line), _) => {
                    return Err(TableProblem::QuoteClosedEarly { line: self.line, opened: line });
                }
                (QuotedCell::Start, b'"') => QuotedCell::Quoted(self.line),
                (QuotedCell::Start | QuotedCell::Plain, _) => QuotedCell::Plain,
            };
            self.line += u64::from(*byte == b'\n');
        }
        Ok(self.ends.last().copied().unwrap_or_default())
    }

    /// The line on which a quote was opened that is still open.
    fn open(&self) -> Option<u64> {
        match self.cell {
            QuotedCell::Quoted(line) => Some(line),
            _ => None,
        }
    }
}
