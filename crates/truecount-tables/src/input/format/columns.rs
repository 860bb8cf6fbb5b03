//! The selected columns of typed tables (Parquet and Arrow).

use super::FormatChunk;
use crate::cast::{to_doubles, to_texts};
use crate::key_types::is_groupable;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, new_null_array};
use arrow_buffer::ScalarBuffer;
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::filter::filter_record_batch;
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position, Problem};
use truecount_analysis::{ScoreValues, TableProblem};
use truecount_text::{
    ColumnSelection, MissingRows, NumberParser, RowNumbers, as_score_error, find_column, invalid_probability,
    invalid_score, invalid_weight,
};

/// The columns to read from a typed table, without duplicates, in the order of the table.
#[derive(Clone)]
pub struct ColumnIndices(Arc<Inner>);

struct Inner {
    /// The file name, for messages.
    file_name: String,
    positions: Vec<usize>,
    score: NumberColumn,
    probability: Option<NumberColumn>,
    weight: Option<NumberColumn>,
    classes: Vec<NumberColumn>,
    /// Indices into `positions`; `None` for a missing optional column.
    by: Vec<Option<usize>>,
    /// The grouping columns that need a value, as indices into `by`.
    required: Vec<usize>,
    unit_interval: Option<&'static str>,
}

struct NumberColumn {
    name: String,
    /// The index in `positions`.
    index: usize,
    /// Parses the numbers if they are texts.
    parser: NumberParser,
}

