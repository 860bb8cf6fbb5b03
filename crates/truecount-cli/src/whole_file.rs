//! Files that are written whole or not at all.

use crate::failure::Failure;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that can be made or replaced.
struct Target {
    path: PathBuf,
    folder: PathBuf,
    permissions: Option<Permissions>,
}

impl Target {
    fn new(path: &Path) -> Result<Self, Failure> {
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Err(Failure::Data(format!("{} is not a file that can be replaced", path.display())));
        }
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        if !folder.is_dir() {
            return Err(Failure::Data(format!("{}: the folder {} does not exist", path.display(), folder.display())));
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
pub fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(content))
}

/// The same for what is written bit by bit.
pub fn write_with(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), Failure> {
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

/// Whether the file could be written now: better known before long work than after it.
pub fn check(path: &Path) -> Result<(), Failure> {
    Target::new(path)?.beside().map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// Makes a folder for files if need be, and sees that it can be written to.
pub fn folder(path: &Path) -> Result<(), Failure> {
    if path.is_file() {
        return Err(Failure::Data(format!("{} is a file; name a folder", path.display())));
    }
    fs::create_dir_all(path).map_err(Failure::at(path.display()))?;
    tempfile::tempfile_in(path).map_err(|e| unwritable(path, &e))?;
    Ok(())
}

/// The error's kind, not its text, which would name a temporary file.
fn unwritable(path: &Path, e: &io::Error) -> Failure {
    Failure::Data(format!("{}: cannot be written: {}", path.display(), e.kind()))
}

/// Whether both are one file that exists.
pub fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Temporary files are private by default; results are as open as any new file.
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
