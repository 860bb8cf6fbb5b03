//! The one error type of all crates: a problem of any kind, and where it is.

use crate::condition::{Condition, ErrorCondition, ErrorKind, Field};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A problem with the input, and its location as far as it is known.
///
/// A problem is a value of any type with [`ErrorCondition`]. The library has [`Problem`](crate::Problem) and
/// [`NotPossible`](crate::NotPossible), and other crates have types of their own. A problem becomes an error with `?` or `into`,
/// and callers add what they know of its location.
///
/// # Examples
/// ```
/// use truecount::{Condition, LabelledScores, Problem};
/// let error = LabelledScores::new(&[2.1, 1.4, f64::NAN], &[true, true, false]).unwrap_err();
/// assert_eq!(error.code(), "score-not-finite");
/// assert_eq!(error.location().row, Some(2));
/// assert_eq!(error.code(), "score-not-finite");
/// assert_eq!(error.in_file("train.csv").to_string(), "train.csv: score 2 is NaN; scores must be finite numbers");
/// ```
#[derive(Clone, Debug)]
pub struct Error(Box<Located>);

#[derive(Clone, Debug)]
struct Located {
    problem: Arc<dyn ErrorCondition>,
    location: ErrorLocation,
}

/// The place of a problem in the input of the caller, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorLocation {
    /// The name of a file, or of standard input.
    pub file: Option<String>,
    /// The name of a sheet of the file.
    pub sheet: Option<String>,
    /// A position in the file.
    pub position: Option<Position>,
    /// The row of the caller's arrays; rows count from 0.
    pub row: Option<usize>,
    /// The name of a column, or of an array: `scores`, `probabilities` or `weights` in the library.
    pub column: Option<String>,
    /// The name of a group.
    pub group: Option<String>,
    /// The number of a test set or group among those of the caller; sets count from 0.
    pub set: Option<usize>,
    /// One of several methods.
    pub method: Option<String>,
    /// One of several tables: `target` or `audited`.
    pub table: Option<&'static str>,
}

/// A position in a file; lines and rows count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text.
    Line(u64),
    /// A row of a typed table.
    Row(u64),
    /// A cell of a sheet, whose rows and columns count from 0.
    #[allow(missing_docs)]
    Cell { row: u32, column: u32 },
    /// A place after this line.
    AfterLine(u64),
    /// This row, or one after it.
    FromRow(u64),
}

impl Error {
    /// The kind of the problem.
    pub fn kind(&self) -> ErrorKind {
        self.0.problem.kind()
    }

