//! The files that were named, one by one or by a pattern.

use super::source;
use crate::failure::Failure;
use std::path::PathBuf;

/// All files in the order named; those of a pattern in the order of their names.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        match path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists()) {
            Some(pattern) => files.extend(matching(pattern)?),
            None => files.push(path.clone()),
        }
    }
    if let Some((i, path)) = files.iter().enumerate().find(|(i, path)| files[..*i].contains(path)) {
        let (name, place) = (super::name(path), i + 1);
        return Err(Failure::Usage(format!("{name} is named twice (file {place}); its rows would count twice")));
    }
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |what: String| Failure::Usage(format!("'{pattern}': {what}"));
    let found: Result<Vec<_>, _> = glob::glob(pattern).map_err(|e| wrong(e.to_string()))?.collect();
    let files: Vec<PathBuf> =
        found.map_err(|e| wrong(e.to_string()))?.into_iter().filter(|path| !path.is_dir()).collect();
    if files.is_empty() { Err(Failure::Data(format!("no file is named '{pattern}'"))) } else { Ok(files) }
}

/// What they are called together.
pub fn title(files: &[PathBuf]) -> String {
    match files {
        [only] => super::name(only),
        several => format!("{} files", several.len()),
    }
}

/// Their length in bytes, if all are ordinary files.
pub fn length(files: &[PathBuf]) -> Option<u64> {
    source::length(files.iter().map(PathBuf::as_path))
}
