//! Writes files atomically: whole or not at all.
//!
//! Streams are written directly: a pipe, or a path that is already open such as `/dev/stdout`.

mod target;
mod temporary;

pub use target::{canonical_file, is_stream};
pub use temporary::{is_temporary, remove_temporary_files};

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use target::OutputTarget;
use temporary::TemporaryFile;
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

/// Writes a file atomically: to a temporary file in the same folder, which is then renamed.
///
/// # Errors
/// Returns [`TableProblem::FileUnwritable`] if the file cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |out| out.write_all(content))
}

/// Writes a file like [`write()`], with content that is written piece by piece.
///
/// # Errors
/// Returns [`TableProblem::FileUnwritable`] if the file cannot be written.
pub fn write_with(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), Error> {
    let written = match OutputTarget::at(path)? {
        OutputTarget::File(target) => TemporaryFile::beside(&target).and_then(|file| {
            write_buffered(file.as_file(), write)?;
            file.as_file().sync_all()?;
            file.rename(&target.path)
        }),
        OutputTarget::Stream(stream) => match stream.open().and_then(|file| write_buffered(&file, write)) {
            // A reader that stops early, such as `head`, is not an error.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written,
        },
    };
    written.map_err(|e| match e.downcast::<Error>() {
        Ok(error) => error.in_file(path.display()),
        Err(e) => unwritable(path, &e),
    })
}

fn write_buffered(file: &File, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| out.flush());
    // Dropping the writer would flush the buffer again after an error.
    let _ = out.into_parts();
    written
}

/// Checks before a long computation that the file can be written. Streams are not opened, since
/// their reader would see an early end.
///
/// # Errors
/// Returns [`TableProblem::FileUnwritable`] if the file cannot be written.
pub fn check(path: &Path) -> Result<(), Error> {
    match OutputTarget::at(path)? {
        OutputTarget::File(target) => TemporaryFile::beside(&target).map(drop).map_err(|e| unwritable(path, &e)),
        OutputTarget::Stream(_) => Ok(()),
    }
}

/// Creates a folder if necessary, and checks that files can be written to it.
///
/// # Errors
/// Returns an error if the folder cannot be created or written to.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    if path.is_file() {
        return Err(TableProblem::NotAFolder { file: path.display().to_string() }.into());
    }
    fs::create_dir_all(path).map_err(TableProblem::unreadable(path.display()))?;
    tempfile::tempfile_in(path).map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// Returns the error for an output file, with the error's kind: its text would name a temporary file.
fn unwritable(path: &Path, e: &io::Error) -> Error {
    ErrorLocation::file(path.display()).error(TableProblem::FileUnwritable { reason: e.kind().to_string() })
}
