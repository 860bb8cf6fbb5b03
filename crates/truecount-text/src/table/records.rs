//! The rows of a block, read one by one, each with its line number.

use super::{Header, TableBlock};
use crate::rows::{Decimal, at_score, invalid_probability, invalid_score, invalid_weight};
use std::ops::Range;
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Position, Problem};
use truecount_analysis::TableProblem;

/// A row with more lines than this has lost a closing quote.
const LINES_IN_A_ROW: u64 = 1000;

/// Rows of a text, with a current one.
#[derive(Clone)]
pub struct Records {
    header: Arc<Header>,
    rows: RecordRows,
    /// The first of the empty lines before the first row.
    empty: Option<u64>,
    /// The line of the current row.
    line: u64,
}

/// How the rows of a block are told apart, and the cells of a row.
#[derive(Clone)]
struct RecordRows {
    bytes: Vec<u8>,
    /// Where the next row begins, and its line.
    next: usize,
    next_line: u64,
    /// Where the cells of the current row are.
    cells: Vec<Range<usize>>,
    /// Of rows with quotes; without them, every line end ends a row and every delimiter a cell.
    quoted: Option<Quoted>,
}

/// Rows with quotes.
#[derive(Clone)]
struct Quoted {
    /// Where each row ends.
    ends: std::vec::IntoIter<usize>,
    /// The current row without its quotes.
    text: Vec<u8>,
}

impl RecordRows {
    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn cell(&self, column: usize) -> &[u8] {
        let text = self.quoted.as_ref().map_or(&self.bytes, |quoted| &quoted.text);
        &text[self.cells[column].clone()]
    }

    /// Moves to the next row; its line, and how many lines it has.
    fn advance(&mut self, delimiter: u8) -> Option<(u64, u64)> {
        if self.next == self.bytes.len() {
            return None;
        }
        self.cells.clear();
        let line = self.next_line;
        let lines = match &mut self.quoted {
            None => {
                let mut from = self.next;
                for at in memchr::memchr2_iter(delimiter, b'\n', &self.bytes[self.next..]) {
                    let at = self.next + at;
                    self.cells.push(from..at);
                    from = at + 1;
                    if self.bytes[at] == b'\n' {
                        break;
                    }
                }
                self.next = from;
                1
            }
            Some(quoted) => {
                let end = quoted.ends.next()?;
                let row = &self.bytes[self.next..end];
                quoted.read(row, delimiter, &mut self.cells);
                self.next = end;
                memchr::memchr_iter(b'\n', row).count() as u64
            }
        };
        self.next_line += lines;
        Some((line, lines))
    }
}

impl Quoted {
    /// Takes the quotes out of a row and finds its cells. Quotes are only where they may be, or there was no such block.
    fn read(&mut self, row: &[u8], delimiter: u8, cells: &mut Vec<Range<usize>>) {
        self.text.clear();
        let mut rest = row;
        loop {
            let start = self.text.len();
            if let Some(quoted) = rest.strip_prefix(b"\"") {
                rest = self.unquote(quoted);
            }
            let end = memchr::memchr2(delimiter, b'\n', rest).unwrap_or(rest.len());
            self.text.extend_from_slice(&rest[..end]);
            cells.push(start..self.text.len());
            match rest[end..].split_first() {
                Some((found, after)) if *found == delimiter => rest = after,
                _ => return,
            }
        }
    }

    /// Adds what is in quotes, of which the first was taken, and returns what follows the last: two in quotes are one.
    fn unquote<'a>(&mut self, mut rest: &'a [u8]) -> &'a [u8] {
        loop {
            let end = memchr::memchr(b'"', rest).unwrap_or(rest.len());
            self.text.extend_from_slice(&rest[..end]);
            rest = rest.get(end + 1..).unwrap_or_default();
            match rest.strip_prefix(b"\"") {
                Some(after) => rest = after,
                None => return rest,
            }
            self.text.push(b'"');
        }
    }
}

impl Records {
    pub(crate) fn new(header: Arc<Header>, block: TableBlock) -> Self {
        let TableBlock { bytes, line, ends, empty } = block;
        let quoted = ends.map(|ends| Quoted { ends: ends.into_iter(), text: Vec::new() });
        let rows = RecordRows { bytes, next: 0, next_line: line, cells: Vec::new(), quoted };
        Self { header, rows, empty, line: 0 }
    }

    /// The same rows, under this header.
    pub(crate) fn named(&mut self, header: Arc<Header>) {
        self.header = header;
    }

    /// How the first number in these columns is written that has a mark.
    pub(crate) fn decimal(&self, columns: &[usize]) -> Option<Decimal> {
        let mut ahead = self.clone();
        // What is wrong with a row is said when it is read.
        while let Ok(true) = ahead.next() {
            let decimal = columns.iter().find_map(|column| Decimal::parse(ahead.rows.cell(*column)));
            if decimal.is_some() {
                return decimal;
            }
        }
        None
    }

