//! The file formats: text, which truecount-text reads, and one module for each other.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a piece.

mod arrow;
mod columns;
mod parquet;
mod random;
mod unpacked;
mod workbook;

use crate::Meter;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Position};
use truecount_analysis::{ScoreValues, TableProblem};
use truecount_text::{
    Bytes, ColumnSelection, GZIP, Input, Kind, Packing, Piece, Pieces, TextColumn, describe_io_error, is_zstd,
};

/// Rows of a file of any format; the grouping columns are typed as in the file.
pub type FormatChunk = truecount_text::TextChunk<ScalarBuffer<f64>, ArrayRef>;

/// An open file of any format, and a piece of it.
pub type OpenFile = Box<dyn Pieces<FormatChunk>>;
pub type OpenPiece = Box<dyn Piece<FormatChunk>>;

type FormatPart = truecount_text::ChunkAndRest<FormatChunk>;

/// The most rows in a chunk: few enough to stay in the caches while they are processed.
const ROWS: usize = 1 << 16;

/// How many bytes are unpacked at a time.
const BUFFER: usize = 1 << 17;

/// The ways in which any file may be packed.
pub const PACKINGS: [Packing; 2] = [
    GZIP,
    Packing {
        is_packed: is_zstd,
        unpack: |bytes| Ok(Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(bytes)?))),
    },
];

/// The error that a file is not of its format.
fn damaged(place: &str, format: &'static str) -> impl Fn(String) -> Error {
    move |reason| ErrorLocation::file(place).error(TableProblem::FileDamaged { format, reason })
}

/// The error that rows from this one on cannot be read.
fn unreadable(place: &str, row: u64, reason: String) -> Error {
    ErrorLocation::file(place).at(Position::FromRow(row)).error(TableProblem::RowsDamaged { reason })
}

/// Opens an input of any format.
pub fn open(input: Input, wanted: &ColumnSelection, meter: &Arc<dyn Meter>) -> Result<OpenFile, Error> {
    match input.kind() {
        Kind::Parquet => parquet::open(input, wanted, meter),
        Kind::ArrowFile => arrow::open(input, wanted, meter),
        Kind::ArrowStream => arrow::open_stream(input, wanted),
        Kind::Workbook => workbook::open(input, wanted),
        _ => Ok(Box::new(TextFormat(truecount_text::open(input, wanted)?))),
    }
}

/// An input as a file, of which parts can be read in any order: a pipe is copied to a temporary one, which is deleted when it is closed.
fn as_file(input: Input) -> Result<File, Error> {
    let name = input.name().to_owned();
    let copied = |mut stream| -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream, &mut file)?;
        Ok(file)
    };
    match input.bytes() {
        Bytes::File(file) => Ok(file),
        Bytes::Stream(stream) => copied(stream).map_err(|e| TableProblem::unreadable(&name)(describe_io_error(&e))),
    }
}

/// Text, whose columns become Arrow's as they are.
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
        Ok((chunk.map(typed), rest.map(|rest| Box::new(TextFormat(rest)) as _)))
    }
}

/// A chunk of text with Arrow's columns, none of which is copied.
fn typed(chunk: truecount_text::TextChunk) -> FormatChunk {
    let truecount_text::TextChunk { numbers: ScoreValues { scores, probabilities, weights }, by, places } = chunk;
    let numbers = ScoreValues {
        scores: scores.into(),
        probabilities: probabilities.map(Into::into),
        weights: weights.map(Into::into),
    };
    FormatChunk { numbers, by: by.into_iter().map(|column| Arc::new(strings(column)) as _).collect(), places }
}

fn strings(column: TextColumn) -> StringArray {
    let (offsets, texts, present) = column.into_parts();
    let texts = Buffer::from_vec(texts.into_bytes());
    StringArray::new(OffsetBuffer::new(offsets.into()), texts, present.map(NullBuffer::from))
}
