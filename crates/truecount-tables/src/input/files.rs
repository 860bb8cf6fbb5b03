//! Input files, given by path or pattern.

use super::identity::Identity;
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_text::{is_file, is_stdio};

/// Returns all files in the given order, and those of a pattern in order of their names.
///
/// # Errors
/// Returns an error if a pattern is invalid or matches no files, or if a file would be read twice,
/// even under different names.
pub fn expand_patterns(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in named {
        match path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists()) {
            Some(pattern) => files.extend(matching(pattern)?),
            None => files.push(path.clone()),
        }
    }
    let mut seen = HashMap::with_capacity(files.len());
    for (i, path) in files.iter().enumerate() {
        if let Some(first) = Identity::from_path(path).and_then(|identity| seen.insert(identity, path)) {
            let (file, first) = (super::name(path), super::name(first));
            return Err(TableProblem::FileTwice { file, first, number: i + 1 }.into());
        }
    }
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, Error> {
    let pattern_error =
        |reason: String| Error::from(TableProblem::PatternInvalid { pattern: pattern.to_owned(), reason });
    let paths: Result<Vec<_>, _> = glob::glob(pattern).map_err(|e| pattern_error(e.to_string()))?.collect();
    let files: Vec<PathBuf> =
        paths.map_err(|e| pattern_error(e.to_string()))?.into_iter().filter(|path| !path.is_dir()).collect();
    if files.is_empty() { Err(TableProblem::NoSuchFiles { pattern: pattern.to_owned() }.into()) } else { Ok(files) }
}

/// Checks that each standard input or pipe is used only once, since it cannot be read again.
///
/// # Errors
/// Returns [`TableProblem::StandardInputTwice`] or [`TableProblem::PipeReused`] if an input is used
/// twice.
pub fn check_used_once<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Error> {
    let mut seen = Vec::new();
    for path in inputs.into_iter().filter(|path| !is_file(path)) {
        let Some(identity) = Identity::from_path(path) else { continue };
        if seen.contains(&identity) {
            let file = super::name(path);
            return Err(if is_stdio(path) {
                TableProblem::StandardInputTwice
            } else {
                TableProblem::PipeReused { file }
            }
            .into());
        }
        seen.push(identity);
    }
    Ok(())
}
