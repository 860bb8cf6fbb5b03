//! Errors about tables, tallies and files: their place and fault as values, and as a sentence.

use crate::fault::Fault;
use std::fmt;
use truecount::{Condition, Field};

/// A fault at a place in a file, or with files as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The place; `None` where the fault alone says everything.
    pub location: Option<Box<Location>>,
    /// What is wrong there.
    pub fault: Fault,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// What the file is called, or that it is standard input.
    pub file: String,
    /// The name of a sheet in it.
    pub sheet: Option<String>,
    /// Its line or row; none for the file as a whole.
    pub position: Option<Position>,
    /// The name of a column.
    pub column: Option<String>,
}

/// How far into a file; lines and rows count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text.
    Line(u64),
    /// A row of a typed table.
    Row(u64),
    /// A cell of a sheet, whose rows and columns count from 0.
    #[allow(missing_docs)]
    Cell { row: u32, column: u32 },
    /// Somewhere after this line.
    AfterLine(u64),
    /// This row, or one after it.
    FromRow(u64),
}

impl Error {
    /// An error about a file as a whole.
    pub fn in_file(file: impl fmt::Display, fault: impl Into<Fault>) -> Self {
        Location::file(file).error(fault)
    }

    /// For `map_err`: the error that a file cannot be read.
    pub fn unreadable<E: fmt::Display>(file: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Self::in_file(file, Fault::Unreadable { reason: error.to_string() })
    }
}

impl Condition for Error {
    fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// The values the error carries, by name: those of its location first.
    fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = Vec::new();
        if let Some(location) = &self.location {
            fields.push(("file", Field::Text(location.file.clone())));
            fields.extend(location.sheet.iter().map(|sheet| ("sheet", Field::Text(sheet.clone()))));
            fields.extend(location.position.map(|position| match position {
                Position::Cell { .. } => ("cell", Field::Text(position.to_string().replace("cell ", ""))),
                Position::Line(line) => ("line", Field::Whole(line)),
                Position::Row(row) => ("row", Field::Whole(row)),
                Position::AfterLine(line) => ("after_line", Field::Whole(line)),
                Position::FromRow(row) => ("from_row", Field::Whole(row)),
            }));
            fields.extend(location.column.iter().map(|column| ("column", Field::Text(column.clone()))));
        }
        fields.extend(self.fault.fields());
        fields
    }
}

impl Location {
    /// The location that is a whole file.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: file.to_string(), sheet: None, position: None, column: None }
    }

    /// The same file, in this sheet.
    #[must_use]
    pub fn sheet(self, name: impl Into<String>) -> Self {
        Self { sheet: Some(name.into()), ..self }
    }

    /// The same file, at this position.
    #[must_use]
    pub fn at(self, position: Position) -> Self {
        Self { position: Some(position), ..self }
    }

    /// The same place, in this column.
    #[must_use]
    pub fn column(self, name: impl Into<String>) -> Self {
        Self { column: Some(name.into()), ..self }
    }

    /// An error at this location.
    pub fn error(self, fault: impl Into<Fault>) -> Error {
        Error { location: Some(Box::new(self)), fault: fault.into() }
    }

    /// What messages call the content of a row in a column.
    fn content(&self) -> &'static str {
        match (self.position, &self.column) {
            (Some(Position::Line(_) | Position::Cell { .. }), Some(_)) => "the cell ",
            (Some(Position::Row(_)), Some(_)) => "the value ",
            _ => "",
        }
    }
}

/// `table.csv, line 3, column 'score'`
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.file)?;
        self.sheet.as_ref().map_or(Ok(()), |sheet| write!(f, ", sheet '{sheet}'"))?;
        self.position.map_or(Ok(()), |position| write!(f, ", {position}"))?;
        self.column.as_ref().map_or(Ok(()), |column| write!(f, ", column '{column}'"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Cell { row, column } => write!(f, "cell {}{}", letters(*column), u64::from(*row) + 1),
            Self::AfterLine(line) => write!(f, "after line {line}"),
            Self::FromRow(row) => write!(f, "from row {row} on"),
        }
    }
}

/// What spreadsheets call a column: A, B, …, Z, AA, AB, …
fn letters(column: u32) -> String {
    let before = column.checked_div(26).filter(|turns| *turns > 0).map(|turns| letters(turns - 1));
    let last = char::from_digit(10 + column % 26, 36).expect("below 36").to_ascii_uppercase();
    format!("{}{last}", before.unwrap_or_default())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: {}", location.content())?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self { location: None, fault }
    }
}

impl From<truecount::Error> for Error {
    fn from(error: truecount::Error) -> Self {
        Fault::from(error).into()
    }
}
