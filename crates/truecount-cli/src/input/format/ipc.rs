//! Arrow IPC, files (Feather) and streams: a record batch is a piece.

use super::columns::Columns;
use super::{Part, Piece, Pieces, ROWS};
use crate::failure::Failure;
use crate::input::rows::Wanted;
use crate::input::source;
use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Batches of the wanted columns alone.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

struct Ipc {
    place: String,
    batches: Batches,
    columns: Columns,
    /// The row that the next batch begins with.
    row: u64,
}

struct Rows {
    batch: RecordBatch,
    columns: Columns,
    row: u64,
}

pub fn open(path: &Path, file: File, wanted: &Wanted, bar: &ProgressBar) -> Result<Box<dyn Pieces>, Failure> {
    let place = source::name(path);
    let schema = FileReader::try_new(BufReader::new(&file), None).map_err(damaged(&place))?.schema();
    let columns = Columns::find(place.clone(), &schema, wanted)?;
    let projection = Some(columns.positions().to_vec());
    let reader = FileReader::try_new(bar.wrap_read(BufReader::new(file)), projection).map_err(damaged(&place))?;
    Ok(Box::new(Ipc { place, batches: Box::new(reader), columns, row: 1 }))
}

pub fn stream(path: &Path, bytes: Box<dyn BufRead + Send>, wanted: &Wanted) -> Result<Box<dyn Pieces>, Failure> {
    let place = source::name(path);
    let reader = StreamReader::try_new(bytes, None).map_err(damaged(&place))?;
    let columns = Columns::find(place.clone(), &reader.schema(), wanted)?;
    let batches = Stream { reader, positions: columns.positions().to_vec() };
    Ok(Box::new(Ipc { place, batches: Box::new(batches), columns, row: 1 }))
}

/// A stream that has to be all there is.
struct Stream<R> {
    reader: StreamReader<R>,
    positions: Vec<usize>,
}

impl<R: BufRead> Iterator for Stream<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next();
        if batch.is_none() && self.reader.get_mut().fill_buf().is_ok_and(|rest| !rest.is_empty()) {
            let what =
                "the stream ends, and more follows: if these are several streams, read each from a file of its own";
            return Some(Err(ArrowError::ParseError(what.to_owned())));
        }
        batch.map(|batch| batch?.project(&self.positions))
    }
}

fn damaged(place: &str) -> impl FnOnce(ArrowError) -> Failure {
    move |e| Failure::Data(format!("{place}: is no whole Arrow file ({e}); get a complete copy"))
}

impl Pieces for Ipc {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Failure> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch = batch.map_err(|e| {
            let (place, row) = (&self.place, self.row);
            Failure::Data(format!("{place}, from row {row} on: cannot be read ({e}); get a complete copy"))
        })?;
        let row = self.row;
        self.row += batch.num_rows() as u64;
        Ok(Some(Box::new(Rows { batch, columns: self.columns.clone(), row })))
    }

    fn unit(&self) -> &'static str {
        "row"
    }
}

impl Piece for Rows {
    fn read(mut self: Box<Self>) -> Result<Part, Failure> {
        let rows = self.batch.num_rows().min(ROWS);
        let chunk = self.columns.chunk(&self.batch.slice(0, rows), self.row)?;
        if rows == self.batch.num_rows() {
            return Ok((Some(chunk), None));
        }
        self.batch = self.batch.slice(rows, self.batch.num_rows() - rows);
        self.row += rows as u64;
        Ok((Some(chunk), Some(self)))
    }
}
