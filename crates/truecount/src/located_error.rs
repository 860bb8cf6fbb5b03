//! The error type of all crates: a problem and its location.

use crate::condition::{Condition, ErrorCondition, ErrorKind, Field};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A problem with the input, and its location as far as it is known.
///
/// A problem is a value of any type with [`ErrorCondition`]. The library has
/// [`Problem`](crate::error::Problem) and
/// [`UnsupportedOperation`](crate::error::UnsupportedOperation); other crates define more. A problem
/// becomes an error with `?` or `into`, and callers add what they know about its location.
///
/// An error displays as a sentence for people. So does its debug form, which `main` prints for an
/// error that it returns.
///
/// # Examples
/// ```
/// use truecount::LabelledScores;
/// let error = LabelledScores::new(&[2.1, 1.4, f64::NAN], &[true, true, false]).unwrap_err();
/// assert_eq!(error.code(), "score-not-finite");
/// assert_eq!(error.location().row, Some(2));
/// assert_eq!(error.in_file("train.csv").to_string(), "train.csv: score 2 is NaN; scores must be finite numbers");
/// ```
#[derive(Clone)]
pub struct Error(Box<Located>);

#[derive(Clone, Debug)]
struct Located {
    problem: Arc<dyn ErrorCondition>,
    location: ErrorLocation,
}

/// The location of a problem in the input of the caller, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorLocation {
    /// The name of a file, or of standard input.
    pub file: Option<String>,
    /// The name of a sheet of the file.
    pub sheet: Option<String>,
    /// A position in the file.
    pub position: Option<Position>,
    /// The row of the caller's arrays, counted from 0.
    pub row: Option<usize>,
    /// The name of a column, or of an array: `scores`, `probabilities` or `weights` in the library.
    pub column: Option<String>,
    /// The name of a group.
    pub group: Option<String>,
    /// The number of a test set or group among those of the caller, counted from 0.
    pub set: Option<usize>,
    /// The method, if there are several.
    pub method: Option<String>,
    /// The table, if there are several: `target` or `audited`.
    pub table: Option<&'static str>,
}

/// A position in a file; lines and rows count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text file.
    Line(u64),
    /// A row of a typed table.
    Row(u64),
    /// A cell of a sheet; its row and its column count from 0.
    #[allow(missing_docs)]
    Cell { row: u32, column: u32 },
    /// Somewhere after this line.
    AfterLine(u64),
    /// This row or a later one.
    FromRow(u64),
}

impl Error {
    /// Returns the kind of the problem.
    pub fn kind(&self) -> ErrorKind {
        self.0.problem.kind()
    }

    /// Returns the code of the problem.
    pub fn code(&self) -> &'static str {
        self.0.problem.code()
    }

    /// Returns the problem without its location.
    pub fn condition(&self) -> &dyn ErrorCondition {
        &*self.0.problem
    }

    /// Returns the problem if it has this type.
    pub fn problem<P: ErrorCondition>(&self) -> Option<&P> {
        let problem: &dyn Any = &*self.0.problem;
        problem.downcast_ref()
    }

    /// Returns the location of the problem.
    pub fn location(&self) -> &ErrorLocation {
        &self.0.location
    }

    /// Returns the sentence of the problem without its location and its hint.
    ///
    /// If the problem is about a value of one of the library's columns, the sentence begins with
    /// that value (`score 3 `).
    pub fn sentence(&self) -> String {
        let ErrorLocation { row, column, .. } = self.location();
        let value = ErrorLocation { row: *row, column: column.clone(), ..ErrorLocation::default() };
        let subject = if value.is_value() { value } else { ErrorLocation::default() };
        format!("{subject}{}", self.0.problem.problem())
    }

    /// Fills the parts of the location that are not yet known from `outer`.
    #[must_use]
    pub fn or_location(mut self, outer: ErrorLocation) -> Self {
        let inner = std::mem::take(&mut self.0.location);
        self.0.location = ErrorLocation {
            file: inner.file.or(outer.file),
            sheet: inner.sheet.or(outer.sheet),
            position: inner.position.or(outer.position),
            row: inner.row.or(outer.row),
            column: inner.column.or(outer.column),
            group: inner.group.or(outer.group),
            set: inner.set.or(outer.set),
            method: inner.method.or(outer.method),
            table: inner.table.or(outer.table),
        };
        self
    }

    /// Adds the name of the file.
    #[must_use]
    pub fn in_file(self, file: impl fmt::Display) -> Self {
        self.or_location(ErrorLocation::file(file))
    }

    /// Adds the row of the caller's arrays, counted from 0.
    #[must_use]
    pub fn at_row(self, row: usize) -> Self {
        self.or_location(ErrorLocation { row: Some(row), ..ErrorLocation::default() })
    }

    /// Adds the name of the group.
    #[must_use]
    pub fn in_group(self, name: impl Into<String>) -> Self {
        self.or_location(ErrorLocation { group: Some(name.into()), ..ErrorLocation::default() })
    }

    /// Adds the number of the test set or group, counted from 0.
    #[must_use]
    pub fn in_set(self, set: usize) -> Self {
        self.or_location(ErrorLocation { set: Some(set), ..ErrorLocation::default() })
    }

    /// Adds the method.
    #[must_use]
    pub fn for_method(self, method: impl fmt::Display) -> Self {
        self.or_location(ErrorLocation { method: Some(method.to_string()), ..ErrorLocation::default() })
    }

    /// Adds the table.
    #[must_use]
    pub fn in_table(self, table: &'static str) -> Self {
        self.or_location(ErrorLocation { table: Some(table), ..ErrorLocation::default() })
    }

    /// Replaces the number of the row, for a caller that numbers rows differently.
    #[must_use]
    pub fn renumber_row(mut self, number: impl FnOnce(usize) -> usize) -> Self {
        self.0.location.row = self.0.location.row.map(number);
        self
    }

    /// Replaces the number of the set, for a caller that numbers sets differently.
    #[must_use]
    pub fn renumber_set(mut self, number: impl FnOnce(usize) -> usize) -> Self {
        self.0.location.set = self.0.location.set.map(number);
        self
    }
}

