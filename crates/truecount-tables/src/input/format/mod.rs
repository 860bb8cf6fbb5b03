//! The file formats, one module each: how rows are read.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a piece.

#[cfg(feature = "tables")]
mod arrow;
mod cells;
#[cfg(feature = "tables")]
mod columns;
mod json;
#[cfg(feature = "tables")]
mod parquet;
#[cfg(feature = "tables")]
mod random;
mod text;
#[cfg(feature = "tables")]
mod unpacked;
#[cfg(feature = "tables")]
mod workbook;

pub use json::first as first_objects;

use super::source::{Input, Kind};
use crate::Meter;
use crate::input::rows::{Chunk, Wanted};
use std::sync::Arc;
use truecount_analysis::{Error, Fault, Location, Position};

/// The most rows in a chunk: few enough to stay in the caches while they are processed.
const ROWS: usize = 1 << 16;

/// An open file.
pub trait Pieces: Send {
    /// The next piece of the file, in its order; `None` at the end.
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, Error>;

    /// Whether rows are counted as lines or as rows.
    fn unit(&self) -> fn(u64) -> Position;
}

/// Consecutive rows that any thread can read.
pub trait Piece: Send {
    /// The next of its rows, and the rest of the piece; `None` when there are no more.
    fn read(self: Box<Self>) -> Result<Part, Error>;
}

pub type Part = (Option<Chunk>, Option<Box<dyn Piece>>);

/// The error that a file is not of its format.
fn damaged(place: &str, format: &'static str) -> impl Fn(String) -> Error {
    move |reason| Error::in_file(place, Fault::FileDamaged { format, reason })
}

/// The error that rows from this one on cannot be read.
fn unreadable(place: &str, row: u64, reason: String) -> Error {
    Location::file(place).at(Position::FromRow(row)).error(Fault::RowsDamaged { reason })
}

/// An input of any format.
#[cfg_attr(not(feature = "tables"), allow(unused_variables))] // text is metered where it is opened
pub fn open(input: Input, wanted: &Wanted, meter: &Arc<dyn Meter>) -> Result<Box<dyn Pieces>, Error> {
    match input.kind() {
        #[cfg(feature = "tables")]
        Kind::Parquet => parquet::open(input, wanted, meter),
        #[cfg(feature = "tables")]
        Kind::ArrowFile => arrow::open(input, wanted, meter),
        #[cfg(feature = "tables")]
        Kind::ArrowStream => arrow::open_stream(input, wanted),
        Kind::JsonLines => json::open(input, wanted),
        Kind::JsonArray => json::open_array(input, wanted),
        #[cfg(feature = "tables")]
        Kind::Workbook => workbook::open(input, wanted),
        // It says what it is, if it is no text.
        _ => text::open(input, wanted),
    }
}
