//! The file formats, one module each: how the first bytes identify the format, and how rows are read.
//!
//! Opening a file and splitting it into pieces is cheap and sequential; any thread can then read a piece.

mod columns;
mod ipc;
mod parquet;
mod text;

use super::source;
use crate::input::rows::{Chunk, Wanted};
use crate::{Error, Meter, Position};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

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

/// Opens a file of any format, or standard input; the meter counts the bytes read from it.
pub fn open(path: &Path, wanted: &Wanted, meter: &Arc<dyn Meter>) -> Result<Box<dyn Pieces>, Error> {
    let failed = || |e: io::Error| Error::unreadable(source::name(path))(source::describe(&e));
    let mut file = source::file(path)?;
    let mut start = Vec::new();
    if let Some(file) = &mut file
        && file.metadata().is_ok_and(|metadata| metadata.is_file())
    {
        file.take(6).read_to_end(&mut start).map_err(failed())?;
        file.seek(SeekFrom::Start(0)).map_err(failed())?;
    }
    match (file, start.as_slice()) {
        (Some(file), [b'P', b'A', b'R', b'1', ..]) => parquet::open(path, file, wanted, meter),
        (Some(file), b"ARROW1") => ipc::open(path, file, wanted, meter),
        (file, _) => {
            // Formats whose end must be read first are copied from a pipe to a temporary file.
            let mut bytes = source::unpacked(path, file, Arc::clone(meter))?;
            match bytes.fill_buf().map_err(failed())? {
                [b'P', b'A', b'R', b'1', ..] => parquet::open(path, spooled(bytes).map_err(failed())?, wanted, meter),
                [b'A', b'R', b'R', b'O', b'W', b'1', ..] => {
                    ipc::open(path, spooled(bytes).map_err(failed())?, wanted, meter)
                }
                [0xff, 0xff, 0xff, 0xff, ..] => ipc::stream(path, bytes, wanted),
                _ => text::open(path, bytes, wanted),
            }
        }
    }
}

/// Copies all bytes to a temporary file that is deleted when it is closed.
fn spooled(mut bytes: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut bytes, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}
