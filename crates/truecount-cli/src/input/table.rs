//! A delimited text with a header, read record by record, that always knows where it is.

use super::source;
use crate::failure::Failure;
use csv::{ByteRecord, Terminator};
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Delimiters told apart by the header line; the comma comes first and wins ties.
const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

/// A row of more lines than this has lost a closing quote.
const LINES_IN_A_ROW: u64 = 1000;

pub struct Table {
    name: String,
    header: Vec<String>,
    reader: csv::Reader<Lines>,
    record: ByteRecord,
    line: u64,
}

impl Table {
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::from(source::name(path), source::open(path)?)
    }

    /// Without a bar, for one of many files.
    pub fn open_quietly(path: &Path) -> Result<Self, Failure> {
        Self::from(source::name(path), source::open_quietly(path)?)
    }

    fn from(name: String, mut bytes: Box<dyn BufRead>) -> Result<Self, Failure> {
        let start = bytes.fill_buf().map_err(|e| Failure::Data(format!("{name}: {}", describe(&e))))?;
        if let Some(what) = no_table(start) {
            return Err(Failure::Data(format!("{name}: {what}")));
        }
        let first_line = start.split(|b| *b == b'\n').next().unwrap_or_default();
        let count = |delimiter: u8| first_line.split(|b| *b == delimiter).count();
        // `max_by_key` keeps the last of equals.
        let delimiter = DELIMITERS.into_iter().rev().max_by_key(|d| count(*d)).expect("there are delimiters");
        let reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            // A carriage return before it is white space; lines are then counted right in every mixture of the two.
            .terminator(Terminator::Any(b'\n'))
            .flexible(true)
            .has_headers(false)
            .from_reader(Lines { bytes, delimiter, cell: Cell::Start, line: 1, last: b'\n' });
        let mut table = Self { name, header: Vec::new(), reader, record: ByteRecord::new(), line: 0 };
        if !table.next()? {
            return Err(Failure::Data(format!("{}: is empty; it needs a header line and rows", table.name)));
        }
        let texts = table.record.iter().map(|cell| std::str::from_utf8(cell).map(|text| text.trim().to_owned()));
        table.header = texts.collect::<Result<_, _>>().map_err(|_| {
            Failure::Data(format!("{}: the header is not UTF-8 text; save the file as UTF-8", table.name))
        })?;
        if table.header.iter().any(|column| column.contains('\r')) {
            return Err(Failure::Data(format!(
                "{}: lines end in carriage returns alone; save the file with ordinary line ends",
                table.name
            )));
        }
        Ok(table)
    }

    /// The position of the column of that name.
    pub fn column(&self, name: &str) -> Result<usize, Failure> {
        let mut found = self.header.iter().enumerate().filter(|(_, column)| *column == name).map(|(i, _)| i);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => {
                Err(Failure::Data(format!("{}: several columns are called '{name}'; rename all but one", self.name)))
            }
            _ => {
                let known: Vec<String> = self.header.iter().map(|column| format!("'{column}'")).collect();
                let hint = if self.header.iter().any(|column| column.parse::<f64>().is_ok()) {
                    "; is the header line missing?"
                } else {
                    ""
                };
                Err(Failure::Data(format!(
                    "{}: there is no column '{name}'; the columns are {}{hint}",
                    self.name,
                    known.join(", ")
                )))
            }
        }
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Moves to the next row; false at the end.
    pub fn next(&mut self) -> Result<bool, Failure> {
        loop {
            let more = self.reader.read_byte_record(&mut self.record).map_err(|e| match e.into_kind() {
                csv::ErrorKind::Io(e) if e.kind() == io::ErrorKind::Other => {
                    Failure::Data(format!("{}: {e}", self.name))
                }
                csv::ErrorKind::Io(e) => {
                    Failure::Data(format!("{}, after line {}: {}", self.name, self.line, describe(&e)))
                }
                other => Failure::Data(format!("{}, after line {}: {other:?}", self.name, self.line)),
            })?;
            if !more {
                return Ok(false);
            }
            // The reader passes over empty lines and counts them to the record that follows.
            let start = self.record.position().map_or(0, csv::Position::line);
            let end = self.reader.position().line();
            let lines = self.record.as_slice().split(|b| *b == b'\n').count() as u64;
            self.line = end - lines;
            if lines > LINES_IN_A_ROW {
                return Err(Failure::Data(format!(
                    "{}, line {}: the row goes on for {lines} lines; a quote that opens there is closed too late",
                    self.name, self.line
                )));
            }
            let single = self.header.len() == 1;
            if single && self.line > start {
                // In a single column, an empty line is an empty cell.
                self.line = start;
                return Err(self.wrong(0, "is empty"));
            }
            if !single && self.record.len() == 1 && self.record.as_slice().trim_ascii().is_empty() {
                continue;
            }
            return self.as_wide_as_the_header().map(|()| true);
        }
    }

    fn as_wide_as_the_header(&self) -> Result<(), Failure> {
        let (cells, expected) = (self.record.len(), self.header.len());
        if expected > 0 && cells != expected {
            let plural = |n: usize| if n == 1 { "cell" } else { "cells" };
            return Err(Failure::Data(format!(
                "{}, line {}: the row has {cells} {}, the header {expected}; check quotes, delimiters and decimal commas",
                self.name,
                self.line,
                plural(cells)
            )));
        }
        Ok(())
    }

    /// The cell of the current row, without the spaces around it.
    pub fn text(&self, column: usize) -> Result<&str, Failure> {
        match std::str::from_utf8(&self.record[column]) {
            Ok(text) => Ok(text.trim()),
            Err(_) => Err(self.wrong(column, "is not UTF-8 text")),
        }
    }

    /// The cell as a finite number.
    pub fn number(&self, column: usize) -> Result<f64, Failure> {
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
                let remedy = "choose another --family, or --transform rank";
                Err(self.refused(
                    column,
                    &format!("is '{score}'; {needed_by} needs scores above 0 and below 1"),
                    remedy,
                ))
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
        let (name, line, column) = (&self.name, self.line, &self.header[column]);
        Failure::Data(format!("{name}, line {line}, column '{column}': the cell {what}; {remedy}"))
    }

    /// An error about a table that is a header and nothing else.
    pub fn without_rows(&self) -> Failure {
        Failure::Data(format!("{}: there are no rows below the header", self.name))
    }

    /// The line the current row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What a file that begins so is instead of a table.
