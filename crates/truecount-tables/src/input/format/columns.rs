//! The selected columns of typed tables (Parquet and Arrow).

use super::FormatChunk;
use crate::cast::to_doubles;
use crate::key_types::is_groupable;
use arrow_array::{Array, ArrayRef, RecordBatch, new_null_array};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position, Problem};
use truecount_analysis::{ScoreValues, TableProblem};
use truecount_text::{ColumnSelection, RowNumbers, as_score_error, invalid_probability, invalid_score, invalid_weight};

/// The columns to read from a typed table, without duplicates, in the order of the table.
#[derive(Clone)]
pub struct ColumnIndices(Arc<Inner>);

struct Inner {
    /// The file name, for messages.
    file_name: String,
    /// The positions of the columns in the table.
    positions: Vec<usize>,
    // The following are indices into `positions`.
    score: ColumnIndex,
    probability: Option<ColumnIndex>,
    weight: Option<ColumnIndex>,
    /// `None` for a missing optional column.
    by: Vec<Option<usize>>,
    unit_interval: Option<&'static str>,
}

/// A column with its index in `positions`.
struct ColumnIndex {
    name: String,
    position: usize,
}

impl ColumnIndices {
    pub fn find(file_name: String, schema: &Schema, selection: &ColumnSelection) -> Result<Self, Error> {
        let find = |name: &str| find_column(&file_name, schema, name);
        let has_column = |name: &str| schema.index_of(name).is_ok();
        let numeric_column = |name: &str| {
            let position = find(name)?;
            check_numeric(&file_name, schema.field(position)).map(|()| position)
        };
        let score = numeric_column(selection.columns.score_column(has_column))?;
        let probability = selection.columns.probability.map(numeric_column).transpose()?;
        let weight = selection.weight.map(numeric_column).transpose()?;
        let grouping_column = |name: &String| {
            if selection.optional.contains(name) && !has_column(name) {
                return Ok(None);
            }
            let position = find(name)?;
            check_groupable(&file_name, schema.field(position)).map(|()| Some(position))
        };
        let by = selection.by.iter().map(grouping_column).collect::<Result<Vec<_>, _>>()?;
        let mut positions: Vec<usize> =
            [score].into_iter().chain(probability).chain(weight).chain(by.iter().flatten().copied()).collect();
        positions.sort_unstable();
        positions.dedup();
        let index = |position: usize| positions.partition_point(|p| *p < position);
        let column =
            |position: usize| ColumnIndex { name: schema.field(position).name().clone(), position: index(position) };
        Ok(Self(Arc::new(Inner {
            score: column(score),
            probability: probability.map(column),
            weight: weight.map(column),
            by: by.into_iter().map(|position| position.map(index)).collect(),
            unit_interval: selection.unit_interval,
            file_name,
            positions,
        })))
    }

    /// Returns the file name, for messages.
    pub fn file_name(&self) -> &str {
        &self.0.file_name
    }

    /// Returns the positions of the columns in the table, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.0.positions
    }

    /// Returns the positions of the grouping columns in the table.
    pub fn by(&self) -> impl Iterator<Item = usize> {
        self.0.by.iter().flatten().map(|index| self.0.positions[*index])
    }

    /// Returns the selected columns of a batch of rows, validated. `first` is the number of its
    /// first row, counted from 1.
    pub fn chunk(&self, batch: &RecordBatch, first: u64) -> Result<FormatChunk, Error> {
        let Inner { score, probability, weight, by, unit_interval, .. } = self.0.as_ref();
        let numbers = |column: &ColumnIndex| self.numbers(column, batch.column(column.position), first);
        let scores = numbers(score).map_err(as_score_error)?;
        if unit_interval.is_some() {
            self.check(score, &scores, first, |value| invalid_score(value, *unit_interval))?;
        }
        let checked_numbers = |column: &Option<ColumnIndex>, check: fn(f64) -> Option<Problem>| {
            let read = |column: &ColumnIndex| {
                let values = numbers(column)?;
                self.check(column, &values, first, check).map(|()| values)
            };
            column.as_ref().map(read).transpose()
        };
        let probabilities = checked_numbers(probability, invalid_probability)?;
        let weights = checked_numbers(weight, invalid_weight)?;
        let numbers = ScoreValues { scores, probabilities, weights };
        let grouping_values = |column: &Option<usize>| match column {
            Some(column) => Arc::clone(batch.column(*column)),
            None => new_null_array(&DataType::Utf8, batch.num_rows()),
        };
        let by = by.iter().map(grouping_values).collect();
        Ok(FormatChunk { numbers, by, row_numbers: RowNumbers::consecutive(first, batch.num_rows()) })
    }

    /// Returns the values of a column, or an error if one is not a finite number.
    fn numbers(&self, column: &ColumnIndex, values: &ArrayRef, first: u64) -> Result<ScalarBuffer<f64>, Error> {
        let Inner { file_name, .. } = self.0.as_ref();
        let numbers = to_doubles(values).map_err(TableProblem::unreadable(file_name))?;
        if let Some(nulls) = numbers.nulls().filter(|nulls| nulls.null_count() > 0) {
            let row = nulls.iter().position(|valid| !valid).unwrap_or_default();
            return Err(self.error_at(column, first + row as u64, TableProblem::Null));
        }
        let problem = |x: f64| (!x.is_finite()).then(|| TableProblem::NotFinite { value: x.to_string() });
        self.check(column, numbers.values(), first, problem)?;
        Ok(numbers.values().clone())
    }

    /// Returns an error at the first value with a problem.
    fn check<P: Into<Error>>(
        &self,
        column: &ColumnIndex,
        values: &[f64],
        first: u64,
        problem: impl Fn(f64) -> Option<P>,
    ) -> Result<(), Error> {
        let first_problem = values.iter().enumerate().find_map(|(row, x)| problem(*x).map(|problem| (row, problem)));
        first_problem.map_or(Ok(()), |(row, problem)| Err(self.error_at(column, first + row as u64, problem)))
    }

    fn error_at(&self, column: &ColumnIndex, row: u64, problem: impl Into<Error>) -> Error {
        ErrorLocation::file(&self.0.file_name).at(Position::Row(row)).column(&column.name).error(problem)
    }
}

fn find_column(file_name: &str, schema: &Schema, name: &str) -> Result<usize, Error> {
    let fields = schema.fields();
    let mut matches = fields.iter().enumerate().filter(|(_, field)| field.name() == name).map(|(i, _)| i);
    let column = || name.to_owned();
    let problem = match (matches.next(), matches.next()) {
        (Some(position), None) => return Ok(position),
        (Some(_), Some(_)) => TableProblem::ColumnAmbiguous { column: column() },
        _ => TableProblem::ColumnUnknown {
            column: column(),
            columns: fields.iter().map(|field| field.name().clone()).collect(),
        },
    };
    Err(ErrorLocation::file(file_name).error(problem))
}

fn check_numeric(file_name: &str, field: &Field) -> Result<(), Error> {
    if field.data_type().is_numeric() {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(file_name).error(TableProblem::NotNumbers { column, kind }))
}

fn check_groupable(file_name: &str, field: &Field) -> Result<(), Error> {
    if is_groupable(field.data_type()) {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(file_name).error(TableProblem::NotGroups { column, kind }))
}
