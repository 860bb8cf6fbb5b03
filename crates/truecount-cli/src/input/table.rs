//! A delimited text with a header, read record by record, that always knows where it is.

use super::source;
use crate::failure::Failure;
use csv::ByteRecord;
use std::io::BufRead;
use std::path::Path;

/// Delimiters told apart by the header line; the comma comes first and wins ties.
const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

pub struct Table {
    name: String,
    header: Vec<String>,
    reader: csv::Reader<Box<dyn BufRead>>,
    record: ByteRecord,
    line: u64,
}

impl Table {
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = source::name(path);
        let mut bytes = source::open(path)?;
        let start = bytes.fill_buf().map_err(Failure::at(&name))?;
        let first_line = start.split(|b| *b == b'\n').next().unwrap_or_default();
        let count = |delimiter: u8| first_line.iter().filter(|b| **b == delimiter).count();
        // `max_by_key` keeps the last of equals.
        let delimiter = DELIMITERS.into_iter().rev().max_by_key(|d| count(*d)).expect("there are delimiters");
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
        let header: Vec<String> = match reader.headers() {
            Ok(header) => header.iter().map(|column| column.trim().to_owned()).collect(),
            Err(e) => return Err(Failure::Data(format!("{name}: the header cannot be read: {}", describe(&e)))),
        };
        if header.is_empty() {
            return Err(Failure::Data(format!("{name}: is empty; it needs a header line and rows")));
        }
        Ok(Self { name, header, reader, record: ByteRecord::new(), line: 1 })
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
                let headless = self.header.iter().all(|column| column.parse::<f64>().is_ok());
                let hint = if headless { "; is the header line missing?" } else { "" };
                Err(Failure::Data(format!(
                    "{}: there is no column '{name}'; the columns are {}{hint}",
                    self.name,
                    known.join(", ")
                )))
            }
        }
    }

    /// Moves to the next row; false at the end.
    pub fn next(&mut self) -> Result<bool, Failure> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|e| {
            let line = e.position().map_or(self.line + 1, csv::Position::line);
            Failure::Data(format!("{}, line {line}: {}", self.name, describe(&e)))
        })?;
        if more {
            // The reader passes over blank lines and counts them to the record that follows.
            let start = self.record.position().map_or(0, csv::Position::line);
            let inside = self.record.as_slice().iter().filter(|b| **b == b'\n').count() as u64;
            let blank = self.reader.position().line().saturating_sub(start + 1 + inside);
            self.line = start + blank;
            if blank > 0 && self.header.len() == 1 {
                // With a single column, an empty line is an empty cell.
                self.line = start;
                return Err(self.wrong(0, "is empty"));
            }
        }
        Ok(more)
    }

    /// The cell of the current row.
    pub fn text(&self, column: usize) -> Result<&str, Failure> {
        match std::str::from_utf8(&self.record[column]) {
            Ok(text) => Ok(text),
            Err(_) => Err(self.wrong(column, "is not UTF-8 text")),
        }
    }

    /// The cell as a finite number.
    pub fn score(&self, column: usize) -> Result<f64, Failure> {
        let text = self.text(column)?.trim();
        match text.parse::<f64>() {
            Ok(score) if score.is_finite() => Ok(score),
            _ if text.is_empty() => Err(self.wrong(column, "is empty")),
            _ if text.replacen(',', ".", 1).parse::<f64>().is_ok_and(f64::is_finite) => {
                Err(self.wrong(column, &format!("is '{text}'; write numbers with a decimal point")))
            }
            _ => Err(self.wrong(column, &format!("is '{text}', not a finite number"))),
        }
    }

    /// An error about a cell of the current row.
    pub fn wrong(&self, column: usize, what: &str) -> Failure {
        Failure::Data(format!(
            "{}, line {}, column '{}': the cell {what}; correct it or remove the row",
            self.name, self.line, self.header[column]
        ))
    }

    /// The line the current row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A CSV error without its position, which the caller gives.
fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} cells, the header {expected_len}; check quotes and delimiters")
        }
        csv::ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            "the compressed file is cut off; get a complete copy".to_owned()
        }
        csv::ErrorKind::Io(e) => e.to_string(),
        _ => error.to_string(),
    }
}