impl<P: ErrorCondition> From<P> for Error {
    fn from(problem: P) -> Self {
        Self(Box::new(Located { problem: Arc::new(problem), location: ErrorLocation::default() }))
    }
}

impl Condition for Error {
    fn code(&self) -> &'static str {
        self.code()
    }

    /// Returns the fields of the location, followed by the fields of the problem.
    fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = self.0.location.fields();
        fields.extend(self.0.problem.fields());
        fields
    }

    fn problem(&self) -> String {
        format!("{}{}", self.0.location, self.0.problem.problem())
    }

    fn hint(&self) -> Option<String> {
        self.0.problem.hint()
    }
}

impl PartialEq for Error {
    /// Returns whether the codes, the fields and the sentences are equal.
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code() && self.fields() == other.fields() && self.to_string() == other.to_string()
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.0.location, self.0.problem)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self} ({})", self.code())
    }
}

impl ErrorLocation {
    /// Returns the location of a whole file.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: Some(file.to_string()), ..Self::default() }
    }

    /// Adds the name of the sheet.
    #[must_use]
    pub fn sheet(self, name: impl Into<String>) -> Self {
        Self { sheet: Some(name.into()), ..self }
    }

    /// Adds the position in the file.
    #[must_use]
    pub fn at(self, position: Position) -> Self {
        Self { position: Some(position), ..self }
    }

    /// Adds the name of the column.
    #[must_use]
    pub fn column(self, name: impl Into<String>) -> Self {
        Self { column: Some(name.into()), ..self }
    }

    /// Returns the problem as an error at this location. An error keeps the parts of its own
    /// location.
    pub fn error(self, problem: impl Into<Error>) -> Error {
        problem.into().or_location(self)
    }

    /// Returns the location of a value in one of the library's columns.
    pub fn value(column: &'static str, row: usize) -> Self {
        Self { row: Some(row), ..Self::default() }.column(column)
    }

    /// Returns whether the location is a value in one of the library's columns.
    pub fn is_value(&self) -> bool {
        self.row.is_some() && self.subject().is_some()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let text = |text: &String| Field::Text(text.clone());
        let number = |number: usize| Field::Integer(number as u64);
        let position = |position: Position| match position {
            Position::Cell { .. } => ("cell", Field::Text(position.to_string().replace("cell ", ""))),
            Position::Line(line) => ("line", Field::Integer(line)),
            Position::Row(row) => ("row", Field::Integer(row)),
            Position::AfterLine(line) => ("after_line", Field::Integer(line)),
            Position::FromRow(row) => ("from_row", Field::Integer(row)),
        };
        [
            self.file.as_ref().map(|file| ("file", text(file))),
            self.sheet.as_ref().map(|sheet| ("sheet", text(sheet))),
            self.position.map(position),
            self.row.map(|row| ("row", number(row))),
            self.column.as_ref().map(|column| ("column", text(column))),
            self.group.as_ref().map(|group| ("group", text(group))),
            self.set.map(|set| ("set", number(set))),
            self.method.as_ref().map(|method| ("method", text(method))),
            self.table.map(|table| ("table", Field::Text(table.to_owned()))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Returns the subject for the sentence of the problem, which begins with its verb.
    fn subject(&self) -> Option<&'static str> {
        match (self.position, self.column.as_deref()?) {
            (Some(Position::Line(_) | Position::Cell { .. }), _) => Some("the cell"),
            (Some(Position::Row(_)), _) => Some("the value"),
            (_, "scores") if self.row.is_some() => Some("score"),
            (_, "probabilities") if self.row.is_some() => Some("probability"),
            (_, "weights") if self.row.is_some() => Some("weight"),
            _ => None,
        }
    }
}

/// Writes the text before the sentence of a problem, such as `table.csv, line 3, column 'score':
/// the cell `, `train.csv: o-cs: ` or `score 3 `.
///
/// The text omits group, set and table, for which callers have names of their own.
impl fmt::Display for ErrorLocation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let subject = self.subject();
        let value_row = self.row.filter(|_| self.position.is_none() && subject.is_some());
        let parts = [
            self.file.clone(),
            self.sheet.as_ref().map(|sheet| format!("sheet '{sheet}'")),
            self.position.map(|position| position.to_string()),
            self.row.filter(|_| value_row.is_none()).map(|row| format!("row {row}")),
            self.column.as_ref().filter(|_| value_row.is_none()).map(|column| format!("column '{column}'")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        self.method.as_ref().map_or(Ok(()), |method| write!(f, "{method}: "))?;
        subject.map_or(Ok(()), |subject| write!(f, "{subject} "))?;
        value_row.map_or(Ok(()), |row| write!(f, "{row} "))
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

/// Returns the letters of a column in spreadsheets: A, B, …, Z, AA, AB, …
fn letters(column: u32) -> String {
    let before = (column >= 26).then(|| letters(column / 26 - 1));
    let last = char::from_digit(10 + column % 26, 36).expect("below 36").to_ascii_uppercase();
    format!("{}{last}", before.unwrap_or_default())
}
