//! Rows of individually typed cells, as in JSON and workbooks. Grouping columns and labels become
//! text, as in delimited text.

use crate::rows::{
    ColumnSelection, RowNumbers, TextChunk, TextColumn, as_score_error, invalid_probability, invalid_score,
    invalid_weight,
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

/// The columns to read, without duplicates.
pub struct CellColumns {
    names: Vec<String>,
    /// Whether a table may lack the column.
    optional: Vec<bool>,
    // The following are indices into `names`.
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

/// Rows that have been read and validated.
pub struct CheckedRows<'a> {
    columns: &'a CellColumns,
    numbers: ScoreValues<Vec<f64>>,
    by: Vec<TextColumn>,
    row_numbers: RowNumbers,
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
        let by = selection.by.iter().map(|name| index(name)).collect();
        let optional = names.iter().map(|name| selection.optional.contains(name)).collect();
        Self { names, optional, score, probability, weight, by, unit_interval: selection.unit_interval }
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether a table may lack the column with this index.
    pub fn is_optional(&self, column: usize) -> bool {
        self.optional[column]
    }

    /// Returns the indices of the numeric columns, which every row must have.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        [Some(self.score), self.probability, self.weight].into_iter().flatten()
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
        Self { columns, numbers, by, row_numbers: RowNumbers::default() }
    }

    /// Adds a row with a cell for each column. `at` returns the location of a cell, by column.
    ///
    /// # Errors
    /// Returns an error at the location of the cell if a value is invalid in its column.
    pub fn push(&mut self, row_number: u64, cells: &[Cell], at: impl Fn(usize) -> ErrorLocation) -> Result<(), Error> {
        let Self { columns, numbers, by, row_numbers } = self;
        let number = |column: usize, check: &dyn Fn(f64) -> Option<Problem>| {
            let value = number(&cells[column]).map_err(|problem| at(column).error(problem))?;
            check(value).map_or(Ok(value), |problem| Err(at(column).error(problem)))
        };
        let score = number(columns.score, &|value| invalid_score(value, columns.unit_interval));
        numbers.scores.push(score.map_err(as_score_error)?);
        if let (Some(column), Some(values)) = (columns.probability, &mut numbers.probabilities) {
            values.push(number(column, &invalid_probability)?);
        }
        if let (Some(column), Some(values)) = (columns.weight, &mut numbers.weights) {
            values.push(number(column, &invalid_weight)?);
        }
        for (values, column) in by.iter_mut().zip(&columns.by) {
            match text(&cells[*column]).map_err(|problem| at(*column).error(problem))? {
                Some(text) => values.push(text),
                None => values.push_missing(),
            }
        }
        row_numbers.push(row_number);
        Ok(())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.row_numbers.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.row_numbers.is_empty()
    }

    /// Returns the rows as a chunk.
    pub fn chunk(self) -> TextChunk {
        let Self { numbers, by, row_numbers, .. } = self;
        TextChunk { numbers, by, row_numbers }
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
}

/// Parses a cell as a finite number.
pub(crate) fn number(cell: &Cell) -> Result<f64, TableProblem> {
    let description = match cell {
        Cell::Number(written) => {
            let value = fast_float2::parse::<f64, _>(written.as_bytes()).ok().filter(|value| value.is_finite());
            return value.ok_or_else(|| TableProblem::NotFinite { value: written.clone().into_owned() });
        }
        Cell::Absent => return Err(TableProblem::Absent),
        Cell::Null => return Err(TableProblem::Null),
        Cell::Empty => return Err(TableProblem::Empty),
        Cell::Truth(value) => value.to_string(),
        Cell::Text(text) => format!("the text '{text}'"),
        Cell::Other(description) => description.clone(),
    };
    Err(TableProblem::not_of_numbers(description))
}

/// Returns the text of a cell in a grouping column, or `None` if it is missing.
fn text<'a>(cell: &'a Cell) -> Result<Option<&'a str>, TableProblem> {
    match cell {
        Cell::Absent | Cell::Null | Cell::Empty => Ok(None),
        Cell::Number(_) | Cell::Text(_) | Cell::Truth(_) => Ok(Some(cell.as_text())),
        Cell::Other(description) => Err(TableProblem::NotGroup { found: description.clone() }),
    }
}
