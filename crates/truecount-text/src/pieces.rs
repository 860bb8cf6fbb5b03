//! Interface of file formats: an open file is split into pieces, and a piece is read as chunks of
//! rows.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a
//! piece.

use crate::rows::TextChunk;
use truecount::Error;
use truecount::error::Position;

/// An open file that is split into pieces with chunks of type `C`.
pub trait Pieces<C>: Send {
    /// Returns the next piece of the file, or `None` at its end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    fn next(&mut self) -> Result<Option<Box<dyn Piece<C>>>, Error>;

    /// Returns the unit of row numbers: [`Position::Line`] or [`Position::Row`].
    fn unit(&self) -> fn(u64) -> Position;
}

/// Consecutive rows that any thread can read.
pub trait Piece<C>: Send {
    /// Reads the next chunk of rows; returns it with the rest of the piece, each `None` if there is
    /// no more.
    ///
    /// # Errors
    /// Returns an error if rows cannot be read or have invalid values.
    fn read(self: Box<Self>) -> Result<ChunkAndRest<C>, Error>;
}

/// The next chunk of a piece, and the rest of the piece.
pub type ChunkAndRest<C> = (Option<C>, Option<Box<dyn Piece<C>>>);

pub(crate) type TextPieces = Box<dyn Pieces<TextChunk>>;
pub(crate) type TextPiece = Box<dyn Piece<TextChunk>>;
