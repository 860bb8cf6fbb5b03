//! The table of an experiment as Parquet.
//!
//! A run writes the table in parts, one file each, so that it can be interrupted. Joining the same
//! parts gives the same bytes. The summary reads the table batch by batch, in constant memory.

use crate::{parquet as results_parquet, whole_file};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_analysis::experiment::columns::{
    CLASS, CLASSIFIER, DATA, DISTANCE, LABELLED, LABELLED_PREVALENCE, LOWER, LOWER_WIDENED, METHOD, POSTERIORS,
    PREVALENCE, PROTOCOL, SETTING, SIZE, TRAINING, TRUTH, UPPER, UPPER_WIDENED, WARNINGS,
};
use truecount_analysis::experiment::{ExperimentSummary, SampleOutcome, SampleRow};
use truecount_analysis::results::{ResultTable, Results};
use truecount_analysis::table_values::ColumnValues;

/// Writes a part atomically.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_part(rows: &[SampleRow], path: &Path) -> Result<(), Error> {
    let mut table = ResultTable::new(rows);
    if rows.first().is_none_or(|row| row.class.is_none()) {
        table = table.without(CLASS).without(DISTANCE);
    }
    let results = Results { tables: vec![table], ..Results::default() };
    whole_file::write_with(path, |out| results_parquet::write(&results, out))
}

/// Returns whether the file is a complete part.
pub fn is_part(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| ParquetRecordBatchReaderBuilder::try_new(file).is_ok())
}

/// Joins the parts into one file, in this order and atomically, with `about` as its metadata.
///
/// # Errors
/// Returns an error if a part cannot be read or the file cannot be written.
pub fn join(parts: &[PathBuf], about: &[(String, String)], path: &Path) -> Result<(), Error> {
    whole_file::write_with(path, |out| write_joined(parts, about, out).map_err(io::Error::other))
}

fn write_joined(parts: &[PathBuf], about: &[(String, String)], out: impl io::Write + Send) -> Result<(), ParquetError> {
    let about = about.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone())).collect();
    let properties = results_parquet::properties().set_key_value_metadata(Some(about)).build();
    let mut out = Some((out, properties));
    let mut writer = None;
    for part in parts {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(part)?)?;
        if let Some((out, properties)) = out.take() {
            // The metadata of the parts is dropped.
            let schema = reader.schema().as_ref().clone().with_metadata([].into());
            writer = Some(ArrowWriter::try_new(out, schema.into(), Some(properties))?);
        }
        let writer = writer.as_mut().expect("it is made for the first part");
        for batch in reader.build()? {
            let batch = batch?;
            writer.write(&batch)?;
        }
    }
    writer.map_or(Ok(()), |writer| writer.close().map(drop))
}

/// Summarises a table that [`join`] wrote.
///
/// # Errors
/// Returns an error if the file cannot be read or is not the table of an experiment.
pub fn summarise(path: &Path) -> Result<ExperimentSummary, Error> {
    let file = File::open(path).map_err(TableProblem::unreadable(path.display()))?;
    let unreadable = |e: &dyn Display| TableProblem::unreadable(path.display())(io::Error::other(e.to_string()));
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(ParquetRecordBatchReaderBuilder::build);
    let mut summary = ExperimentSummary::default();
    for batch in reader.map_err(|e| unreadable(&e))? {
        let batch = batch.map_err(|e| unreadable(&e))?;
        let columns =
            ExperimentColumns::from_batch(&batch).ok_or_else(|| unreadable(&"it is not the table of an experiment"))?;
        (0..batch.num_rows()).for_each(|row| summary.add(&columns.row(row)));
    }
    Ok(summary)
}

/// Reads a table that [`join`] wrote, as columns by name. Missing numbers are NaN.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn read_columns(path: &Path) -> Result<Vec<(String, ColumnValues<'static>)>, Error> {
    let file = File::open(path).map_err(TableProblem::unreadable(path.display()))?;
    let unreadable = |e: &dyn Display| TableProblem::unreadable(path.display())(io::Error::other(e.to_string()));
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| unreadable(&e))?;
    let schema = builder.schema().clone();
    let reader = builder.build().map_err(|e| unreadable(&e))?;
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|e| unreadable(&e))?;
    let table = concat_batches(&schema, &batches).map_err(|e| unreadable(&e))?;
    let columns = schema.fields().iter().zip(table.columns()).map(|(field, column)| {
        let values = column_values(column);
        let values =
            values.ok_or_else(|| unreadable(&format!("column {} is of type {}", field.name(), field.data_type())))?;
        Ok((field.name().clone(), values))
    });
    columns.collect()
}

