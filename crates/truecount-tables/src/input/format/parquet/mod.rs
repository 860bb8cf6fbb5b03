//! Parquet: each row group is a piece. Only the wanted columns are read.

mod pages;
mod thrift;

use super::columns::ColumnIndices;
use super::shared_file::{FileCursor, SharedFile};
use super::{FormatChunk, FormatPart, MAX_ROWS, OpenFile, OpenPiece, as_file, damaged, unreadable};
use crate::Meter;
use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ProjectionMask};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;
use truecount_text::{ColumnSelection, Input, Piece, Pieces, catch_decoder_panic};

/// Name of the format in messages.
const FORMAT: &str = "Parquet";

/// An open Parquet file.
struct Parquet {
    file_name: String,
    file: SharedFile,
    metadata: ArrowReaderMetadata,
    columns: ColumnIndices,
    /// The index of the next row group.
    next: usize,
    /// The number of its first row.
    row: u64,
    meter: Arc<dyn Meter>,
}

/// A row group that is read batch by batch.
struct RowGroup {
    file_name: String,
    file: SharedFile,
    reader: ParquetRecordBatchReader,
    columns: ColumnIndices,
    /// The number of the next row.
    row: u64,
    /// The number of rows that are left.
    rows: u64,
    /// The compressed size in bytes, which the meter counts when all rows are read.
    size: u64,
    meter: Arc<dyn Meter>,
}

pub fn open(input: Input, selection: &ColumnSelection, meter: &Arc<dyn Meter>) -> Result<OpenFile, Error> {
    let file_name = input.name().to_owned();
    let file = SharedFile::new(as_file(input)?).map_err(TableProblem::unreadable(&file_name))?;
    let plain = catch_decoder_panic(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::default()));
    let plain = with_time_zones(plain.map_err(damaged(&file_name, FORMAT))?);
    if is_joined(&file, plain.metadata()).map_err(TableProblem::unreadable(&file_name))? {
        return Err(ErrorLocation::file(file_name).error(TableProblem::FilesJoined { format: FORMAT }));
    }
    let columns = ColumnIndices::find(file_name.clone(), plain.schema(), selection)?;
    let metadata = with_dictionaries(plain, &columns);
    Ok(Box::new(Parquet { file_name, file, metadata, columns, next: 0, row: 1, meter: Arc::clone(meter) }))
}

/// Returns whether the file consists of several files, of which only the last would be read.
fn is_joined(file: &SharedFile, metadata: &ParquetMetaData) -> io::Result<bool> {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let parts = columns.flat_map(|column| {
        let start = pages::start(column);
        let index = |start: Option<i64>, length: Option<i32>| Some((start?, i64::from(length?)));
        [
            Some((start, column.compressed_size())),
            index(column.column_index_offset(), column.column_index_length()),
            index(column.offset_index_offset(), column.offset_index_length()),
            index(column.bloom_filter_offset(), column.bloom_filter_length()),
        ]
    });
    let ends = parts.flatten().filter_map(|(start, length)| u64::try_from(start.checked_add(length)?).ok());
    let end_of_parts = ends.max().unwrap_or_default();
    file.is_joined(end_of_parts, footer(file)?.0, b"PAR1PAR1")
}

/// Returns the start of the footer and its length, which is stored in the four bytes before the last four.
fn footer(file: &SharedFile) -> io::Result<(u64, u64)> {
    let end = file.length().saturating_sub(8);
    let length = file.bytes(end, 4)?;
    let length = u64::from(u32::from_le_bytes(length[..].try_into().expect("four bytes")));
    Ok((end.saturating_sub(length), length))
}

/// Restores the time zones of columns that were written in seconds, which Parquet lacks.
fn with_time_zones(plain: ArrowReaderMetadata) -> ArrowReaderMetadata {
    let Some(written) = written_schema(plain.metadata()) else { return plain };
    with_types(plain, |_, field| match (field.data_type(), written.field_with_name(field.name()).ok()?.data_type()) {
        (DataType::Timestamp(unit, Some(_)), DataType::Timestamp(TimeUnit::Second, zone)) => {
            Some(DataType::Timestamp(*unit, zone.clone()))
        }
        _ => None,
    })
}

