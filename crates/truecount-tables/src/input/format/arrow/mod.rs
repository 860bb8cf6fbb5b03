//! Arrow IPC files (Feather) and streams: each record batch is a piece.
//!
//! Messages are read and checked here, since a damaged message may state a wrong size. `arrow-ipc` decodes them.

mod file;
mod message;
mod stream;

pub use file::open;
pub use stream::open as open_stream;

use super::columns::ColumnIndices;
use super::{FormatChunk, FormatPart, MAX_ROWS, unreadable};
use arrow_array::RecordBatch;
use truecount::Error;
use truecount_text::Piece;

/// Name of the format in error messages.
const FORMAT: &str = "Arrow";

/// A record batch of the selected columns, decoded when it is first read.
struct EncodedBatch<D> {
    decode: D,
    columns: ColumnIndices,
    row: u64,
}

impl<D: FnOnce() -> Result<RecordBatch, String> + Send> Piece<FormatChunk> for EncodedBatch<D> {
    fn read(self: Box<Self>) -> Result<FormatPart, Error> {
        let Self { decode, columns, row } = *self;
        let batch = decode().map_err(|reason| unreadable(columns.file_name(), row, reason))?;
        Box::new(DecodedBatch { batch, columns, row }).read()
    }
}

/// The remaining rows of a record batch.
struct DecodedBatch {
    batch: RecordBatch,
    columns: ColumnIndices,
    row: u64,
}

impl Piece<FormatChunk> for DecodedBatch {
    fn read(mut self: Box<Self>) -> Result<FormatPart, Error> {
        let rows = self.batch.num_rows().min(MAX_ROWS);
        let chunk = self.columns.chunk(&self.batch.slice(0, rows), self.row)?;
        if rows == self.batch.num_rows() {
            return Ok((Some(chunk), None));
        }
        self.batch = self.batch.slice(rows, self.batch.num_rows() - rows);
        self.row += rows as u64;
        Ok((Some(chunk), Some(self)))
    }
}
