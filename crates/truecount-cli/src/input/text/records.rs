//! The rows of a block, read one by one, that always know where they are.

use super::{Block, Header};
use crate::failure::Failure;
use crate::input::rows::OF_ANY_SIZE;
use csv::{ByteRecord, Terminator};
use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;

/// A row of more lines than this has lost a closing quote.
const LINES_IN_A_ROW: u64 = 1000;

pub struct Records {
    header: Arc<Header>,
    rows: Rows,
    /// The line of the current row.
    line: u64,
}

/// Where rows are found.
enum Rows {
    /// Without quotes every line end ends a row, and every delimiter a cell.
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
    pub fn new(header: Arc<Header>, block: Block) -> Self {
        let Block { bytes, line, plain } = block;
        let rows = if plain {
            Rows::Plain { bytes, next: 0, next_line: line, cells: Vec::new() }
        } else {
            let mut reader = csv::ReaderBuilder::new();
            reader.delimiter(header.delimiter).flexible(true).has_headers(false);
            // A carriage return before it is white space; lines are then counted right in every mixture of the two.
            reader.terminator(Terminator::Any(b'\n'));
            Rows::Quoted(line, Box::new(reader.from_reader(Cursor::new(bytes))), ByteRecord::new())
        };
        Self { header, rows, line: 0 }
    }

    /// The same rows below this header.
    pub fn named(&mut self, header: Arc<Header>) {
        self.header = header;
    }

    /// All cells of the current row; none if one is not UTF-8 text.
    pub fn texts(&self) -> Option<Vec<String>> {
        let text = |column| std::str::from_utf8(self.rows.cell(column)).ok().map(|text| text.trim().to_owned());
        (0..self.rows.cells()).map(text).collect()
    }

    /// Moves to the next row; false at the end.
    pub fn next(&mut self) -> Result<bool, Failure> {
        let single = self.header.names.len() == 1;
        loop {
            let Some((start, lines)) = self.advance()? else { return Ok(false) };
            if lines > LINES_IN_A_ROW {
                return Err(Failure::Data(format!(
                    "{}, line {}: the row goes on for {lines} lines; a quote that opens there is closed too late",
                    self.header.place, self.line
                )));
            }
            if single && self.line > start {
                // In a single column, an empty line is an empty cell.
                self.line = start;
                return Err(self.wrong(0, "is empty"));
            }
            if self.rows.cells() == 1 && self.rows.cell(0).trim_ascii().is_empty() {
                if single {
                    return Err(self.wrong(0, "is empty"));
                }
                continue;
            }
            return self.as_wide_as_the_header().map(|()| true);
        }
    }

