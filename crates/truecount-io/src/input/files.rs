//! The files that were named, one by one or by a pattern.

use super::source;
use crate::{Error, Fault};
use std::path::PathBuf;

/// All files in the order named; those of a pattern in the order of their names.
///
/// # Errors
/// If a pattern is wrong or has no files, or a file would be read twice.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in named {
        match path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists()) {
            Some(pattern) => files.extend(matching(pattern)?),
            None => files.push(path.clone()),
        }
    }
    if let Some((i, path)) = files.iter().enumerate().find(|(i, path)| files[..*i].contains(path)) {
        return Err(Fault::NamedTwice { file: super::name(path), number: i + 1 }.into());
    }
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, Error> {
    let wrong = |reason: String| Error::from(Fault::Pattern { pattern: pattern.to_owned(), reason });
    let found: Result<Vec<_>, _> = glob::glob(pattern).map_err(|e| wrong(e.to_string()))?.collect();
    let files: Vec<PathBuf> =
        found.map_err(|e| wrong(e.to_string()))?.into_iter().filter(|path| !path.is_dir()).collect();
    if files.is_empty() { Err(Fault::NoSuchFiles { pattern: pattern.to_owned() }.into()) } else { Ok(files) }
}

/// One name for all the files together.
pub fn title(files: &[PathBuf]) -> String {
    match files {
        [only] => super::name(only),
        several => format!("{} files", several.len()),
    }
}

/// Their total length in bytes, if all are ordinary files.
pub fn length(files: &[PathBuf]) -> Option<u64> {
    source::length(files.iter().map(PathBuf::as_path))
}
