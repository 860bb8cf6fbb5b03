//! Arrow IPC, as files (Feather) and streams: each record batch is a piece.

use super::columns::Columns;
use super::{Part, Piece, Pieces, ROWS};
use crate::input::rows::Wanted;
use crate::input::source;
use crate::progress::Metered;
use crate::{Error, Fault, Location, Meter, Position};
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// Record batches with only the wanted columns.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

struct Ipc {
    place: String,
    batches: Batches,
    columns: Columns,
    /// The number of the next batch's first row.
    row: u64,
}

struct Rows {
    batch: RecordBatch,
    columns: Columns,
    row: u64,
}

pub fn open(path: &Path, file: File, wanted: &Wanted, meter: &Arc<dyn Meter>) -> Result<Box<dyn Pieces>, Error> {
    let place = source::name(path);
    let schema = FileReader::try_new(BufReader::new(&file), None).map_err(damaged(&place))?.schema();
    let columns = Columns::find(place.clone(), &schema, wanted)?;
    let projection = Some(columns.positions().to_vec());
    let bytes = Metered { bytes: BufReader::new(file), meter: Arc::clone(meter) };
    let reader = FileReader::try_new(bytes, projection).map_err(damaged(&place))?;
    Ok(Box::new(Ipc { place, batches: Box::new(reader), columns, row: 1 }))
}

pub fn stream(path: &Path, bytes: Box<dyn BufRead + Send>, wanted: &Wanted) -> Result<Box<dyn Pieces>, Error> {
    let place = source::name(path);
    let reader = StreamReader::try_new(bytes, None).map_err(damaged(&place))?;
    let columns = Columns::find(place.clone(), &reader.schema(), wanted)?;
    let batches = Stream { reader, positions: columns.positions().to_vec() };
    Ok(Box::new(Ipc { place, batches: Box::new(batches), columns, row: 1 }))
}

/// A stream that is refused if it breaks off before its end.
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

fn damaged(place: &str) -> impl FnOnce(ArrowError) -> Error {
    move |e| Error::in_file(place, Fault::FileDamaged { format: "Arrow", reason: e.to_string() })
}

impl Pieces for Ipc {
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Error> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch = batch.map_err(|e| {
            let location = Location::file(&self.place).at(Position::FromRow(self.row));
            location.error(Fault::RowsDamaged { reason: e.to_string() })
        })?;
        let row = self.row;
        self.row += batch.num_rows() as u64;
        Ok(Some(Box::new(Rows { batch, columns: self.columns.clone(), row })))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl Piece for Rows {
    fn read(mut self: Box<Self>) -> Result<Part, Error> {
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
