//! Files of every format, in memory, for the tests of this crate and of the command.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rust_xlsxwriter::{Workbook, Worksheet};
use std::io::Write;

/// Returns a table with these nullable columns.
pub fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, values)| (name, values, true))).unwrap()
}

/// Returns the table in parts of this many rows.
fn parts(table: &RecordBatch, rows: usize) -> impl Iterator<Item = RecordBatch> + '_ {
    (0..table.num_rows().max(1)).step_by(rows).map(move |from| table.slice(from, rows.min(table.num_rows() - from)))
}

/// Returns a Parquet file with this many rows in each row group.
pub fn parquet(table: &RecordBatch, rows: usize, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(rows));
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties.build())).unwrap();
    writer.write(table).unwrap();
    writer.into_inner().unwrap()
}

fn ipc_options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

/// Returns an Arrow file with this many rows in each batch.
pub fn arrow_file(table: &RecordBatch, rows: usize, compression: Option<CompressionType>) -> Vec<u8> {
    let options = ipc_options(compression);
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &table.schema(), options).unwrap();
    parts(table, rows).for_each(|part| writer.write(&part).unwrap());
    writer.into_inner().unwrap()
}

/// Returns an Arrow stream with this many rows in each batch.
pub fn arrow_stream(table: &RecordBatch, rows: usize, compression: Option<CompressionType>) -> Vec<u8> {
    let options = ipc_options(compression);
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &table.schema(), options).unwrap();
    parts(table, rows).for_each(|part| writer.write(&part).unwrap());
    writer.into_inner().unwrap()
}

/// Returns a workbook with one sheet.
pub fn workbook(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet());
    workbook.save_to_buffer().unwrap()
}

pub fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content.as_ref()).unwrap();
    encoder.finish().unwrap()
}