    /// All cells of the current row; `None` if one is not UTF-8 text.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        let text = |column| std::str::from_utf8(self.rows.cell(column)).ok().map(|text| text.trim().to_owned());
        (0..self.rows.cells()).map(text).collect()
    }

    /// Moves to the next row; `false` at the end.
    pub(crate) fn next(&mut self) -> Result<bool, Error> {
        let single = self.header.names.len() == 1;
        if let Some(line) = self.empty.take().filter(|_| single) {
            self.line = line;
            return Err(self.cell(0).error(TableProblem::Empty));
        }
        loop {
            let Some((line, lines)) = self.rows.advance(self.header.delimiter) else { return Ok(false) };
            self.line = line;
            if lines > LINES_IN_A_ROW {
                return Err(self.location().error(TableProblem::RowTooLong { lines }));
            }
            if self.rows.cells() == 1 && self.rows.cell(0).trim_ascii().is_empty() {
                // In a single column, an empty line is an empty cell.
                if single {
                    return Err(self.cell(0).error(TableProblem::Empty));
                }
                continue;
            }
            return self.as_wide_as_the_header().map(|()| true);
        }
    }

    fn as_wide_as_the_header(&self) -> Result<(), Error> {
        let (cells, columns) = (self.rows.cells(), self.header.names.len());
        if columns > 0 && cells != columns {
            return Err(self.location().error(TableProblem::RowWidth { cells, columns }));
        }
        Ok(())
    }

    /// A cell of the current row, without the spaces around it.
    ///
    /// # Errors
    /// Returns an error if it is not UTF-8.
    pub fn text(&self, column: usize) -> Result<&str, Error> {
        self.verbatim(column).map(str::trim)
    }

    /// A cell of the current row, with its spaces.
    ///
    /// # Errors
    /// Returns an error if it is not UTF-8.
    pub fn verbatim(&self, column: usize) -> Result<&str, Error> {
        match std::str::from_utf8(self.rows.cell(column)) {
            Ok(text) => Ok(text.strip_suffix('\r').unwrap_or(text)),
            Err(_) => Err(self.cell(column).error(TableProblem::NotUtf8)),
        }
    }

    /// A cell as a finite number.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    pub fn number(&self, column: usize) -> Result<f64, Error> {
        match self.header.decimal {
            Decimal::Point => self.with_point(column),
            Decimal::Comma => self.with_comma(column),
        }
    }

    fn with_comma(&self, column: usize) -> Result<f64, Error> {
        let text = self.text(column)?;
        let parsed = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        if let Some(number) = Decimal::Comma.pointed(text).and_then(|text| parsed(&text)) {
            return Ok(number);
        }
        let value = text.to_owned();
        let problem = match text {
            "" => TableProblem::Empty,
            _ if parsed(text).or_else(|| parsed(&text.replace('.', "").replace(',', "."))).is_some() => {
                TableProblem::DecimalPoint { value }
            }
            _ => TableProblem::not_a_number(value),
        };
        Err(self.cell(column).error(problem))
    }

    fn with_point(&self, column: usize) -> Result<f64, Error> {
        // Most cells are plain numbers and need no further look.
        if let Ok(number) = fast_float2::parse::<f64, _>(self.rows.cell(column).trim_ascii())
            && number.is_finite()
        {
            return Ok(number);
        }
        let text = self.text(column)?;
        let value = text.to_owned();
        let problem = match text.parse::<f64>() {
            Ok(score) if score.is_finite() => return Ok(score),
            _ if text.is_empty() => TableProblem::Empty,
            _ if text.replacen(',', ".", 1).parse::<f64>().is_ok_and(f64::is_finite) => {
                let separator = [(b'\t', "tabs"), (b';', "semicolons")].into_iter();
                let separator = separator.filter(|(delimiter, _)| *delimiter == self.header.delimiter);
                TableProblem::DecimalComma { value, separator: separator.map(|(_, name)| name.to_owned()).next() }
            }
            _ => TableProblem::not_a_number(value),
        };
        Err(self.cell(column).error(problem))
    }

    /// A finite number, which must lie strictly between 0 and 1 if something needs that.
    pub(crate) fn score(&self, column: usize, unit_interval: Option<&'static str>) -> Result<f64, Error> {
        let number = self.number(column).map_err(at_score);
        number.and_then(|value| self.valid(column, value, invalid_score(value, unit_interval)))
    }

    /// A cell as a number from 0 to 1.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    pub fn probability(&self, column: usize) -> Result<f64, Error> {
        self.number(column).and_then(|value| self.valid(column, value, invalid_probability(value)))
    }

    /// A whole number from 0 to 2^53: sums of a few of them do not overflow.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    pub fn whole(&self, column: usize) -> Result<u64, Error> {
        let text = self.text(column)?;
        match text.parse::<u64>() {
            Ok(number) if number <= 1 << 53 => Ok(number),
            _ => Err(self.cell(column).error(TableProblem::NotWhole { value: text.to_owned() })),
        }
    }

    /// A weight: 0, or a positive number whose square neither overflows nor underflows.
    pub(crate) fn weight(&self, column: usize) -> Result<f64, Error> {
        self.number(column).and_then(|value| self.valid(column, value, invalid_weight(value)))
    }

    /// The value, unless it has a problem.
    fn valid(&self, column: usize, value: f64, problem: Option<Problem>) -> Result<f64, Error> {
        problem.map_or(Ok(value), |problem| Err(self.cell(column).error(problem)))
    }

    /// An error about a cell of the current row that must be corrected in the cell itself.
    pub fn wrong(&self, column: usize, what: &str) -> Error {
        self.refused(column, what, "correct it or remove the row")
    }

    /// An error about a cell of the current row, with what to do about it.
    pub fn refused(&self, column: usize, what: &str, remedy: &'static str) -> Error {
        self.cell(column).error(TableProblem::Cell { what: what.to_owned(), remedy })
    }

    /// Where the current row is.
    pub fn location(&self) -> ErrorLocation {
        ErrorLocation::file(&self.header.place).at(Position::Line(self.line))
    }

    /// Where a cell of the current row is.
    pub fn cell(&self, column: usize) -> ErrorLocation {
        self.location().column(&self.header.names[column])
    }

    /// The line the current row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }
}
