//! Bytes from a file or standard input, unpacked, with progress on a terminal.

use crate::failure::Failure;
use flate2::bufread::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

const BUFFER: usize = 1 << 17;

/// Whether the path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses to read two inputs from standard input.
pub fn one_from_stdio<'a>(inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if inputs.filter(|path| is_stdio(path)).count() > 1 {
        return Err(Failure::Usage("only one input can be standard input".to_owned()));
    }
    Ok(())
}

/// How the input is called in messages.
pub fn name(path: &Path) -> String {
    if is_stdio(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The file; none for standard input.
pub fn file(path: &Path) -> Result<Option<File>, Failure> {
    if is_stdio(path) {
        return Ok(None);
    }
    let failed = || Failure::at::<io::Error>(name(path));
    let file = File::open(path).map_err(failed())?;
    if file.metadata().map_err(failed())?.is_dir() {
        return Err(Failure::Data(format!("{0} is a folder; name a file, or all of them: '{0}/*'", name(path))));
    }
    Ok(Some(file))
}

/// The input's bytes, unpacked when they begin as gzip or zstd does, whatever the file is called.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    let bar = progress(&name(path), length([path]));
    unpacked(path, file(path)?, &bar)
}

/// The same without a bar, for one of many files.
pub fn open_quietly(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    unpacked(path, file(path)?, &ProgressBar::hidden())
}

/// The bytes of the file, or of standard input, as they are read counted by the bar.
pub fn unpacked(path: &Path, file: Option<File>, bar: &ProgressBar) -> Result<Box<dyn BufRead + Send>, Failure> {
    let failed = || |e: io::Error| Failure::Data(format!("{}: {}", name(path), describe(&e)));
    let raw: Box<dyn Read + Send> = match file {
        Some(file) => Box::new(file),
        None => Box::new(io::stdin()),
    };
    let mut bytes = BufReader::with_capacity(BUFFER, bar.wrap_read(raw));
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

/// What went wrong, in words.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed file is cut off; get a complete copy".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            format!("{error}; the file is damaged, get a good copy")
        }
        _ => error.to_string(),
    }
}

/// The length of all files together; none where one is no ordinary file.
pub fn length<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<u64> {
    let of = |path: &Path| {
        let metadata = std::fs::metadata(path).ok().filter(|metadata| metadata.is_file() && !is_stdio(path));
        metadata.map(|file| file.len())
    };
    paths.into_iter().map(of).sum()
}

/// A bar that is drawn on a terminal only, and gone when reading ends.
pub fn progress(what: &str, length: Option<u64>) -> ProgressBar {
    let (bar, style) = match length {
        Some(length) => (ProgressBar::new(length), "{msg} {bar:40} {percent:>3} %  {eta} left"),
        None => (ProgressBar::new_spinner(), "{msg} {bytes} read"),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("a valid template"))
        .with_message(what.to_owned())
        .with_finish(indicatif::ProgressFinish::AndClear)
}
