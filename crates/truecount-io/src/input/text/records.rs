//! The rows of a block, read one by one, each with its line number.

use super::{Block, Header};
use crate::{Error, Fault, Location, Position};
use csv::{ByteRecord, Terminator};
use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;

/// A row with more lines than this has lost a closing quote.
const LINES_IN_A_ROW: u64 = 1000;

/// Rows of a text, with a current one.
pub struct Records {
    header: Arc<Header>,
    rows: Rows,
    /// The line of the current row.
    line: u64,
}

/// How the rows are stored.
enum Rows {
    /// Without quotes, every line end ends a row and every delimiter a cell.
    Plain { bytes: Vec<u8>, next: usize, next_line: u64, cells: Vec<Range<usize>> },
    /// The first line, a reader and the current record.
    Quoted(u64, Box<csv::Reader<Cursor<Vec<u8>>>>, ByteRecord),
}

impl Rows {
    fn cells(&self) -> usize {
        match self {
            Self::Plain { cells, .. } => cells.len(),
            Self::Quoted(_, _, record) => record.len(),
        }
    }

    fn cell(&self, column: usize) -> &[u8] {
        match self {
            Self::Plain { bytes, cells, .. } => &bytes[cells[column].clone()],
            Self::Quoted(_, _, record) => &record[column],
        }
    }
}

impl Records {
    pub(crate) fn new(header: Arc<Header>, block: Block) -> Self {
        let Block { bytes, line, plain } = block;
        let rows = if plain {
            Rows::Plain { bytes, next: 0, next_line: line, cells: Vec::new() }
        } else {
            let mut reader = csv::ReaderBuilder::new();
            reader.delimiter(header.delimiter).flexible(true).has_headers(false);
            // A carriage return before it is trimmed as white space; this counts lines correctly even where line ends
            // are mixed.
            reader.terminator(Terminator::Any(b'\n'));
            Rows::Quoted(line, Box::new(reader.from_reader(Cursor::new(bytes))), ByteRecord::new())
        };
        Self { header, rows, line: 0 }
    }

    /// The same rows, under this header.
    pub(crate) fn named(&mut self, header: Arc<Header>) {
        self.header = header;
    }