    /// The code of the problem.
    pub fn code(&self) -> &'static str {
        self.0.problem.code()
    }

    /// The problem without its location.
    pub fn condition(&self) -> &dyn ErrorCondition {
        &*self.0.problem
    }

    /// The problem, if it is of this type.
    pub fn problem<P: ErrorCondition>(&self) -> Option<&P> {
        let problem: &dyn Any = &*self.0.problem;
        problem.downcast_ref()
    }

    /// The location of the problem.
    pub fn location(&self) -> &ErrorLocation {
        &self.0.location
    }

    /// The sentence of the problem, which begins with the value that it is about (`score 3 `), if it is about one; without any other
    /// part of the location.
    pub fn sentence(&self) -> String {
        let ErrorLocation { row, column, .. } = self.location();
        let value = ErrorLocation { row: *row, column: column.clone(), ..ErrorLocation::default() };
        let content = value.is_value().then_some(value);
        format!("{}{}", content.unwrap_or_default(), self.0.problem)
    }

    /// Adds to the location what is not yet known of it.
    #[must_use]
    pub fn within(mut self, outer: ErrorLocation) -> Self {
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
        self.within(ErrorLocation::file(file))
    }

    /// Adds the row of the caller, counted from 0.
    #[must_use]
    pub fn at_row(self, row: usize) -> Self {
        self.within(ErrorLocation { row: Some(row), ..ErrorLocation::default() })
    }

    /// Adds the name of the group.
    #[must_use]
    pub fn in_group(self, name: impl Into<String>) -> Self {
        self.within(ErrorLocation { group: Some(name.into()), ..ErrorLocation::default() })
    }

    /// Adds the number of the test set or group, counted from 0.
    #[must_use]
    pub fn in_set(self, set: usize) -> Self {
        self.within(ErrorLocation { set: Some(set), ..ErrorLocation::default() })
    }

    /// Adds the method.
    #[must_use]
    pub fn for_method(self, method: impl fmt::Display) -> Self {
        self.within(ErrorLocation { method: Some(method.to_string()), ..ErrorLocation::default() })
    }

    /// Adds the table.
    #[must_use]
    pub fn in_table(self, table: &'static str) -> Self {
        self.within(ErrorLocation { table: Some(table), ..ErrorLocation::default() })
    }

    /// Replaces the number of the row, for a caller whose rows have other numbers.
    #[must_use]
    pub fn map_row(mut self, number: impl FnOnce(usize) -> usize) -> Self {
        self.0.location.row = self.0.location.row.map(number);
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

    /// The values of the location, and then those of the problem.
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
    /// Errors are equal if their code, their fields and their sentence are.
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

impl ErrorLocation {
    /// The location that is a whole file.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: Some(file.to_string()), ..Self::default() }
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

    /// A problem, or an error with a location of its own, at this location.
    pub fn error(self, problem: impl Into<Error>) -> Error {
        problem.into().within(self)
    }

    /// A value of one of the library's columns.
    pub fn value(column: &'static str, row: usize) -> Self {
        Self { row: Some(row), ..Self::default() }.column(column)
    }

    /// Whether it is a value of one of the library's columns.
    pub fn is_value(&self) -> bool {
        self.row.is_some() && self.content().is_some()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let text = |text: &String| Field::Text(text.clone());
        let number = |number: usize| Field::Whole(number as u64);
        let position = |position: Position| match position {
            Position::Cell { .. } => ("cell", Field::Text(position.to_string().replace("cell ", ""))),
            Position::Line(line) => ("line", Field::Whole(line)),
            Position::Row(row) => ("row", Field::Whole(row)),
            Position::AfterLine(line) => ("after_line", Field::Whole(line)),
            Position::FromRow(row) => ("from_row", Field::Whole(row)),
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

    /// The content of a place, as the subject of a sentence that begins with the verb.
    fn content(&self) -> Option<&'static str> {
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

/// `table.csv, line 3, column 'score': the cell `, `train.csv: o-cs: ` or `score 3 `: what comes before the sentence of a problem.
///
/// Who has given groups, sets and tables knows them by other names than the library, and says which one it is.
impl fmt::Display for ErrorLocation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let content = self.content();
        let value = self.row.filter(|_| self.position.is_none() && content.is_some());
        let places = [
            self.file.clone(),
            self.sheet.as_ref().map(|sheet| format!("sheet '{sheet}'")),
            self.position.map(|position| position.to_string()),
            self.row.filter(|_| value.is_none()).map(|row| format!("row {row}")),
            self.column.as_ref().filter(|_| value.is_none()).map(|column| format!("column '{column}'")),
        ];
        let places: Vec<String> = places.into_iter().flatten().collect();
        if !places.is_empty() {
            write!(f, "{}: ", places.join(", "))?;
        }
        self.method.as_ref().map_or(Ok(()), |method| write!(f, "{method}: "))?;
        content.map_or(Ok(()), |content| write!(f, "{content} "))?;
        value.map_or(Ok(()), |row| write!(f, "{row} "))
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

/// The name of a column in spreadsheets: A, B, …, Z, AA, AB, …
fn letters(column: u32) -> String {
    let before = column.checked_div(26).filter(|turns| *turns > 0).map(|turns| letters(turns - 1));
    let last = char::from_digit(10 + column % 26, 36).expect("below 36").to_ascii_uppercase();
    format!("{}{last}", before.unwrap_or_default())
}
