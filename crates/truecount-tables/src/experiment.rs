//! The table of an experiment as Parquet: written in parts, each a file, so that a run can be stopped; put together, where the same parts
//! give the same bytes; and read as far as the summary needs it, batch by batch: any number of rows in the memory of its parts.

use crate::parquet as results_parquet;
use crate::whole_file;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, Float64Array, RecordBatch, StringArray, UInt64Array};
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
    CLASSIFIER, DATA, LABELLED, LABELLED_PREVALENCE, LOWER, LOWER_WIDENED, METHOD, PREVALENCE, PROTOCOL, SETTING, SIZE,
    TRAINING, TRUTH, UPPER, UPPER_WIDENED,
};
use truecount_analysis::experiment::{ExperimentSummary, SampleOutcome, SampleRow};
use truecount_analysis::results::{ResultTable, Results};

/// Writes a part, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_part(rows: &[SampleRow], path: &Path) -> Result<(), Error> {
    let results = Results { tables: vec![ResultTable::new(rows)], ..Results::default() };
    whole_file::write_with(path, |out| results_parquet::write(&results, out))
}

/// Whether there is a part, and it is whole.
pub fn is_part(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| ParquetRecordBatchReaderBuilder::try_new(file).is_ok())
}

/// Writes one file of all parts, in this order, whole or not at all; the file says what it is about.
///
/// # Errors
/// If a part cannot be read, or the file not be written.
pub fn join(parts: &[PathBuf], about: &[(String, String)], path: &Path) -> Result<(), Error> {
    whole_file::write_with(path, |out| joined(parts, about, out).map_err(io::Error::other))
}

fn joined(parts: &[PathBuf], about: &[(String, String)], out: impl io::Write + Send) -> Result<(), ParquetError> {
    let about = about.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone())).collect();
    let properties = results_parquet::properties().set_key_value_metadata(Some(about)).build();
    let mut out = Some((out, properties));
    let mut writer = None;
    for part in parts {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(part)?)?;
        if let Some((out, properties)) = out.take() {
            // What a part says of itself besides its columns does not count.
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

/// The means of all parts of a table that [`join`] wrote.
///
/// # Errors
/// If the file cannot be read or is another.
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

struct ExperimentColumns<'a> {
    texts: [&'a StringArray; 4],
    method: &'a StringArray,
    counts: [&'a UInt64Array; 2],
    truth: &'a Float64Array,
    labelled_prevalence: &'a Float64Array,
    setting: &'a Float64Array,
    prevalence: &'a Float64Array,
    interval: [&'a Float64Array; 2],
    widened: [&'a Float64Array; 2],
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
            setting: number(SETTING)?,
            prevalence: number(PREVALENCE)?,
            interval: [number(LOWER)?, number(UPPER)?],
            widened: [number(LOWER_WIDENED)?, number(UPPER_WIDENED)?],
        })
    }

    fn row(&self, row: usize) -> SampleOutcome<'_> {
        let given = |column: &Float64Array| column.is_valid(row).then(|| column.value(row));
        let ends = |columns: [&Float64Array; 2]| Some([given(columns[0])?, given(columns[1])?]);
        let [labelled, n] = self.counts.map(|counts| counts.value(row));
        SampleOutcome {
            cell: self.texts.map(|texts| texts.value(row)),
            labelled,
            labelled_prevalence: self.labelled_prevalence.value(row),
            setting: given(self.setting),
            n,
            truth: self.truth.value(row),
            method: self.method.value(row),
            prevalence: given(self.prevalence),
            interval: ends(self.interval),
            widened: ends(self.widened),
        }
    }
}
