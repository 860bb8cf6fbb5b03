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

/// The input's bytes, unpacked when they begin as gzip does, whatever the file is called.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    open_with(path, progress)
}

/// The same without a bar, for one of many files.
pub fn open_quietly(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    open_with(path, |_, _| ProgressBar::hidden())
}

fn open_with(path: &Path, bar: impl Fn(&Path, Option<u64>) -> ProgressBar) -> Result<Box<dyn BufRead>, Failure> {
    let failed = || Failure::at::<io::Error>(name(path));
    let (raw, length): (Box<dyn Read>, Option<u64>) = if is_stdio(path) {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(failed())?;
        let metadata = file.metadata().map_err(failed())?;
        if metadata.is_dir() {
            return Err(Failure::Data(format!("{} is a folder; name a file", name(path))));
        }
        (Box::new(file), metadata.is_file().then_some(metadata.len()))
    };
    let bar = bar(path, length);
    let mut bytes = BufReader::with_capacity(BUFFER, bar.wrap_read(raw));
    if bytes.fill_buf().map_err(failed())?.starts_with(&[0x1f, 0x8b]) {
        Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes))))
    } else {
        Ok(Box::new(bytes))
    }
}

/// A bar that is drawn on a terminal only, and gone when reading ends.
fn progress(path: &Path, length: Option<u64>) -> ProgressBar {
    let (bar, style) = match length {
        Some(length) => (ProgressBar::new(length), "{msg} {bar:40} {percent:>3} %  {eta} left"),
        None => (ProgressBar::new_spinner(), "{msg} {bytes} read"),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("a valid template"))
        .with_message(name(path))
        .with_finish(indicatif::ProgressFinish::AndClear)
}
