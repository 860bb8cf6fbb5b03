//! The identity of the file at a path, which may have several names.

use std::path::Path;
use truecount_text::is_stdio;

/// The identity of an existing file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(FileIdentity);

#[cfg(unix)]
type FileIdentity = (u64, u64);
#[cfg(not(unix))]
type FileIdentity = std::path::PathBuf;

impl Identity {
    /// Returns the identity of the file at a path, through links, or `None` if there is no file.
    /// Standard input has the identity of its source.
    pub fn from_path(path: &Path) -> Option<Self> {
        if is_stdio(path) { standard_input() } else { identify(path) }
    }
}

/// Returns the device and inode numbers, which all links to a file share.
#[cfg(unix)]
fn identify(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    Some(Identity((metadata.dev(), metadata.ino())))
}

#[cfg(unix)]
fn standard_input() -> Option<Identity> {
    // Without /dev/stdin, all uses of standard input still have the same identity.
    identify(Path::new("/dev/stdin")).or(Some(Identity((u64::MAX, u64::MAX))))
}

#[cfg(not(unix))]
fn identify(path: &Path) -> Option<Identity> {
    path.canonicalize().ok().map(Identity)
}

#[cfg(not(unix))]
fn standard_input() -> Option<Identity> {
    Some(Identity("-".into()))
}