impl ColumnIndices {
    pub fn find(file_name: String, schema: &Schema, selection: &ColumnSelection) -> Result<Self, Error> {
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let find = |name: &str| {
            find_column(names.clone(), name).map_err(|problem| ErrorLocation::file(&file_name).error(problem))
        };
        let has_column = |name: &str| schema.index_of(name).is_ok();
        let numeric_column = |name: &str| {
            let position = find(name)?;
            check_numeric(&file_name, schema.field(position)).map(|()| position)
        };
        let columns = selection.columns;
        let score = numeric_column(columns.score_column(has_column))?;
        let probability = columns.probability.map(numeric_column).transpose()?;
        let weight = selection.weight.map(numeric_column).transpose()?;
        let classes = columns.classes.iter().map(|name| numeric_column(name)).collect::<Result<Vec<_>, _>>()?;
        let grouping_column = |name: &String| {
            if selection.optional.contains(name) && !has_column(name) {
                return Ok(None);
            }
            let position = find(name)?;
            check_groupable(&file_name, schema.field(position)).map(|()| Some(position))
        };
        let by = selection.by.iter().map(grouping_column).collect::<Result<Vec<_>, _>>()?;
        let grouping = by.iter().flatten().copied();
        let mut positions: Vec<usize> =
            [score].into_iter().chain(probability).chain(weight).chain(classes.clone()).chain(grouping).collect();
        positions.sort_unstable();
        positions.dedup();
        let index = |position: usize| positions.partition_point(|p| *p < position);
        let column = |position: usize| NumberColumn {
            name: schema.field(position).name().clone(),
            index: index(position),
            parser: NumberParser::new(columns.decimal),
        };
        let score = column(score);
        Ok(Self(Arc::new(Inner {
            score: NumberColumn { parser: score.parser.with_words(columns.words), ..score },
            probability: probability.map(column),
            weight: weight.map(column),
            classes: classes.into_iter().map(column).collect(),
            by: by.into_iter().map(|position| position.map(index)).collect(),
            required: (0..selection.by.len()).filter(|key| selection.required.contains(&selection.by[*key])).collect(),
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
        let Inner { file_name, by, required, .. } = self.0.as_ref();
        let batch = &decode_runs(batch).map_err(TableProblem::unreadable(file_name))?;
        let row_numbers = RowNumbers::consecutive(first, batch.num_rows());
        let read = if required.iter().filter_map(|key| by[*key]).any(|column| has_missing_values(batch.column(column)))
        {
            None
        } else {
            match self.complete_chunk(batch, row_numbers) {
                Err(error) if MissingRows::is_missing(&error) => None,
                read => Some(read),
            }
        };
        read.unwrap_or_else(|| {
            let (batch, row_numbers, missing) = self.complete_rows(batch, first)?;
            Ok(FormatChunk { missing, ..self.complete_chunk(&batch, row_numbers)? })
        })
    }

    /// Returns the rows of a batch that have all values, with their numbers, and counts the other rows.
    fn complete_rows(&self, batch: &RecordBatch, first: u64) -> Result<(RecordBatch, RowNumbers, MissingRows), Error> {
        let Inner { file_name, score, probability, weight, classes, by, required, .. } = self.0.as_ref();
        let unreadable = |e| TableProblem::unreadable(file_name)(e);
        let options = FormatOptions::default();
        let grouping_values = self.grouping_values(batch);
        let keys = grouping_values.iter().map(|values| ArrayFormatter::try_new(values, &options));
        let keys = keys.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        let all_rows = RowNumbers::consecutive(first, batch.num_rows());
        let columns = [Some(score), probability.as_ref(), weight.as_ref()].into_iter().flatten().chain(classes);
        let numbers = columns.map(|column| Ok((column, self.doubles(column, batch.column(column.index), &all_rows)?)));
        let numbers = numbers.collect::<Result<Vec<_>, Error>>()?;
        let schema = batch.schema_ref();
        let problem = |row: usize| {
            let without_value = |key: &usize| {
                let problem = TableProblem::without_value(&keys[*key].value(row).to_string())?;
                Some((schema.field(by[*key]?).name(), problem))
            };
            required.iter().find_map(without_value).or_else(|| {
                numbers.iter().find_map(|(column, values)| {
                    let value = values.is_valid(row).then(|| values.value(row));
                    let problem = match value {
                        None => TableProblem::ValueNull,
                        Some(value) if value.is_nan() => TableProblem::ValueNone { value: value.to_string() },
                        Some(_) => return None,
                    };
                    Some((&column.name, problem))
                })
            })
        };
        let (mut row_numbers, mut missing) = (RowNumbers::default(), MissingRows::default());
        let mut is_complete = Vec::with_capacity(batch.num_rows());
        for (row, number) in (0..batch.num_rows()).zip(first..) {
            let problem = problem(row);
            is_complete.push(problem.is_none());
            match problem {
                None => row_numbers.push(number),
                Some((column, problem)) => {
                    let group = keys.iter().map(|key| key.value(row).to_string()).collect();
                    missing.add(self.error_at(column, number, problem), number, group)?;
                    row_numbers.skip(number);
                }
            }
        }
        let complete = filter_record_batch(batch, &BooleanArray::from(is_complete)).map_err(unreadable)?;
        Ok((complete, row_numbers, missing))
    }

    /// Returns the grouping columns of a batch; those that the table lacks are null.
    fn grouping_values(&self, batch: &RecordBatch) -> Vec<ArrayRef> {
        let values = |column: &Option<usize>| match column {
            Some(column) => Arc::clone(batch.column(*column)),
            None => new_null_array(&DataType::Utf8, batch.num_rows()),
        };
        self.0.by.iter().map(values).collect()
    }

    /// Returns the selected columns of rows with these numbers.
    fn complete_chunk(&self, batch: &RecordBatch, row_numbers: RowNumbers) -> Result<FormatChunk, Error> {
        let Inner { score, probability, weight, classes, unit_interval, .. } = self.0.as_ref();
        let numbers = |column: &NumberColumn| self.numbers(column, batch.column(column.index), &row_numbers);
        let scores = numbers(score).map_err(as_score_error)?;
        if unit_interval.is_some() {
            self.check(score, &scores, &row_numbers, |value| invalid_score(value, *unit_interval))?;
        }
        let checked_numbers = |column: &NumberColumn, check: fn(f64) -> Option<Problem>| {
            let values = numbers(column)?;
            self.check(column, &values, &row_numbers, check).map(|()| values)
        };
        let read_probabilities = |column| checked_numbers(column, invalid_probability);
        let probabilities = probability.as_ref().map(read_probabilities).transpose()?;
        let weights = weight.as_ref().map(|column| checked_numbers(column, invalid_weight)).transpose()?;
        let classes = classes.iter().map(numbers).collect::<Result<Vec<_>, _>>()?;
        let classes = (0..row_numbers.len()).flat_map(|row| classes.iter().map(move |column| column[row])).collect();
        let numbers = ScoreValues { scores, probabilities, weights };
        let (by, missing) = (self.grouping_values(batch), MissingRows::default());
        Ok(FormatChunk { numbers, classes, by, row_numbers, missing })
    }

    /// Returns the values of a column, or an error if one is not a finite number.
    fn numbers(
        &self,
        column: &NumberColumn,
        values: &ArrayRef,
        row_numbers: &RowNumbers,
    ) -> Result<ScalarBuffer<f64>, Error> {
        let numbers = self.doubles(column, values, row_numbers)?;
        if let Some(nulls) = numbers.nulls().filter(|nulls| nulls.null_count() > 0) {
            let row = nulls.iter().position(|valid| !valid).unwrap_or_default();
            return Err(self.error_at(&column.name, row_numbers.at(row), TableProblem::ValueNull));
        }
        let problem = |x: f64| (!x.is_finite()).then(|| TableProblem::not_a_number(x.to_string()));
        self.check(column, numbers.values(), row_numbers, problem)?;
        Ok(numbers.values().clone())
    }

    /// Returns the values of a column as numbers. Texts are parsed; a missing value is null.
    fn doubles(
        &self,
        column: &NumberColumn,
        values: &ArrayRef,
        row_numbers: &RowNumbers,
    ) -> Result<Float64Array, Error> {
        let unreadable = |e| TableProblem::unreadable(&self.0.file_name)(e);
        if !column.parser.reads_verdicts() && !has_texts(values.data_type()) {
            return to_doubles(values).map_err(unreadable);
        }
        let texts = to_texts(values).map_err(unreadable)?;
        let number = |(row, text): (usize, Option<&str>)| {
            let number = text.map(|text| column.parser.parse(text.trim())).transpose();
            match number.map_err(|problem| self.error_at(&column.name, row_numbers.at(row), problem)) {
                Err(error) if MissingRows::is_missing(&error) => Ok(None),
                number => number,
            }
        };
        texts.iter().enumerate().map(number).collect()
    }

    /// Returns an error at the first value with a problem.
    fn check<P: Into<Error>>(
        &self,
        column: &NumberColumn,
        values: &[f64],
        row_numbers: &RowNumbers,
        problem: impl Fn(f64) -> Option<P>,
    ) -> Result<(), Error> {
        let first_problem = values.iter().enumerate().find_map(|(row, x)| problem(*x).map(|problem| (row, problem)));
        first_problem.map_or(Ok(()), |(row, problem)| Err(self.error_at(&column.name, row_numbers.at(row), problem)))
    }

    fn error_at(&self, column: &str, row: u64, problem: impl Into<Error>) -> Error {
        ErrorLocation::file(&self.0.file_name).at(Position::Row(row)).column(column).error(problem)
    }
}

/// Returns whether a column has nulls, NaN, or texts that are empty or stand for a missing value.
fn has_missing_values(values: &dyn Array) -> bool {
    let is_missing = |text: Option<&str>| text.is_some_and(|text| TableProblem::without_value(text).is_some());
    let has_missing_text = match values.data_type() {
        DataType::Utf8 => values.as_string::<i32>().iter().any(is_missing),
        DataType::LargeUtf8 => values.as_string::<i64>().iter().any(is_missing),
        DataType::Utf8View => values.as_string_view().iter().any(is_missing),
        // NaN is seen row by row.
        kind if kind.is_floating() => true,
        _ => values.as_any_dictionary_opt().is_some_and(|dictionary| has_missing_values(dictionary.values())),
    };
    has_missing_text || values.logical_null_count() > 0
}

fn check_numeric(file_name: &str, field: &Field) -> Result<(), Error> {
    let kind = decoded_type(field.data_type());
    if kind.is_numeric() || *kind == DataType::Boolean || has_texts(kind) {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(file_name).error(TableProblem::ColumnNotNumbers { column, kind }))
}

/// Returns the type of the values of a column, without their run-end encoding.
fn decoded_type(kind: &DataType) -> &DataType {
    if let DataType::RunEndEncoded(_, values) = kind { decoded_type(values.data_type()) } else { kind }
}

/// Returns a batch without run-end encoded columns.
fn decode_runs(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().map(|values| cast(values, decoded_type(values.data_type())));
    let fields = batch.schema_ref().fields().iter();
    let fields = fields.map(|field| field.as_ref().clone().with_data_type(decoded_type(field.data_type()).clone()));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns.collect::<Result<_, _>>()?)
}

fn has_texts(kind: &DataType) -> bool {
    if let DataType::Dictionary(_, values) = kind { has_texts(values) } else { kind.is_string() }
}

fn check_groupable(file_name: &str, field: &Field) -> Result<(), Error> {
    if is_groupable(decoded_type(field.data_type())) {
        return Ok(());
    }
    let (column, kind) = (field.name().clone(), field.data_type().to_string());
    Err(ErrorLocation::file(file_name).error(TableProblem::ColumnNotGroups { column, kind }))
}
