//! Rows of cells, checked value by value: cells of delimited text, and typed cells, as in JSON and
//! workbooks. Grouping columns and labels become text.

use crate::missing::MissingRows;
use crate::numbers::NumberParser;
use crate::rows::{
    CellVisitor, ColumnSelection, RowNumbers, RowValues, ScoreColumns, TextChunk, TextColumn, as_score_error,
    invalid_probability, invalid_score, invalid_weight,
};
use std::borrow::Cow;
use truecount::Error;
use truecount::error::{ErrorLocation, Problem};
use truecount_analysis::{ScoreValues, TableProblem};

/// The content of a cell.
#[derive(Clone)]
pub enum Cell<'a> {
    /// A cell that the row lacks, as a missing key in JSON.
    Absent,
    /// A JSON null.
    Null,
    /// An empty cell.
    Empty,
    /// A number, as written in the file.
    Number(Cow<'a, str>),
    /// A Boolean.
    Truth(bool),
    /// A text.
    Text(Cow<'a, str>),
    /// Any other value, as a description for messages.
    Other(String),
}

/// The cells of a row, by their index among [`CellColumns`].
pub trait RowCells {
    /// Returns the location of a cell.
    fn location(&self, column: usize) -> ErrorLocation;

    /// Returns the problem of a cell without a value, or `None` if it has one.
    fn without_value(&self, column: usize) -> Result<Option<TableProblem>, Error>;

    /// Parses a cell as a finite number.
    fn number(&self, column: usize, parser: &NumberParser) -> Result<f64, Error>;

    /// Returns the text of a cell in a grouping column, or `None` if it is missing.
    fn text(&self, column: usize) -> Result<Option<Cow<'_, str>>, Error>;
}

/// Typed cells, and a function that returns their locations.
impl<F: Fn(usize) -> ErrorLocation> RowCells for (&[Cell<'_>], F) {
    fn location(&self, column: usize) -> ErrorLocation {
        self.1(column)
    }

    fn without_value(&self, column: usize) -> Result<Option<TableProblem>, Error> {
        let cell = &self.0[column];
        Ok(cell.without_value().or_else(|| TableProblem::without_value(cell.as_text())))
    }

    fn number(&self, column: usize, parser: &NumberParser) -> Result<f64, Error> {
        number(&self.0[column], parser).map_err(|problem| self.location(column).error(problem))
    }

    fn text(&self, column: usize) -> Result<Option<Cow<'_, str>>, Error> {
        text(&self.0[column]).map_err(|problem| self.location(column).error(problem))
    }
}

/// The columns to read, without duplicates.
pub struct CellColumns {
    names: Vec<String>,
    /// Whether a table may lack the column.
    optional: Vec<bool>,
    // The following are indices into `names`.
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    classes: Vec<usize>,
    by: Vec<usize>,
    /// The grouping columns that need a value.
    required: Vec<usize>,
    unit_interval: Option<&'static str>,
    /// The parsers of the scores, probabilities and weights.
    parsers: [NumberParser; 3],
}

/// Rows that have been read and validated.
pub struct CheckedRows<'a> {
    columns: &'a CellColumns,
    numbers: ScoreValues<Vec<f64>>,
    classes: Vec<f64>,
    by: Vec<TextColumn>,
    row_numbers: RowNumbers,
    missing: MissingRows,
}

impl CellColumns {
    /// Resolves a selection for a table; `has` returns whether the table has a column.
    pub fn new(selection: &ColumnSelection, has: impl Fn(&str) -> bool) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut index = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        let score = index(selection.columns.score_column(has));
        let probability = selection.columns.probability.map(&mut index);
        let weight = selection.weight.map(&mut index);
        let [classes, by, required] = [selection.columns.classes, selection.by, selection.required]
            .map(|names| names.iter().map(|name| index(name)).collect());
        let ScoreColumns { decimal, words, .. } = selection.columns;
        let parsers = [words, None, None].map(|words| NumberParser::new(decimal).with_words(words));
        let optional = names.iter().map(|name| selection.optional.contains(name)).collect();
        Self {
            parsers,
            names,
            optional,
            score,
            probability,
            weight,
            classes,
            by,
            required,
            unit_interval: selection.unit_interval,
        }
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether a table may lack the column with this index.
    pub fn is_optional(&self, column: usize) -> bool {
        self.optional[column]
    }

    /// Returns the score, probability, weight and probabilities of classes of a row.
    fn row_values(&self, row: &impl RowCells) -> Result<RowValues, Error> {
        for column in &self.required {
            if let Some(problem) = row.without_value(*column)? {
                return Err(row.location(*column).error(problem));
            }
        }
        let check = |column: usize, value: f64, problem: Option<Problem>| {
            problem.map_or(Ok(value), |problem| Err(row.location(column).error(problem)))
        };
        let [scores, probabilities, weights] = &self.parsers;
        let score = row.number(self.score, scores).map_err(as_score_error)?;
        let probability = |column| {
            let value = row.number(column, probabilities)?;
            check(column, value, invalid_probability(value))
        };
        let weight = |column| row.number(column, weights).and_then(|value| check(column, value, invalid_weight(value)));
        Ok((
            check(self.score, score, invalid_score(score, self.unit_interval))?,
            self.probability.map(probability).transpose()?,
            self.weight.map(weight).transpose()?,
            self.classes.iter().map(|column| row.number(*column, probabilities)).collect::<Result<_, _>>()?,
        ))
    }

