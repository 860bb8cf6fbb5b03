//! Files that are written whole or not at all.

use crate::failure::Failure;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::Path;

/// Writes beside the target and renames, so that the target is never half-written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    // A link stays a link: what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Data(format!("{} is not a file that can be replaced", path.display())));
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::Data(format!("{}: the folder {} does not exist", path.display(), folder.display())));
    }
    // The error's kind, not its text, which would name the temporary file.
    let failed = |e: &io::Error| Failure::Data(format!("{}: cannot be written: {}", path.display(), e.kind()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".truecount-");
    if let Some(permissions) = existing.map(|metadata| metadata.permissions()).or_else(of_a_new_file) {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(|e| failed(&e))?;
    file.write_all(content).map_err(|e| failed(&e))?;
    file.as_file().sync_all().map_err(|e| failed(&e))?;
    file.persist(&target).map_err(|e| failed(&e.error))?;
    Ok(())
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
