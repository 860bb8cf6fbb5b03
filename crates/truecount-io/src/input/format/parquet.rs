//! Parquet: each row group is a piece. Only the wanted columns are read.

use super::columns::Columns;
use super::{Part, Piece, Pieces, ROWS};
use crate::input::rows::Wanted;
use crate::input::source;
use crate::{Error, Fault, Location, Meter, Position};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

struct Parquet {
    place: String,
    bytes: Bytes,
    metadata: ArrowReaderMetadata,
    columns: Columns,
    /// The next row group; `row` is the number of its first row.
    next: usize,
    row: u64,
    meter: Arc<dyn Meter>,
}

struct RowGroup {
    place: String,
    reader: ParquetRecordBatchReader,
    columns: Columns,
    /// The number of the next row; `rows` are left from it on.
    row: u64,
    rows: u64,
    /// By how much the meter advances when the row group is done.
    size: u64,
    meter: Arc<dyn Meter>,
}

pub fn open(path: &Path, file: File, wanted: &Wanted, meter: &Arc<dyn Meter>) -> Result<Box<dyn Pieces>, Error> {
    let place = source::name(path);
    let damaged =
        |e: ParquetError| Error::in_file(&place, Fault::FileDamaged { format: "Parquet", reason: e.to_string() });
    let length = file.metadata().map_err(Error::unreadable(&place))?.len();
    let bytes = Bytes { file: Arc::new(file), length };
    let plain = ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::default()).map_err(damaged)?;
    let columns = Columns::find(place.clone(), plain.schema(), wanted)?;
    let metadata = with_dictionaries(plain, &columns);
    Ok(Box::new(Parquet { place, bytes, metadata, columns, next: 0, row: 1, meter: Arc::clone(meter) }))
}

/// Reads grouping columns of text as dictionary codes, which is how files usually store them.
fn with_dictionaries(plain: ArrowReaderMetadata, columns: &Columns) -> ArrowReaderMetadata {
    let dictionary = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let mut fields: Vec<Arc<Field>> = plain.schema().fields().iter().map(Arc::clone).collect();
    for position in columns.by() {
        if matches!(fields[position].data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
            fields[position] = Arc::new(fields[position].as_ref().clone().with_data_type(dictionary()));
        }
    }
    let schema = Schema::new_with_metadata(fields, plain.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), options).unwrap_or(plain)
}

impl Pieces for Parquet {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Error> {
        let Some(group) = self.metadata.metadata().row_groups().get(self.next) else { return Ok(None) };
        let (rows, size) = (group.num_rows().unsigned_abs(), group.compressed_size().unsigned_abs());
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), self.columns.positions().iter().copied());
        let reader = builder.with_row_groups(vec![self.next]).with_projection(mask).with_batch_size(ROWS).build();
        let piece = RowGroup {
            place: self.place.clone(),
            reader: reader.map_err(|e| unreadable(&self.place, self.row, &e))?,
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

impl Piece for RowGroup {
    fn read(mut self: Box<Self>) -> Result<Part, Error> {
        let Some(batch) = self.reader.next() else {
            if self.rows > 0 {
                return Err(unreadable(&self.place, self.row, &format!("{} rows are missing", self.rows)));
            }
            return Ok((None, None));
        };
        let batch = batch.map_err(|e| unreadable(&self.place, self.row, &e))?;
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

fn unreadable(place: &str, row: u64, e: &dyn std::fmt::Display) -> Error {
    Location::file(place).at(Position::FromRow(row)).error(Fault::RowsDamaged { reason: e.to_string() })
}

/// A file that several threads read, each at its own position.
#[derive(Clone)]
struct Bytes {
    file: Arc<File>,
    length: u64,
}

impl Length for Bytes {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Bytes {
    type T = BufReader<At>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(At { file: Arc::clone(&self.file), next: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes, ParquetError> {
        let mut buffer = Vec::with_capacity(length);
        let read = At { file: Arc::clone(&self.file), next: start };
        let read = read.take(length as u64).read_to_end(&mut buffer)?;
        if read < length {
            return Err(ParquetError::EOF(format!("{length} bytes expected at {start}, {read} found")));
        }
        Ok(buffer.into())
    }
}

/// Reads from a position of its own without moving the file's.
struct At {
    file: Arc<File>,
    next: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.next)?;
        self.next += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, place)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, place)
}
