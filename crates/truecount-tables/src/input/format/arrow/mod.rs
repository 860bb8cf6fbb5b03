//! Arrow IPC, as files (Feather) and streams: each record batch is a piece.
//!
//! The messages of both are read here, since what a damaged one says of its own size must not be believed, and decoded by
//! `arrow-ipc`.

mod file;
mod message;
mod stream;

pub use file::open;
pub use stream::open as open_stream;

use super::columns::ColumnIndices;
use super::{FormatChunk, FormatPart, ROWS, unreadable};
use arrow_array::RecordBatch;
use truecount::Error;
use truecount_text::Piece;

/// What messages call the format.
const FORMAT: &str = "Arrow";

/// A record batch of the wanted columns, decoded when it is first read.
struct ArrowRows<D> {
    decode: D,
    columns: ColumnIndices,
    row: u64,
}

impl<D: FnOnce() -> Result<RecordBatch, String> + Send> Piece<FormatChunk> for ArrowRows<D> {
    fn read(self: Box<Self>) -> Result<FormatPart, Error> {
        let Self { decode, columns, row } = *self;
        let batch = decode().map_err(|reason| unreadable(columns.place(), row, reason))?;
        Box::new(Decoded { batch, columns, row }).read()
    }
}

/// What is left of a record batch.
struct Decoded {
    batch: RecordBatch,
    columns: ColumnIndices,
    row: u64,
}

impl Piece<FormatChunk> for Decoded {
    fn read(mut self: Box<Self>) -> Result<FormatPart, Error> {
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