fn no_table(start: &[u8]) -> Option<&'static str> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("is UTF-16 text; save it as UTF-8"),
        [b'P', b'K', 3, 4, ..] => Some("is a zip archive or a spreadsheet; save it as CSV"),
        [b'P', b'A', b'R', b'1', ..] => Some("is Parquet; save it as CSV"),
        [0x1f, 0x8b, ..] => Some("is packed twice; unpack it once"),
        _ => None,
    }
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed file is cut off; get a complete copy".to_owned(),
        _ => error.to_string(),
    }
}

/// Passes bytes on, ends the last line if the file does not, and follows the quotes, which the CSV reader takes as they
/// come: a quote that is never closed, or closed in the middle of a cell, would swallow rows without a word.
struct Lines {
    bytes: Box<dyn BufRead>,
    delimiter: u8,
    cell: Cell,
    line: u64,
    last: u8,
}

/// Where in a cell the last byte was.
#[derive(Clone, Copy)]
enum Cell {
    Start,
    Plain,
    /// Inside quotes that began in that line.
    Quoted(u64),
    /// Behind what may be the closing quote.
    Closed(u64),
}

impl Lines {
    fn follow(&mut self, byte: u8) -> io::Result<()> {
        self.cell = match (self.cell, byte) {
            (Cell::Quoted(line), b'"') => Cell::Closed(line),
            (Cell::Closed(line), b'"') | (Cell::Quoted(line), _) => Cell::Quoted(line),
            (_, b'\n') => Cell::Start,
            (_, delimiter) if delimiter == self.delimiter => Cell::Start,
            (Cell::Closed(line), b' ' | b'\r') => Cell::Closed(line),
            (Cell::Closed(line), _) => {
                return Err(io::Error::other(format!(
                    "text follows a closing quote in line {}, of a cell whose quote opens in line {line}; \
                     is a quote missing, or one too many?",
                    self.line
                )));
            }
            (Cell::Start, b'"') => Cell::Quoted(self.line),
            (Cell::Start | Cell::Plain, _) => Cell::Plain,
        };
        self.line += u64::from(byte == b'\n');
        Ok(())
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.bytes.read(buffer)?;
        buffer[..n].iter().try_for_each(|byte| self.follow(*byte))?;
        if let Some(last) = buffer[..n].last() {
            self.last = *last;
        } else if let Cell::Quoted(line) = self.cell {
            return Err(io::Error::other(format!("a quote that opens in line {line} is never closed")));
        } else if let Some(first) = buffer.first_mut()
            && self.last != b'\n'
        {
            (*first, self.last) = (b'\n', b'\n');
            return Ok(1);
        }
        Ok(n)
    }
}
