//! What can be wrong with a table, a tally or a file: where, as values, and in a sentence.

use crate::fault::Fault;
use std::fmt;
use truecount::{Condition, Field};

/// Something is wrong at a place of a file, or with files as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// Where; none if the fault says it all.
    pub location: Option<Box<Location>>,
    /// What.
    pub fault: Fault,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// What the file is called, or that it is standard input.
    pub file: String,
    /// Its line or row; none for the file as a whole.
    pub position: Option<Position>,
    /// The name of a column.
    pub column: Option<String>,
}

/// How far into a file; everything counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text.
    Line(u64),
    /// A row of a typed table.
    Row(u64),
    /// Somewhere behind a line.
    AfterLine(u64),
    /// A row, or one of those that follow it.
    FromRow(u64),
}

impl Error {
    /// About a file as a whole.
    pub fn in_file(file: impl fmt::Display, fault: impl Into<Fault>) -> Self {
        Location::file(file).error(fault)
    }

    /// For `map_err`: a file that cannot be read.
    pub(crate) fn unreadable<E: fmt::Display>(file: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Self::in_file(file, Fault::Unreadable { reason: error.to_string() })
    }
}

impl Condition for Error {
    fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// The values it is about, by name: those of its location first.
    fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = Vec::new();
        if let Some(location) = &self.location {
            fields.push(("file", Field::Text(location.file.clone())));
            fields.extend(location.position.map(|position| match position {
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
    /// The file as a whole.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: file.to_string(), position: None, column: None }
    }

    /// That place in it.
    #[must_use]
    pub fn at(self, position: Position) -> Self {
        Self { position: Some(position), ..self }
    }

    /// That column.
    #[must_use]
    pub fn column(self, name: impl Into<String>) -> Self {
        Self { column: Some(name.into()), ..self }
    }

    /// What is wrong here.
    pub fn error(self, fault: impl Into<Fault>) -> Error {
        Error { location: Some(Box::new(self)), fault: fault.into() }
    }

    /// What a row has in a column.
    fn content(&self) -> &'static str {
        match (self.position, &self.column) {
            (Some(Position::Line(_)), Some(_)) => "the cell ",
            (Some(Position::Row(_)), Some(_)) => "the value ",
            _ => "",
        }
    }
}

/// `table.csv, line 3, column 'score'`
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.file)?;
        self.position.map_or(Ok(()), |position| write!(f, ", {position}"))?;
        self.column.as_ref().map_or(Ok(()), |column| write!(f, ", column '{column}'"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::AfterLine(line) => write!(f, "after line {line}"),
            Self::FromRow(row) => write!(f, "from row {row} on"),
        }
    }
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
