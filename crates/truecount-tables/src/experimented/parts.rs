//! The table in parts, each a Parquet file of its own, and put together: the same parts give the same bytes.

use super::rows::SampleRow;
use crate::parquet as results_parquet;
use crate::whole_file;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use truecount_analysis::Error;
use truecount_analysis::results::{Results, Table};

/// Writes a part, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_part(rows: &[SampleRow], path: &Path) -> Result<(), Error> {
    let results = Results { tables: vec![Table::new(rows)], ..Results::default() };
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
