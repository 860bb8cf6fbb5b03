//! The target of an output path behind all links: a file, new or existing, or a stream.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;

/// Maximum number of links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

pub(super) enum OutputTarget {
    File(FileTarget),
    Stream(OutputStream),
}

/// A file to create or replace.
pub(super) struct FileTarget {
    pub path: PathBuf,
    pub folder: PathBuf,
    existing: Option<Permissions>,
}

/// A stream to write to: a pipe, a terminal or another device, or an open descriptor.
pub(super) struct OutputStream {
    path: PathBuf,
    /// The number of the descriptor, if it belongs to this process.
    descriptor: Option<String>,
}

impl OutputTarget {
    pub fn at(path: &Path) -> Result<Self, Error> {
        let mut target = path.to_owned();
        // Links are kept; the file that they point to is replaced or created.
        let mut links = 0;
        while links <= MAX_LINKS {
            if let Some(stream) = OutputStream::from_descriptor(&target) {
                return Ok(Self::Stream(stream));
            }
            let Ok(next) = fs::read_link(&target) else { break };
            target.set_file_name(next);
            links += 1;
        }
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_file() => {
                FileTarget::new(path, target, Some(metadata.permissions())).map(Self::File)
            }
            metadata if links > MAX_LINKS || metadata.as_ref().is_ok_and(Metadata::is_dir) => {
                Err(TableProblem::NotReplaceable { file: path.display().to_string() }.into())
            }
            Ok(_) => Ok(Self::Stream(OutputStream { path: target, descriptor: None })),
            Err(_) => FileTarget::new(path, target, None).map(Self::File),
        }
    }
}

impl FileTarget {
    fn new(named: &Path, path: PathBuf, existing: Option<Permissions>) -> Result<Self, Error> {
        let folder = folder_of(&path).to_owned();
        if !folder.is_dir() {
            return Err(ErrorLocation::file(named.display())
                .error(TableProblem::FolderMissing { folder: folder.display().to_string() }));
        }
        Ok(Self { path, folder, existing })
    }

    /// Returns the permissions of the existing file, or those of a new file.
    pub fn permissions(&self) -> Option<Permissions> {
        self.existing.clone().or_else(default_permissions)
    }
}

impl OutputStream {
    /// Returns the open descriptor that a path such as `/dev/fd/1` or `/proc/self/fd/1` stands for.
    /// Such a path looks like a link to the open file, but is the open file itself.
    fn from_descriptor(path: &Path) -> Option<Self> {
        let number = path.file_name()?.to_str().filter(|name| name.bytes().all(|c| c.is_ascii_digit()))?;
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        let is_own = folder == Path::new("/dev/fd") || fs::canonicalize("/proc/self/fd").is_ok_and(|fds| fds == folder);
        let is_of_another = folder.starts_with("/proc") && folder.ends_with("fd");
        let descriptor = is_own.then(|| number.to_owned());
        (is_own || is_of_another).then(|| Self { path: path.to_owned(), descriptor })
    }

    /// Opens the stream for appending, which keeps its content and what others write meanwhile.
    pub fn open(&self) -> io::Result<File> {
        match self.descriptor.as_deref() {
            Some("1") => duplicate(&io::stdout()),
            Some("2") => duplicate(&io::stderr()),
            _ => OpenOptions::new().append(true).open(&self.path),
        }
    }
}

/// Duplicates the descriptor of an open stream, which shares its offset.
#[cfg(unix)]
fn duplicate(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn duplicate<T>(_: &T) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the canonical path of the regular file that is, or would be, at a path; the same for all paths to one file.
pub fn canonical_file(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(path) => path.is_file().then_some(path),
        Err(_) => match OutputTarget::at(path) {
            Ok(OutputTarget::File(FileTarget { path, folder, .. })) => {
                Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
            }
            _ => None,
        },
    }
}

/// Returns whether the path is that of a stream.
pub fn is_stream(path: &Path) -> bool {
    matches!(OutputTarget::at(path), Ok(OutputTarget::Stream(_)))
}

/// Returns the permissions of a new file; temporary files would be private.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // `None` on other systems
fn default_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<Permissions> {
    None
}
