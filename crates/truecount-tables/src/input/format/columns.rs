//! The wanted columns of typed tables (Parquet and Arrow).

use super::FormatChunk;
use crate::key_types::makes_groups;
use crate::wider;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{Field, Schema};
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Position, Problem};
use truecount_analysis::{ScoreValues, TableProblem};
use truecount_text::{ColumnSelection, RowNumbers, as_score_error, invalid_probability, invalid_score, invalid_weight};

/// The columns to read from a typed table, each once, in the table's order.
#[derive(Clone)]
pub struct ColumnIndices(Arc<Inner>);

struct Inner {
    /// The file, for messages.
    place: String,
    /// Their positions in the table.
    positions: Vec<usize>,
    // The following are indices into `positions`.
    score: ColumnIndex,
    probability: Option<ColumnIndex>,
    weight: Option<ColumnIndex>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

struct ColumnIndex {
    name: String,
    position: usize,
}

impl ColumnIndices {
    pub fn find(place: String, schema: &Schema, wanted: &ColumnSelection) -> Result<Self, Error> {
        let find = |name: &str| find(&place, schema, name);
        let number = |name: &str| {
            let position = find(name)?;
            holds_numbers(&place, schema.field(position)).map(|()| position)
        };
        let score = number(wanted.columns.score_column(|name| schema.index_of(name).is_ok()))?;
        let probability = wanted.columns.probability.map(number).transpose()?;
        let weight = wanted.weight.map(number).transpose()?;
        let group = |name: &String| {
            let position = find(name)?;
            holds_groups(&place, schema.field(position)).map(|()| position)
        };
        let by = wanted.by.iter().map(group).collect::<Result<Vec<_>, _>>()?;
        let mut positions: Vec<usize> =
            [score].into_iter().chain(probability).chain(weight).chain(by.iter().copied()).collect();
        positions.sort_unstable();
        positions.dedup();
        let among = |position: usize| positions.partition_point(|p| *p < position);
        let column =
            |position: usize| ColumnIndex { name: schema.field(position).name().clone(), position: among(position) };
        Ok(Self(Arc::new(Inner {
            score: column(score),
            probability: probability.map(column),
            weight: weight.map(column),
            by: by.into_iter().map(among).collect(),
            unit_interval: wanted.unit_interval,
            place,
            positions,
        })))
    }

    /// The file, for messages.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// The positions of the columns in the table, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.0.positions
    }

    /// The positions in the table of the grouping columns.
    pub fn by(&self) -> impl Iterator<Item = usize> {
        self.0.by.iter().map(|among| self.0.positions[*among])
    }

    /// The wanted columns of a batch of rows, checked. `first` is the number of its first row, counted from 1.
    pub fn chunk(&self, batch: &RecordBatch, first: u64) -> Result<FormatChunk, Error> {
        let Inner { score, probability, weight, by, unit_interval, .. } = self.0.as_ref();
        let of = |column: &ColumnIndex| self.numbers(column, batch.column(column.position), first);
        let scores = of(score).map_err(as_score_error)?;
        if unit_interval.is_some() {
            self.check(score, &scores, first, |value| invalid_score(value, *unit_interval))?;
        }
        let within = |column: &Option<ColumnIndex>, check: fn(f64) -> Option<Problem>| {
            let read = |column: &ColumnIndex| {
                let values = of(column)?;
                self.check(column, &values, first, check).map(|()| values)
            };
            column.as_ref().map(read).transpose()
        };
        let probabilities = within(probability, invalid_probability)?;
        let weights = within(weight, invalid_weight)?;
        let numbers = ScoreValues { scores, probabilities, weights };
        let by = by.iter().map(|column| Arc::clone(batch.column(*column))).collect();
        Ok(FormatChunk { numbers, by, places: RowNumbers::consecutive(first, batch.num_rows()) })
    }

    /// The column's values, checked to be finite numbers.
    fn numbers(&self, column: &ColumnIndex, values: &ArrayRef, first: u64) -> Result<ScalarBuffer<f64>, Error> {
        let Inner { place, .. } = self.0.as_ref();
        let numbers = wider::doubles(values).map_err(TableProblem::unreadable(place))?;
        if let Some(nulls) = numbers.nulls().filter(|nulls| nulls.null_count() > 0) {
            let row = nulls.iter().position(|valid| !valid).unwrap_or_default();
            return Err(self.wrong(column, first + row as u64, TableProblem::Null));
        }
        let problem = |x: f64| (!x.is_finite()).then(|| TableProblem::NotFinite { value: x.to_string() });
        self.check(column, numbers.values(), first, problem)?;
        Ok(numbers.values().clone())
    }

    /// An error at the first value that has a problem.
    fn check<P: Into<Error>>(
        &self,
        column: &ColumnIndex,
        values: &[f64],
        first: u64,
        problem: impl Fn(f64) -> Option<P>,
    ) -> Result<(), Error> {
        let wrong = values.iter().enumerate().find_map(|(row, x)| problem(*x).map(|problem| (row, problem)));
        wrong.map_or(Ok(()), |(row, problem)| Err(self.wrong(column, first + row as u64, problem)))
    }

    fn wrong(&self, column: &ColumnIndex, row: u64, problem: impl Into<Error>) -> Error {
        ErrorLocation::file(&self.0.place).at(Position::Row(row)).column(&column.name).error(problem)
    }
}

fn find(place: &str, schema: &Schema, name: &str) -> Result<usize, Error> {
    let fields = schema.fields();
    let mut found = fields.iter().enumerate().filter(|(_, field)| field.name() == name).map(|(i, _)| i);
    let column = || name.to_owned();
    let problem = match (found.next(), found.next()) {
        (Some(position), None) => return Ok(position),
        (Some(_), Some(_)) => TableProblem::ColumnAmbiguous { column: column() },
        _ => TableProblem::ColumnUnknown {
            column: column(),
            columns: fields.iter().map(|field| field.name().clone()).collect(),
        },
    };
    Err(ErrorLocation::file(place).error(problem))
}

fn holds_numbers(place: &str, field: &Field) -> Result<(), Error> {
    if field.data_type().is_numeric() {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(place).error(TableProblem::NotNumbers { column, kind }))
}

fn holds_groups(place: &str, field: &Field) -> Result<(), Error> {
    if makes_groups(field.data_type()) {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(place).error(TableProblem::NotGroups { column, kind }))
}
