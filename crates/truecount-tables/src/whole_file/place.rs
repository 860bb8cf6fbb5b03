//! What is at a path that is to be written, behind all links: a file, which is there or not yet, or a stream.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use truecount::{Error, ErrorLocation};
use truecount_analysis::TableProblem;

/// Links after which a path leads in circles, as on Linux.
const LINKS: usize = 40;

pub(super) enum FilePlace {
    File(FileTarget),
    Stream(OutputStream),
}

/// A file to create or replace.
pub(super) struct FileTarget {
    pub path: PathBuf,
    pub folder: PathBuf,
    existing: Option<Permissions>,
}

/// What can only be written to: a pipe, a terminal or another device, or what is open already.
pub(super) struct OutputStream {
    path: PathBuf,
    /// Its number, if it is one of this process's open descriptors.
    descriptor: Option<String>,
}

impl FilePlace {
    pub fn at(path: &Path) -> Result<Self, Error> {
        let mut target = path.to_owned();
        // A link stays a link: the file it points to is replaced or created.
        let mut links = 0;
        while links <= LINKS {
            if let Some(stream) = OutputStream::open_already(&target) {
                return Ok(Self::Stream(stream));
            }
            let Ok(next) = fs::read_link(&target) else { break };
            target.set_file_name(next);
            links += 1;
        }
        match fs::metadata(&target) {
            Ok(found) if found.is_file() => FileTarget::new(path, target, Some(found.permissions())).map(Self::File),
            found if links > LINKS || found.as_ref().is_ok_and(Metadata::is_dir) => {
                Err(TableProblem::NotReplaceable { file: path.display().to_string() }.into())
            }
            Ok(_) => Ok(Self::Stream(OutputStream { path: target, descriptor: None })),
            Err(_) => FileTarget::new(path, target, None).map(Self::File),
        }
    }
}

impl FileTarget {
    fn new(named: &Path, path: PathBuf, existing: Option<Permissions>) -> Result<Self, Error> {
        let folder = folder(&path).to_owned();
        if !folder.is_dir() {
            return Err(ErrorLocation::file(named.display())
                .error(TableProblem::FolderMissing { folder: folder.display().to_string() }));
        }
        Ok(Self { path, folder, existing })
    }

    /// Those it has, or those of any new file.
    pub fn permissions(&self) -> Option<Permissions> {
        self.existing.clone().or_else(of_a_new_file)
    }
}

impl OutputStream {
    /// The open descriptor that a path stands for, as `/dev/fd/1` and `/proc/self/fd/1` do. Such a path looks like a link
    /// to the file that is open, but is the open file itself.
    fn open_already(path: &Path) -> Option<Self> {
        let number = path.file_name()?.to_str().filter(|name| name.bytes().all(|c| c.is_ascii_digit()))?;
        let folder = fs::canonicalize(folder(path)).ok()?;
        let own = folder == Path::new("/dev/fd") || fs::canonicalize("/proc/self/fd").is_ok_and(|own| own == folder);
        let of_another = folder.starts_with("/proc") && folder.ends_with("fd");
        let descriptor = own.then(|| number.to_owned());
        (own || of_another).then(|| Self { path: path.to_owned(), descriptor })
    }

    /// Opens it to append: what is there before, and what others write meanwhile, stays.
    pub fn open(&self) -> io::Result<File> {
        match self.descriptor.as_deref() {
            Some("1") => standard(&io::stdout()),
            Some("2") => standard(&io::stderr()),
            _ => OpenOptions::new().append(true).open(&self.path),
        }
    }
}

/// The same open file, with its place: what is written to it later comes after.
#[cfg(unix)]
fn standard(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn standard<T>(_: &T) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The regular file that is, or would be, at a path, whatever links lead there: the same for two paths to one file.
pub fn file_at(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(found) => found.is_file().then_some(found),
        Err(_) => match FilePlace::at(path) {
            Ok(FilePlace::File(FileTarget { path, folder, .. })) => {
                Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
            }
            _ => None,
        },
    }
}

/// Whether a path is that of a stream.
pub fn is_stream(path: &Path) -> bool {
    matches!(FilePlace::at(path), Ok(FilePlace::Stream(_)))
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