/// Returns the values of texts, counts, numbers and flags; `None` for a column of another type.
fn column_values(column: &ArrayRef) -> Option<ColumnValues<'static>> {
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(ColumnValues::Text(texts.iter().map(|text| text.map(str::to_owned)).collect()));
    }
    if let Some(flags) = column.as_boolean_opt() {
        return Some(ColumnValues::Flag(flags.iter().collect()));
    }
    if let Some(counts) = column.as_primitive_opt::<UInt64Type>() {
        return Some(match counts.null_count() {
            0 => ColumnValues::Whole(counts.values().to_vec()),
            _ => {
                ColumnValues::Number(counts.iter().map(|count| count.map_or(f64::NAN, |count| count as f64)).collect())
            }
        });
    }
    let numbers = column.as_primitive_opt::<Float64Type>()?;
    Some(ColumnValues::Number(numbers.iter().map(|number| number.unwrap_or(f64::NAN)).collect()))
}

struct ExperimentColumns<'a> {
    texts: [&'a StringArray; 4],
    method: &'a StringArray,
    counts: [&'a UInt64Array; 2],
    truth: &'a Float64Array,
    labelled_prevalence: &'a Float64Array,
    /// The classes and the distances, if there are several classes.
    classes: Option<(&'a StringArray, &'a Float64Array)>,
    setting: &'a Float64Array,
    prevalence: &'a Float64Array,
    interval: [&'a Float64Array; 2],
    widened: [&'a Float64Array; 2],
    posteriors: &'a StringArray,
    warnings: &'a UInt64Array,
}

impl<'a> ExperimentColumns<'a> {
    fn from_batch(batch: &'a RecordBatch) -> Option<Self> {
        let text = |name| batch.column_by_name(name)?.as_string_opt();
        let count = |name| batch.column_by_name(name)?.as_primitive_opt::<UInt64Type>();
        let number = |name| batch.column_by_name(name)?.as_primitive_opt::<Float64Type>();
        Some(Self {
            texts: [text(DATA)?, text(TRAINING)?, text(CLASSIFIER)?, text(PROTOCOL)?],
            method: text(METHOD)?,
            counts: [count(LABELLED)?, count(SIZE)?],
            truth: number(TRUTH)?,
            labelled_prevalence: number(LABELLED_PREVALENCE)?,
            classes: text(CLASS).zip(number(DISTANCE)),
            setting: number(SETTING)?,
            prevalence: number(PREVALENCE)?,
            interval: [number(LOWER)?, number(UPPER)?],
            widened: [number(LOWER_WIDENED)?, number(UPPER_WIDENED)?],
            posteriors: text(POSTERIORS)?,
            warnings: count(WARNINGS)?,
        })
    }

    fn row(&self, row: usize) -> SampleOutcome<'_> {
        let optional = |column: &Float64Array| column.is_valid(row).then(|| column.value(row));
        let optional_pair = |columns: [&Float64Array; 2]| Some([optional(columns[0])?, optional(columns[1])?]);
        let [labelled, n] = self.counts.map(|counts| counts.value(row));
        let (truth, classes) = (self.truth.value(row), self.classes);
        SampleOutcome {
            cell: self.texts.map(|texts| texts.value(row)),
            labelled,
            class: classes.map(|(classes, _)| classes.value(row)),
            distance: classes.map_or_else(
                || (truth - self.labelled_prevalence.value(row)).abs(),
                |(_, distances)| distances.value(row),
            ),
            setting: optional(self.setting),
            n,
            truth,
            method: self.method.value(row),
            prevalence: optional(self.prevalence),
            interval: optional_pair(self.interval),
            widened: optional_pair(self.widened),
            posteriors: self.posteriors.value(row).parse().ok(),
            is_warned: self.warnings.is_valid(row) && self.warnings.value(row) > 0,
        }
    }
}
