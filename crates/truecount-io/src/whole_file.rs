//! Writes files whole or not at all.

use crate::{Error, Fault};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file to create or replace.
struct Target {
    path: PathBuf,
    folder: PathBuf,
    permissions: Option<Permissions>,
}

impl Target {
    fn new(path: &Path) -> Result<Self, Error> {
        // A link stays a link: the file it points to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Err(Fault::NotReplaceable { file: path.display().to_string() }.into());
        }
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        if !folder.is_dir() {
            return Err(Error::in_file(path.display(), Fault::FolderMissing { folder: folder.display().to_string() }));
        }
        let permissions = existing.map(|metadata| metadata.permissions()).or_else(of_a_new_file);
        Ok(Self { path: target, folder, permissions })
    }

    /// A temporary file beside it.
    fn beside(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".truecount-");
        if let Some(permissions) = &self.permissions {
            builder.permissions(permissions.clone());
        }
        builder.tempfile_in(&self.folder)
    }
}

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
    let target = Target::new(path)?;
    let failed = |e: &io::Error| unwritable(path, e);
    let file = target.beside().map_err(|e| failed(&e))?;
    let mut out = BufWriter::new(file.as_file());
    write(&mut out).and_then(|()| out.flush()).map_err(|e| failed(&e))?;
    drop(out);
    file.as_file().sync_all().map_err(|e| failed(&e))?;
    file.persist(&target.path).map_err(|e| failed(&e.error))?;
    Ok(())
}

/// Checks that the file can be written: better known before long work than after it.
///
/// # Errors
/// If it cannot be.
pub fn check(path: &Path) -> Result<(), Error> {
    Target::new(path)?.beside().map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// Creates a folder if need be, and checks that files can be written to it.
///
/// # Errors
/// If it cannot be created or written to.
pub fn folder(path: &Path) -> Result<(), Error> {
    if path.is_file() {
        return Err(Fault::NotAFolder { file: path.display().to_string() }.into());
    }
    fs::create_dir_all(path).map_err(Error::unreadable(path.display()))?;
    tempfile::tempfile_in(path).map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// The error's kind rather than its text, which would name a temporary file.
fn unwritable(path: &Path, e: &io::Error) -> Error {
    Error::in_file(path.display(), Fault::Unwritable { reason: e.kind().to_string() })
}

/// Whether both paths are the same existing file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Temporary files are private by default; results get the permissions of any new file.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // the other systems have none
fn of_a_new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn of_a_new_file() -> Option<Permissions> {
    None
}
