//! Writes files whole or not at all. What is no file, as a pipe, or what is open already, as `/dev/stdout`, has no
//! beginning to go back to: it is written directly.

mod place;
mod temporary;

pub use place::{file_at, is_stream};
pub use temporary::abandon;

use place::FilePlace;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use temporary::Temporary;
use truecount::{Error, ErrorLocation};
use truecount_analysis::TableProblem;

/// Writes beside the target and renames, so that the target is never half-written.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |out| out.write_all(content))
}

/// The same for content that is written bit by bit.
///
/// # Errors
/// If the file cannot be written.
pub fn write_with(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), Error> {
    let written = match FilePlace::at(path)? {
        FilePlace::File(target) => Temporary::beside(&target).and_then(|file| {
            poured(file.as_file(), write)?;
            file.as_file().sync_all()?;
            file.rename(&target.path)
        }),
        FilePlace::Stream(stream) => match stream.open().and_then(|file| poured(&file, write)) {
            // A reader that stops early, as `head` does, has what it wanted.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written,
        },
    };
    written.map_err(|e| unwritable(path, &e))
}

fn poured(file: &File, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| out.flush());
    // What is left in the buffer after an error is not tried once more.
    let _ = out.into_parts();
    written
}

/// Checks that the file can be written: better known before long work than after it. Streams are not opened for that,
/// since their reader would take the end for all there is.
///
/// # Errors
/// If it cannot be.
pub fn check(path: &Path) -> Result<(), Error> {
    match FilePlace::at(path)? {
        FilePlace::File(target) => Temporary::beside(&target).map(drop).map_err(|e| unwritable(path, &e)),
        FilePlace::Stream(_) => Ok(()),
    }
}

/// Creates a folder if need be, and checks that files can be written to it.
///
/// # Errors
/// If it cannot be created or written to.
pub fn folder(path: &Path) -> Result<(), Error> {
    if path.is_file() {
        return Err(TableProblem::NotAFolder { file: path.display().to_string() }.into());
    }
    fs::create_dir_all(path).map_err(TableProblem::unreadable(path.display()))?;
    tempfile::tempfile_in(path).map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// The error's kind rather than its text, which would name a temporary file.
fn unwritable(path: &Path, e: &io::Error) -> Error {
    ErrorLocation::file(path.display()).error(TableProblem::Unwritable { reason: e.kind().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Whichever call fails, what was there stays, and nothing is left beside it.
    #[test]
    fn a_failing_writer_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "as it was").unwrap();
        for failing in 0..40 {
            let call = Cell::new(0);
            let written = write_with(&path, |out| {
                for _ in 0..40 {
                    // More than the buffer holds, so that some of it is in the temporary file.
                    out.write_all(&[b'x'; 1000])?;
                    if call.replace(call.get() + 1) == failing {
                        return Err(ErrorKind::StorageFull.into());
                    }
                }
                Ok(())
            });
            let error = written.unwrap_err();
            let Some(TableProblem::Unwritable { reason }) = error.problem() else { panic!("{error}") };
            assert_eq!(reason, "no storage space");
            assert_eq!(fs::read_to_string(&path).unwrap(), "as it was");
            assert_eq!(names(folder.path()), ["out"]);
        }
    }

    /// Two writers at once: the file is one's or the other's.
    #[test]
    fn of_two_writers_one_wins() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let contents = [b'a', b'b'].map(|byte| vec![byte; 100_000]);
        std::thread::scope(|scope| {
            for content in &contents {
                scope.spawn(|| (0..20).for_each(|_| write(&path, content).unwrap()));
            }
            for _ in 0..200 {
                if let Ok(found) = fs::read(&path) {
                    assert!(contents.contains(&found));
                }
            }
        });
        assert_eq!(names(folder.path()), ["out"]);
    }
}