    /// All cells of the current row; `None` if one is not UTF-8 text.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        let text = |column| std::str::from_utf8(self.rows.cell(column)).ok().map(|text| text.trim().to_owned());
        (0..self.rows.cells()).map(text).collect()
    }

    /// Moves to the next row; `false` at the end.
    pub(crate) fn next(&mut self) -> Result<bool, Error> {
        let single = self.header.names.len() == 1;
        loop {
            let Some((start, lines)) = self.advance()? else { return Ok(false) };
            if lines > LINES_IN_A_ROW {
                return Err(self.location().error(Fault::RowTooLong { lines }));
            }
            if single && self.line > start {
                // In a single column, an empty line is an empty cell.
                self.line = start;
                return Err(self.cell(0).error(Fault::Empty));
            }
            if self.rows.cells() == 1 && self.rows.cell(0).trim_ascii().is_empty() {
                if single {
                    return Err(self.cell(0).error(Fault::Empty));
                }
                continue;
            }
            return self.as_wide_as_the_header().map(|()| true);
        }
    }

    /// Moves to the next row, and returns the line after the previous row (empty lines may follow it) and the number of
    /// lines of the new row.
    fn advance(&mut self) -> Result<Option<(u64, u64)>, Error> {
        match &mut self.rows {
            Rows::Plain { bytes, next, next_line, cells } => {
                if *next == bytes.len() {
                    return Ok(None);
                }
                cells.clear();
                let (mut from, delimiter) = (*next, self.header.delimiter);
                for at in memchr::memchr2_iter(delimiter, b'\n', &bytes[*next..]) {
                    let at = *next + at;
                    cells.push(from..at);
                    from = at + 1;
                    if bytes[at] == b'\n' {
                        break;
                    }
                }
                (*next, self.line) = (from, *next_line);
                *next_line += 1;
                Ok(Some((self.line, 1)))
            }
            Rows::Quoted(first, reader, record) => {
                let more = reader.read_byte_record(record);
                let more = more.map_err(Error::unreadable(&self.header.place))?;
                if !more {
                    return Ok(None);
                }
                // The reader skips empty lines and counts them as part of the record that follows.
                let start = record.position().map_or(0, csv::Position::line);
                let end = reader.position().line();
                let lines = record.as_slice().split(|b| *b == b'\n').count() as u64;
                self.line = *first - 1 + end - lines;
                Ok(Some((*first - 1 + start, lines)))
            }
        }
    }

    fn as_wide_as_the_header(&self) -> Result<(), Error> {
        let (cells, columns) = (self.rows.cells(), self.header.names.len());
        if columns > 0 && cells != columns {
            return Err(self.location().error(Fault::RowWidth { cells, columns }));
        }
        Ok(())
    }

    /// A cell of the current row, without the spaces around it.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn text(&self, column: usize) -> Result<&str, Error> {
        self.verbatim(column).map(str::trim)
    }

    /// A cell of the current row, with its spaces.
    pub(crate) fn verbatim(&self, column: usize) -> Result<&str, Error> {
        match std::str::from_utf8(self.rows.cell(column)) {
            Ok(text) => Ok(text.strip_suffix('\r').unwrap_or(text)),
            Err(_) => Err(self.cell(column).error(Fault::NotUtf8)),
        }
    }

    /// A cell as a finite number.
    ///
    /// # Errors
    /// If it is not one.
    pub fn number(&self, column: usize) -> Result<f64, Error> {
        // Most cells are plain numbers and need no further look.
        if let Ok(number) = fast_float2::parse::<f64, _>(self.rows.cell(column).trim_ascii())
            && number.is_finite()
        {
            return Ok(number);
        }
        let text = self.text(column)?;
        let value = text.to_owned();
        let fault = match text.parse::<f64>() {
            Ok(score) if score.is_finite() => return Ok(score),
            _ if text.is_empty() => Fault::Empty,
            _ if text.replacen(',', ".", 1).parse::<f64>().is_ok_and(f64::is_finite) => Fault::DecimalComma { value },
            _ => Fault::NotFinite { value },
        };
        Err(self.cell(column).error(fault))
    }

    /// A finite number, which must lie strictly between 0 and 1 if something needs that.
    pub(crate) fn score(&self, column: usize, unit_interval: Option<&'static str>) -> Result<f64, Error> {
        let value = self.number(column)?;
        match unit_interval {
            Some(needed_by) if value <= 0.0 || value >= 1.0 => {
                Err(self.cell(column).error(Fault::OutsideUnitInterval { value, needed_by }))
            }
            _ => Ok(value),
        }
    }

    /// A cell as a number from 0 to 1.
    ///
    /// # Errors
    /// If it is not one.
    pub fn probability(&self, column: usize) -> Result<f64, Error> {
        let value = self.number(column)?;
        if (0.0..=1.0).contains(&value) {
            Ok(value)
        } else {
            Err(self.cell(column).error(Fault::NotAProbability { value }))
        }
    }

    /// A whole number from 0 to 2^53: sums of a few of them do not overflow.
    pub(crate) fn whole(&self, column: usize) -> Result<u64, Error> {
        let text = self.text(column)?;
        match text.parse::<u64>() {
            Ok(number) if number <= 1 << 53 => Ok(number),
            _ => Err(self.cell(column).error(Fault::NotWhole { value: text.to_owned() })),
        }
    }

    /// A weight: 0, or a positive number whose square neither overflows nor underflows.
    pub(crate) fn weight(&self, column: usize) -> Result<f64, Error> {
        let w = self.number(column)?;
        if w == 0.0 || (1e-100..=1e100).contains(&w) {
            Ok(w)
        } else {
            let value = self.text(column)?.to_owned();
            Err(self.cell(column).error(Fault::NotAWeight { value }))
        }
    }

    /// An error about a cell of the current row that must be corrected in the cell itself.
    pub fn wrong(&self, column: usize, what: &str) -> Error {
        self.refused(column, what, "correct it or remove the row")
    }

    /// An error about a cell of the current row, with what to do about it.
    pub fn refused(&self, column: usize, what: &str, remedy: &'static str) -> Error {
        self.cell(column).error(Fault::Cell { what: what.to_owned(), remedy })
    }

    /// Where the current row is.
    pub(crate) fn location(&self) -> Location {
        Location::file(&self.header.place).at(Position::Line(self.line))
    }

    /// Where a cell of the current row is.
    pub(crate) fn cell(&self, column: usize) -> Location {
        self.location().column(&self.header.names[column])
    }

    /// The line the current row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }
}
