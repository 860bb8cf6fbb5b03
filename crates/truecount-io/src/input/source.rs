//! Bytes from a file or standard input, decompressed, and counted as they are read.

use crate::progress::Metered;
use crate::{Error, Fault, Meter, Progress};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const BUFFER: usize = 1 << 17;

/// Whether the path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses to read two inputs from standard input.
///
/// # Errors
/// If more than one of them is standard input.
pub fn one_from_stdio<'a>(inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Error> {
    if inputs.filter(|path| is_stdio(path)).count() > 1 {
        return Err(Fault::StandardInputTwice.into());
    }
    Ok(())
}

/// What messages call the input.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens the file; `None` for standard input.
pub fn file(path: &Path) -> Result<Option<File>, Error> {
    if is_stdio(path) {
        return Ok(None);
    }
    let failed = || Error::unreadable::<io::Error>(name(path));
    let file = File::open(path).map_err(failed())?;
    if file.metadata().map_err(failed())?.is_dir() {
        return Err(Fault::Folder { file: name(path) }.into());
    }
    Ok(Some(file))
}

/// The input's bytes, decompressed if they begin as gzip or zstd do, whatever the file's name.
///
/// # Errors
/// If it cannot be read.
pub fn open(path: &Path, progress: &dyn Progress) -> Result<Box<dyn BufRead + Send>, Error> {
    unpacked(path, file(path)?, progress.begin(&name(path), length([path])))
}

/// The decompressed bytes of the file, or of standard input.
pub fn unpacked(path: &Path, file: Option<File>, meter: Arc<dyn Meter>) -> Result<Box<dyn BufRead + Send>, Error> {
    let failed = || |e: io::Error| Error::unreadable(name(path))(describe(&e));
    let raw: Box<dyn Read + Send> = match file {
        Some(file) => Box::new(file),
        None => Box::new(io::stdin()),
    };
    let mut bytes = BufReader::with_capacity(BUFFER, Metered { bytes: raw, meter });
    let start = bytes.fill_buf().map_err(failed())?;
    Ok(if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes)))
    } else if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let unpacked = zstd::Decoder::with_buffer(bytes).map_err(failed())?;
        Box::new(BufReader::with_capacity(BUFFER, unpacked))
    } else {
        Box::new(bytes)
    })
}

/// An I/O error in words.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed file is cut off; get a complete copy".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            format!("{error}; the file is damaged, get a good copy")
        }
        _ => error.to_string(),
    }
}

/// The total length of all files; `None` if one is not an ordinary file.
pub fn length<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<u64> {
    let of = |path: &Path| {
        let metadata = std::fs::metadata(path).ok().filter(|metadata| metadata.is_file() && !is_stdio(path));
        metadata.map(|file| file.len())
    };
    paths.into_iter().map(of).sum()
}
