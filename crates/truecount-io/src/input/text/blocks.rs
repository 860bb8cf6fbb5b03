//! Bytes cut into blocks of whole rows, which any thread can then read.
//!
//! A block without quotes ends at its last line end. In a block with quotes, every byte is examined, because the CSV
//! reader accepts quotes anywhere: one that is never closed, or that closes in the middle of a cell, would silently
//! swallow rows.

use crate::input::source;
use crate::{Error, Fault, Location, Position};
use std::io::{BufRead, Read};

/// The size of a block in bytes, and by how much it grows until a row ends.
const SIZE: usize = 1 << 19;
const LARGEST: usize = 1 << 26;

/// Whole rows of a table.
#[derive(Default)]
pub struct Block {
    pub bytes: Vec<u8>,
    /// The line it begins with, counted from 1.
    pub line: u64,
    /// Whether it contains no quotes.
    pub plain: bool,
}

pub struct Blocks {
    name: String,
    bytes: Box<dyn BufRead + Send>,
    delimiter: u8,
    /// Bytes read beyond the last whole row.
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

impl Blocks {
    pub fn new(name: String, bytes: Box<dyn BufRead + Send>, delimiter: u8) -> Self {
        Self { name, bytes, delimiter, rest: Vec::new(), line: 1, ended: false }
    }

    /// The next rows, none at the end.
    pub fn next(&mut self) -> Result<Option<Block>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut quotes = Quotes::new(self.delimiter, self.line);
        let (mut seen, mut plain, mut whole) = (0, true, 0);
        while whole == 0 {
            if self.ended {
                if bytes.is_empty() {
                    return Ok(None);
                }
                if let Some(line) = quotes.open() {
                    return Err(Error::in_file(&self.name, Fault::QuoteNeverClosed { line }));
                }
                // The last line may lack its line end.
                bytes.push(b'\n');
            } else {
                self.read(&mut bytes)?;
            }
            plain = plain && memchr::memchr(b'"', &bytes[seen..]).is_none();
            if plain {
                whole = memchr::memrchr(b'\n', &bytes[seen..]).map_or(0, |end| seen + end + 1);
                seen = bytes.len();
            } else {
                // The first quote: examine the bytes from the beginning.
                whole = quotes.follow(&bytes).map_err(|fault| Error::in_file(&self.name, fault))?;
            }
            if whole == 0 && bytes.len() > LARGEST {
                let location = Location::file(&self.name).at(Position::Line(self.line));
                return Err(location.error(Fault::RowTooLarge { megabytes: LARGEST >> 20 }));
            }
        }
        self.rest = bytes.split_off(whole);
        if self.ended && self.rest.is_empty() {
            // Empty lines after the last row do not count.
            while bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n") {
                bytes.truncate(bytes.len() - if bytes.ends_with(b"\r\n") { 2 } else { 1 });
            }
        }
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok(Some(Block { bytes, line, plain }))
    }

    /// Adds the next bytes.
    fn read(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let before = bytes.len();
        let more = SIZE.max(before) as u64;
        bytes.reserve(SIZE.max(before) + 1);
        let read = self.bytes.by_ref().take(more).read_to_end(bytes).map_err(|e| {
            let lines = self.line + memchr::memchr_iter(b'\n', bytes).count() as u64;
            let location = Location::file(&self.name).at(Position::AfterLine(lines - 1));
            location.error(Fault::Unreadable { reason: source::describe(&e) })
        })?;
        self.ended = (read as u64) < more;
        Ok(())
    }
}

/// Tracks quotes across cells, rows and blocks.
struct Quotes {
    delimiter: u8,
    cell: Cell,
    line: u64,
    /// The number of bytes examined, and how many of them belong to whole rows.
    followed: usize,
    whole: usize,
}

/// Where within a cell the last byte was.
#[derive(Clone, Copy)]
enum Cell {
    Start,
    Plain,
    /// Inside quotes that were opened on this line.
    Quoted(u64),
    /// After what may be the closing quote of those opened on this line.
    Closed(u64),
}

impl Quotes {
    fn new(delimiter: u8, line: u64) -> Self {
        Self { delimiter, cell: Cell::Start, line, followed: 0, whole: 0 }
    }

    /// Examines the bytes to their end, and returns how many of them belong to whole rows.
    fn follow(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        for byte in &bytes[self.followed..] {
            self.followed += 1;
            self.cell = match (self.cell, *byte) {
                (Cell::Quoted(line), b'"') => Cell::Closed(line),
                (Cell::Closed(line), b'"') | (Cell::Quoted(line), _) => Cell::Quoted(line),
                (_, b'\n') => {
                    self.whole = self.followed;
                    Cell::Start
                }
                (_, delimiter) if delimiter == self.delimiter => Cell::Start,
                (Cell::Closed(line), b' ' | b'\r') => Cell::Closed(line),
                (Cell::Closed(line), _) => {
                    return Err(Fault::QuoteClosedEarly { line: self.line, opened: line });
                }
                (Cell::Start, b'"') => Cell::Quoted(self.line),
                (Cell::Start | Cell::Plain, _) => Cell::Plain,
            };
            self.line += u64::from(*byte == b'\n');
        }
        Ok(self.whole)
    }

    /// The line on which a quote was opened that is still open.
    fn open(&self) -> Option<u64> {
        match self.cell {
            Cell::Quoted(line) => Some(line),
            _ => None,
        }
    }
}
