//! File formats: truecount-text reads text and workbooks, and each other format has a module here.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a piece.

mod arrow;
mod columns;
mod parquet;
mod shared_file;

use crate::Meter;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::{ScoreValues, TableProblem};
use truecount_text::{
    Bytes, ColumnSelection, Compression, FileFormat, GZIP, Input, MAX_ROWS, Piece, Pieces, SheetChoice, TextColumn,
    damaged, describe_io_error, is_zstd,
};

/// A chunk of rows of any format, with the grouping columns typed as in the file.
pub type FormatChunk = truecount_text::TextChunk<ScalarBuffer<f64>, ArrayRef>;

/// An open file of any format.
pub type OpenFile = Box<dyn Pieces<FormatChunk>>;
/// A piece of an open file.
pub type OpenPiece = Box<dyn Piece<FormatChunk>>;

type FormatPart = truecount_text::ChunkAndRest<FormatChunk>;

/// Number of bytes that are decompressed at a time.
const BUFFER: usize = 1 << 17;

/// The compression formats of any file.
pub const COMPRESSIONS: [Compression; 2] = [
    GZIP,
    Compression {
        is_compressed: is_zstd,
        decompress: |bytes| Ok(Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(bytes)?))),
    },
];

/// Returns the error that rows cannot be read from this one on.
fn unreadable(file_name: &str, row: u64, reason: String) -> Error {
    ErrorLocation::file(file_name).at(Position::FromRow(row)).error(TableProblem::RowsDamaged { reason })
}

/// Opens an input of any format.
pub fn open(input: Input, selection: &ColumnSelection, meter: &Arc<dyn Meter>) -> Result<OpenFile, Error> {
    let kind = input.kind();
    if let (SheetChoice::Named(sheet), false) = (selection.columns.sheet, kind == FileFormat::Workbook) {
        let problem = TableProblem::SheetWithoutWorkbook { sheet: sheet.to_owned() };
        return Err(ErrorLocation::file(input.name()).error(problem));
    }
    match kind {
        FileFormat::Parquet => parquet::open(input, selection, meter),
        FileFormat::ArrowFile => arrow::open(input, selection, meter),
        FileFormat::ArrowStream => arrow::open_stream(input, selection),
        _ => Ok(Box::new(TextFormat(truecount_text::open(input, selection)?))),
    }
}

/// Returns an input as a file for random access. A pipe is copied to a temporary file, which is
/// deleted when it is closed.
fn as_file(input: Input) -> Result<File, Error> {
    let name = input.name().to_owned();
    let copy_to_file = |mut stream| -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream, &mut file)?;
        Ok(file)
    };
    match input.bytes() {
        Bytes::File(file) => Ok(file),
        Bytes::Stream(stream) => {
            copy_to_file(stream).map_err(|e| TableProblem::unreadable(&name)(describe_io_error(&e)))
        }
    }
}

/// Adapts text to [`FormatChunk`]s with Arrow columns.
struct TextFormat<T: ?Sized>(Box<T>);

impl Pieces<FormatChunk> for TextFormat<dyn Pieces<truecount_text::TextChunk>> {
    fn next(&mut self) -> Result<Option<OpenPiece>, Error> {
        Ok(self.0.next()?.map(|piece| Box::new(TextFormat(piece)) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        self.0.unit()
    }
}

impl Piece<FormatChunk> for TextFormat<dyn Piece<truecount_text::TextChunk>> {
    fn read(self: Box<Self>) -> Result<FormatPart, Error> {
        let (chunk, rest) = self.0.read()?;
        Ok((chunk.map(to_arrow), rest.map(|rest| Box::new(TextFormat(rest)) as _)))
    }
}

/// Converts a chunk of text to Arrow columns without copying them.
fn to_arrow(chunk: truecount_text::TextChunk) -> FormatChunk {
    let truecount_text::TextChunk { numbers, classes, by, row_numbers, missing } = chunk;
    let ScoreValues { scores, probabilities, weights } = numbers;
    let numbers = ScoreValues {
        scores: scores.into(),
        probabilities: probabilities.map(Into::into),
        weights: weights.map(Into::into),
    };
    let by = by.into_iter().map(|column| Arc::new(string_array(column)) as _).collect();
    FormatChunk { numbers, classes, by, row_numbers, missing }
}

fn string_array(column: TextColumn) -> StringArray {
    let (offsets, texts, present) = column.into_parts();
    let texts = Buffer::from_vec(texts.into_bytes());
    StringArray::new(OffsetBuffer::new(offsets.into()), texts, present.map(NullBuffer::from))
}
