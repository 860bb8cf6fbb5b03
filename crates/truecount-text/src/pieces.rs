//! How an open file is split into pieces of rows, in any format and as any kind of chunk.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a piece.

use crate::rows::TextChunk;
use truecount::{Error, Position};

/// An open file that is read as chunks `C`.
pub trait Pieces<C>: Send {
    /// The next piece of the file, in its order; `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read on.
    fn next(&mut self) -> Result<Option<Box<dyn BytePiece<C>>>, Error>;

    /// Whether rows are counted as lines or as rows.
    fn unit(&self) -> fn(u64) -> Position;
}

/// Consecutive rows that any thread can read.
pub trait BytePiece<C>: Send {
    /// The next of its rows, and the rest of the piece; `None` when there are no more.
    ///
    /// # Errors
    /// Returns an error if rows cannot be read, or have values that they must not have.
    fn read(self: Box<Self>) -> Result<LinePart<C>, Error>;
}

/// The next rows of a piece, and the rest of it.
pub type LinePart<C> = (Option<C>, Option<Box<dyn BytePiece<C>>>);

pub(crate) type TextPieces = Box<dyn Pieces<TextChunk>>;
pub(crate) type TextPiece = Box<dyn BytePiece<TextChunk>>;