    /// Returns the columns whose numbers may have a decimal comma, in contrast to words.
    pub fn plain_numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers().skip(usize::from(self.parsers[0].reads_verdicts()))
    }

    /// Returns the indices of the numeric columns, which every row must have.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        [Some(self.score), self.probability, self.weight].into_iter().flatten().chain(self.classes.iter().copied())
    }
}

impl<'a> CheckedRows<'a> {
    /// Creates an empty collection of rows.
    pub fn new(columns: &'a CellColumns) -> Self {
        let column = |column: Option<usize>| column.map(|_| Vec::new());
        let numbers = ScoreValues {
            scores: Vec::new(),
            probabilities: column(columns.probability),
            weights: column(columns.weight),
        };
        let by = columns.by.iter().map(|_| TextColumn::default()).collect();
        let (row_numbers, missing) = (RowNumbers::default(), MissingRows::default());
        Self { columns, numbers, classes: Vec::new(), by, row_numbers, missing }
    }

    /// Adds a row, or counts it as missing if it lacks a value.
    ///
    /// # Errors
    /// Returns an error at the location of the cell if a value is invalid in its column.
    pub fn push(&mut self, row_number: u64, row: &impl RowCells) -> Result<(), Error> {
        match self.columns.row_values(row) {
            Ok((score, probability, weight, classes)) => {
                self.classes.extend(classes);
                self.numbers.scores.push(score);
                self.numbers.probabilities.iter_mut().for_each(|values| values.extend(probability));
                self.numbers.weights.iter_mut().for_each(|values| values.extend(weight));
                for (values, column) in self.by.iter_mut().zip(&self.columns.by) {
                    match row.text(*column)? {
                        Some(text) => values.push(&text),
                        None => values.push_missing(),
                    }
                }
                self.row_numbers.push(row_number);
            }
            Err(error) => {
                let group =
                    self.columns.by.iter().map(|column| Ok(row.text(*column)?.unwrap_or_default().into_owned()));
                self.missing.add(error, row_number, group.collect::<Result<_, Error>>()?)?;
                self.row_numbers.skip(row_number);
            }
        }
        Ok(())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.row_numbers.len()
    }

    /// Returns the rows as a chunk.
    pub fn chunk(self) -> TextChunk {
        let Self { numbers, classes, by, row_numbers, missing, .. } = self;
        TextChunk { numbers, classes, by, row_numbers, missing }
    }
}

impl Cell<'_> {
    /// Returns the text of the cell as a person reads it; empty if it is missing.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Absent | Self::Null | Self::Empty => "",
            Self::Truth(true) => "true",
            Self::Truth(false) => "false",
            Self::Number(text) | Self::Text(text) => text,
            Self::Other(description) => description,
        }
    }

    /// Calls a function with the index of the column, the text of the cell, and its number.
    pub(crate) fn visit(&self, column: usize, visit: &mut CellVisitor) {
        visit(column, self.as_text(), number(self, &NumberParser::new(None)).ok());
    }

    fn without_value(&self) -> Option<TableProblem> {
        match self {
            Self::Absent => Some(TableProblem::ValueMissing),
            Self::Null => Some(TableProblem::ValueNull),
            Self::Empty => Some(TableProblem::ValueEmpty),
            Self::Text(text) if text.is_empty() => Some(TableProblem::ValueEmpty),
            Self::Number(_) | Self::Truth(_) | Self::Text(_) | Self::Other(_) => None,
        }
    }
}

/// Parses a cell as a finite number.
fn number(cell: &Cell, parser: &NumberParser) -> Result<f64, TableProblem> {
    if let Some(problem) = cell.without_value() {
        return Err(problem);
    }
    let description = match cell {
        Cell::Other(description) => description.clone(),
        Cell::Number(written) => return parser.parse_literal(written),
        Cell::Text(text) => {
            return parser.parse(text).map_err(|problem| match problem {
                TableProblem::ValueNotNumber { .. } => TableProblem::not_of_numbers(format!("the text '{text}'")),
                problem => problem,
            });
        }
        written => return parser.parse(written.as_text()),
    };
    Err(TableProblem::not_of_numbers(description))
}

/// Returns the text of a cell in a grouping column, or `None` if it is missing. Equal numbers have
/// the same text.
fn text<'a>(cell: &'a Cell) -> Result<Option<Cow<'a, str>>, TableProblem> {
    match cell {
        Cell::Absent | Cell::Null | Cell::Empty => Ok(None),
        Cell::Number(written) => Ok(Some(shortest(written))),
        Cell::Text(_) | Cell::Truth(_) => Ok(Some(cell.as_text().into())),
        Cell::Other(description) => Err(TableProblem::ValueNotGroup { found: description.clone() }),
    }
}

/// Returns the shortest text of a number. Integers are kept as written, as they may have more digits
/// than a double.
fn shortest(written: &str) -> Cow<'_, str> {
    let is_integer = written != "-0" && written.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    // Adding 0 turns -0 into 0.
    let number = if is_integer { None } else { written.parse().ok().filter(|number: &f64| number.is_finite()) };
    number.map_or(written.into(), |number| (number + 0.0).to_string().into())
}
