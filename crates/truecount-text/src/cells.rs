//! Rows whose cells have a type each: those of JSON and of workbooks. What makes groups and labels is text here, as in a table of text.

use crate::rows::{
    RowPlaces, TextChunk, TextColumn, Wanted, at_score, invalid_probability, invalid_score, invalid_weight,
};
use std::borrow::Cow;
use truecount::{Error, ErrorLocation, Problem};
use truecount_analysis::{ScoreValues, TableProblem};

/// The content of a cell.
#[derive(Clone)]
pub enum Cell<'a> {
    /// The row has no such cell.
    Absent,
    /// The value of JSON that stands for none.
    Null,
    /// Nothing.
    Empty,
    /// A number, as it is written.
    Number(Cow<'a, str>),
    /// A truth value.
    Truth(bool),
    /// A text.
    Text(Cow<'a, str>),
    /// Something else, in words.
    Other(String),
}

/// The columns to read, each once.
pub struct CellColumns {
    names: Vec<String>,
    // The following are indices into `names`.
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

/// Rows that have been read, checked.
pub struct CheckedRows<'a> {
    columns: &'a CellColumns,
    numbers: ScoreValues<Vec<f64>>,
    by: Vec<TextColumn>,
    places: RowPlaces,
}

impl CellColumns {
    /// The columns of a table that has such columns.
    pub fn new(wanted: &Wanted, has: impl Fn(&str) -> bool) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut find = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        let score = find(wanted.columns.score_in(has));
        let probability = wanted.columns.probability.map(&mut find);
        let weight = wanted.weight.map(&mut find);
        let by = wanted.by.iter().map(|name| find(name)).collect();
        Self { names, score, probability, weight, by, unit_interval: wanted.unit_interval }
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Those of numbers, which every row has.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        [Some(self.score), self.probability, self.weight].into_iter().flatten()
    }
}

impl<'a> CheckedRows<'a> {
    /// No rows yet.
    pub fn new(columns: &'a CellColumns) -> Self {
        let column = |column: Option<usize>| column.map(|_| Vec::new());
        let numbers = ScoreValues {
            scores: Vec::new(),
            probabilities: column(columns.probability),
            weights: column(columns.weight),
        };
        let by = columns.by.iter().map(|_| TextColumn::default()).collect();
        Self { columns, numbers, by, places: RowPlaces::default() }
    }

    /// Adds a row, with a cell for each of the columns.
    ///
    /// # Errors
    /// Returns an error, at the place of its cell, if a value must not be in its column.
    pub fn push(&mut self, place: u64, cells: &[Cell], at: impl Fn(usize) -> ErrorLocation) -> Result<(), Error> {
        let Self { columns, numbers, by, places } = self;
        let number = |column: usize, check: &dyn Fn(f64) -> Option<Problem>| {
            let value = number(&cells[column]).map_err(|problem| at(column).error(problem))?;
            check(value).map_or(Ok(value), |problem| Err(at(column).error(problem)))
        };
        let score = number(columns.score, &|value| invalid_score(value, columns.unit_interval));
        numbers.scores.push(score.map_err(at_score)?);
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
        places.push(place);
        Ok(())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All rows as a chunk.
    pub fn chunk(self) -> TextChunk {
        let Self { numbers, by, places, .. } = self;
        TextChunk { numbers, by, places }
    }
}

impl Cell<'_> {
    /// As people read it.
    pub fn shown(&self) -> &str {
        match self {
            Self::Absent | Self::Null | Self::Empty => "",
            Self::Truth(true) => "true",
            Self::Truth(false) => "false",
            Self::Number(text) | Self::Text(text) => text,
            Self::Other(found) => found,
        }
    }
}

/// A cell as a finite number.
pub(crate) fn number(cell: &Cell) -> Result<f64, TableProblem> {
    let found = match cell {
        Cell::Number(written) => {
            let value = fast_float2::parse::<f64, _>(written.as_bytes()).ok().filter(|value| value.is_finite());
            return value.ok_or_else(|| TableProblem::NotFinite { value: written.clone().into_owned() });
        }
        Cell::Absent => return Err(TableProblem::Absent),
        Cell::Null => return Err(TableProblem::Null),
        Cell::Empty => return Err(TableProblem::Empty),
        Cell::Truth(value) => value.to_string(),
        Cell::Text(text) => format!("the text '{text}'"),
        Cell::Other(found) => found.clone(),
    };
    Err(TableProblem::not_of_numbers(found))
}

/// A cell as the text that makes a group; none if it is missing.
fn text<'a>(cell: &'a Cell) -> Result<Option<&'a str>, TableProblem> {
    match cell {
        Cell::Absent | Cell::Null | Cell::Empty => Ok(None),
        Cell::Number(_) | Cell::Text(_) | Cell::Truth(_) => Ok(Some(cell.shown())),
        Cell::Other(found) => Err(TableProblem::NotGroup { found: found.clone() }),
    }
}
