//! Which file a path leads to: the same file may be called by many names.

use std::path::Path;
use truecount_text::is_stdio;

/// A file that exists, told from all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(FileIdentity);

#[cfg(unix)]
type FileIdentity = (u64, u64);
#[cfg(not(unix))]
type FileIdentity = std::path::PathBuf;

impl Identity {
    /// What the path leads to, through links; `None` if there is nothing. Standard input is what it comes from.
    pub fn from_path(path: &Path) -> Option<Self> {
        if is_stdio(path) { standard_input() } else { found(path) }
    }
}

/// The device and the number of the file there: links, however hard, have the same.
#[cfg(unix)]
fn found(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    Some(Identity((metadata.dev(), metadata.ino())))
}

#[cfg(unix)]
fn standard_input() -> Option<Identity> {
    // Where there is no such path it is still one and the same.
    found(Path::new("/dev/stdin")).or(Some(Identity((u64::MAX, u64::MAX))))
}

#[cfg(not(unix))]
fn found(path: &Path) -> Option<Identity> {
    path.canonicalize().ok().map(Identity)
}

#[cfg(not(unix))]
fn standard_input() -> Option<Identity> {
    Some(Identity("-".into()))
}