/// Returns the Arrow schema that the table was written with, if the file has it.
fn written_schema(metadata: &ParquetMetaData) -> Option<Schema> {
    let entries = metadata.file_metadata().key_value_metadata()?;
    let encoded = entries.iter().find(|entry| entry.key == ARROW_SCHEMA_META_KEY)?.value.as_ref()?;
    let message = STANDARD.decode(encoded).ok()?;
    catch_decoder_panic(|| try_schema_from_ipc_buffer(&message)).ok()
}

/// Reads grouping columns of text as dictionary codes, which is how files usually store them.
fn with_dictionaries(plain: ArrowReaderMetadata, columns: &ColumnIndices) -> ArrowReaderMetadata {
    let dictionary = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    with_types(plain, |position, field| {
        let is_group = field.data_type().is_string() && columns.by().any(|by| by == position);
        is_group.then(dictionary)
    })
}

/// Reads columns as other types, as far as Parquet allows them.
fn with_types(
    plain: ArrowReaderMetadata,
    other_type: impl Fn(usize, &Field) -> Option<DataType>,
) -> ArrowReaderMetadata {
    let typed = |(position, field): (usize, &Arc<Field>)| match other_type(position, field) {
        Some(kind) => Arc::new(field.as_ref().clone().with_data_type(kind)),
        None => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = plain.schema().fields().iter().enumerate().map(typed).collect();
    let schema = Schema::new_with_metadata(fields, plain.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), options).unwrap_or(plain)
}

impl Pieces<FormatChunk> for Parquet {
    fn next(&mut self) -> Result<Option<OpenPiece>, Error> {
        let Some(group) = self.metadata.metadata().row_groups().get(self.next) else { return Ok(None) };
        let (rows, size) = (group.num_rows().unsigned_abs(), group.compressed_size().unsigned_abs());
        let reader = catch_decoder_panic(|| {
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), self.columns.positions().iter().copied());
            let selected = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
            for (_, column) in selected {
                pages::check(&self.file, column)?;
            }
            let builder = builder.with_row_groups(vec![self.next]).with_projection(mask).with_batch_size(MAX_ROWS);
            builder.build().map_err(|e| e.to_string())
        });
        let piece = RowGroup {
            file_name: self.file_name.clone(),
            reader: reader.map_err(|reason| decoding_error(&self.file_name, &self.file, self.row, reason))?,
            file: self.file.clone(),
            columns: self.columns.clone(),
            row: self.row,
            rows,
            size,
            meter: Arc::clone(&self.meter),
        };
        self.next += 1;
        self.row += rows;
        Ok(Some(Box::new(piece)))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl Piece<FormatChunk> for RowGroup {
    fn read(mut self: Box<Self>) -> Result<FormatPart, Error> {
        let read = catch_decoder_panic(|| self.reader.next().transpose());
        let Some(batch) = read.map_err(|reason| decoding_error(&self.file_name, &self.file, self.row, reason))? else {
            if self.rows > 0 {
                return Err(decoding_error(
                    &self.file_name,
                    &self.file,
                    self.row,
                    format!("{} rows are missing", self.rows),
                ));
            }
            return Ok((None, None));
        };
        let chunk = self.columns.chunk(&batch, self.row)?;
        let read = batch.num_rows() as u64;
        self.row += read;
        self.rows = self.rows.saturating_sub(read);
        if self.rows > 0 {
            return Ok((Some(chunk), Some(self)));
        }
        self.meter.advance(self.size);
        Ok((Some(chunk), None))
    }
}

/// Field of `FileMetaData` with the encryption algorithm, which only encrypted files have.
const ENCRYPTION_ALGORITHM: i64 = 8;

/// Returns the error of rows that cannot be decoded, or that columns are encrypted below a plain footer.
fn decoding_error(file_name: &str, file: &SharedFile, row: u64, reason: String) -> Error {
    let footer = footer(file).and_then(|(start, length)| file.bytes(start, length));
    if footer.is_ok_and(|footer| thrift::Fields(&footer).has(ENCRYPTION_ALGORITHM) == Some(true)) {
        return ErrorLocation::file(file_name)
            .error(TableProblem::FileKind { found: "Parquet with encrypted columns; decrypt it first" });
    }
    unreadable(file_name, row, reason)
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length()
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<FileCursor>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.reader_at(start))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes, ParquetError> {
        Ok(self.bytes(start, length as u64)?)
    }
}