    /// Goes to the next row: the line after the row before, from which on lines may have been passed over, and how many lines the
    /// row has.
    fn advance(&mut self) -> Result<Option<(u64, u64)>, Failure> {
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
                let more = more.map_err(|e| Failure::Data(format!("{}: {e}", self.header.place)))?;
                if !more {
                    return Ok(None);
                }
                // The reader passes over empty lines and counts them to the record that follows.
                let start = record.position().map_or(0, csv::Position::line);
                let end = reader.position().line();
                let lines = record.as_slice().split(|b| *b == b'\n').count() as u64;
                self.line = *first - 1 + end - lines;
                Ok(Some((*first - 1 + start, lines)))
            }
        }
    }

    fn as_wide_as_the_header(&self) -> Result<(), Failure> {
        let (cells, expected) = (self.rows.cells(), self.header.names.len());
        if expected > 0 && cells != expected {
            let plural = |n: usize| if n == 1 { "cell" } else { "cells" };
            return Err(Failure::Data(format!(
                "{}, line {}: the row has {cells} {}, the header {expected}; check quotes, delimiters and decimal commas",
                self.header.place,
                self.line,
                plural(cells)
            )));
        }
        Ok(())
    }

    /// The cell of the current row, without the spaces around it.
    pub fn text(&self, column: usize) -> Result<&str, Failure> {
        self.verbatim(column).map(str::trim)
    }

    /// The cell of the current row with its spaces.
    pub fn verbatim(&self, column: usize) -> Result<&str, Failure> {
        match std::str::from_utf8(self.rows.cell(column)) {
            Ok(text) => Ok(text.strip_suffix('\r').unwrap_or(text)),
            Err(_) => Err(self.wrong(column, "is not UTF-8 text")),
        }
    }

    /// The cell as a finite number.
    pub fn number(&self, column: usize) -> Result<f64, Failure> {
        // What most cells are needs no further look.
        if let Ok(number) = fast_float2::parse::<f64, _>(self.rows.cell(column).trim_ascii())
            && number.is_finite()
        {
            return Ok(number);
        }
        let text = self.text(column)?;
        match text.parse::<f64>() {
            Ok(score) if score.is_finite() => Ok(score),
            _ if text.is_empty() => Err(self.wrong(column, "is empty")),
            _ if text.replacen(',', ".", 1).parse::<f64>().is_ok_and(f64::is_finite) => Err(self.wrong(
                column,
                &format!("is '{text}'; write numbers with a decimal point and nothing between thousands"),
            )),
            _ => Err(self.wrong(column, &format!("is '{text}', not a finite number"))),
        }
    }

    /// A number as it is, but strictly between 0 and 1 if something needs that.
    pub fn score(&self, column: usize, unit_interval: Option<&str>) -> Result<f64, Failure> {
        let score = self.number(column)?;
        match unit_interval {
            Some(needed_by) if score <= 0.0 || score >= 1.0 => {
                let what = format!("is '{score}'; {needed_by} needs scores above 0 and below 1");
                Err(self.refused(column, &what, OF_ANY_SIZE))
            }
            _ => Ok(score),
        }
    }

    /// A number from 0 to 1.
    pub fn probability(&self, column: usize) -> Result<f64, Failure> {
        let p = self.number(column)?;
        if (0.0..=1.0).contains(&p) {
            Ok(p)
        } else {
            Err(self.wrong(column, &format!("is '{p}'; probabilities lie between 0 and 1")))
        }
    }

    /// A true share of positives, from 0 to 1.
    pub fn prevalence(&self, column: usize) -> Result<f64, Failure> {
        self.share(column, "correct it or remove the row")
    }

    /// An estimated share of positives, from 0 to 1.
    pub fn estimate(&self, column: usize) -> Result<f64, Failure> {
        self.share(
            column,
            "clip estimates that are outside; if the column is none of estimates, name those with --method",
        )
    }

    fn share(&self, column: usize, remedy: &str) -> Result<f64, Failure> {
        let share = self.number(column)?;
        if (0.0..=1.0).contains(&share) {
            Ok(share)
        } else {
            let text = self.text(column)?;
            Err(self.refused(column, &format!("is '{text}'; prevalences lie between 0 and 1"), remedy))
        }
    }

    /// A whole number from 1.
    pub fn count(&self, column: usize) -> Result<u64, Failure> {
        match self.text(column)? {
            "" => Err(self.wrong(column, "is empty")),
            text => match text.parse() {
                Ok(n) if n > 0 => Ok(n),
                _ => Err(self.wrong(column, &format!("is '{text}', not a whole number from 1"))),
            },
        }
    }

    /// 0 or a positive number, and none that the squares of would be too large or too small for.
    pub fn weight(&self, column: usize) -> Result<f64, Failure> {
        let w = self.number(column)?;
        if w == 0.0 || (1e-100..=1e100).contains(&w) {
            Ok(w)
        } else {
            let text = self.text(column)?;
            Err(self.wrong(column, &format!("is '{text}'; weights are 0 or positive, from 1e-100 to 1e100")))
        }
    }

    /// An error about a cell of the current row.
    pub fn wrong(&self, column: usize, what: &str) -> Failure {
        self.refused(column, what, "correct it or remove the row")
    }

    /// An error about a cell of the current row, with what to do about it.
    fn refused(&self, column: usize, what: &str, remedy: &str) -> Failure {
        let (name, line, column) = (&self.header.place, self.line, &self.header.names[column]);
        Failure::Data(format!("{name}, line {line}, column '{column}': the cell {what}; {remedy}"))
    }

    /// The line the current row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }
}
