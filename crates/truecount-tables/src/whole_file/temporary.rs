//! Temporary files in the folders of their targets, with a list of all of them, so that a process
//! that is terminated can remove them.

use super::target::FileTarget;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{io, mem};
use tempfile::NamedTempFile;

/// The paths of all temporary files. Files are created, renamed and removed under this lock.
static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock_paths() -> MutexGuard<'static, Vec<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The beginning of the names of temporary files.
const PREFIX: &str = ".truecount-";

/// Returns whether a path has the name of a temporary file, which a process that was killed may leave.
pub fn is_temporary(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX))
}

/// A temporary file that is removed when dropped.
pub(super) struct TemporaryFile(Option<NamedTempFile>);

impl TemporaryFile {
    pub fn beside(target: &FileTarget) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        if let Some(permissions) = target.permissions() {
            builder.permissions(permissions);
        }
        let mut paths = lock_paths();
        let file = builder.tempfile_in(&target.folder)?;
        paths.push(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    pub fn as_file(&self) -> &File {
        self.0.as_ref().expect("the file exists until it is renamed").as_file()
    }

    /// Atomically replaces the file at a path.
    pub fn rename(mut self, path: &Path) -> io::Result<()> {
        let file = self.0.take().expect("the file is renamed once");
        let mut paths = lock_paths();
        let temporary = file.path().to_owned();
        let renamed = file.persist(path);
        paths.retain(|path| *path != temporary);
        renamed.map(drop).map_err(|e| e.error)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut paths = lock_paths();
            paths.retain(|path| path != file.path());
            drop(file);
        }
    }
}

/// Removes all temporary files and blocks further writing, for a process that is about to end.
pub fn remove_temporary_files() {
    let paths = lock_paths();
    for path in paths.iter() {
        let _ = fs::remove_file(path);
    }
    mem::forget(paths);
}
