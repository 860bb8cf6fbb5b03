//! Temporary files beside their targets. All that exist are known, so that a process that is told to end can remove
//! them.

use super::place::FileTarget;
use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The paths of all that exist. Files are made, renamed and removed under its lock.
static KNOWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn known() -> MutexGuard<'static, Vec<PathBuf>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is removed when dropped.
pub(super) struct Temporary(Option<NamedTempFile>);

impl Temporary {
    pub fn beside(target: &FileTarget) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".truecount-");
        if let Some(permissions) = target.permissions() {
            builder.permissions(permissions);
        }
        let mut known = known();
        let file = builder.tempfile_in(&target.folder)?;
        known.push(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    pub fn as_file(&self) -> &File {
        self.0.as_ref().expect("it is there until it is renamed").as_file()
    }

    /// Puts it in the place of another file, at once.
    pub fn rename(mut self, path: &Path) -> io::Result<()> {
        let file = self.0.take().expect("it is renamed once");
        let mut known = known();
        let temporary = file.path().to_owned();
        let renamed = file.persist(path);
        known.retain(|path| *path != temporary);
        renamed.map(drop).map_err(|e| e.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut known = known();
            known.retain(|path| path != file.path());
            drop(file);
        }
    }
}

/// Removes the temporary files of all that is being written, and lets nothing more be written: for a process that is
/// about to end.
pub fn abandon() {
    let known = known();
    for path in known.iter() {
        let _ = fs::remove_file(path);
    }
    mem::forget(known);
}
