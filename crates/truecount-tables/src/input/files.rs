//! The files that were named, one by one or by a pattern.

use super::identity::Identity;
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_text::{is_file, is_stdio};

/// All files in the order named; those of a pattern in the order of their names.
///
/// # Errors
/// If a pattern is wrong or has no files, or a file would be read twice, whatever it is called.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
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
            return Err(TableProblem::NamedTwice { file, first, number: i + 1 }.into());
        }
    }
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, Error> {
    let wrong = |reason: String| Error::from(TableProblem::Pattern { pattern: pattern.to_owned(), reason });
    let found: Result<Vec<_>, _> = glob::glob(pattern).map_err(|e| wrong(e.to_string()))?.collect();
    let files: Vec<PathBuf> =
        found.map_err(|e| wrong(e.to_string()))?.into_iter().filter(|path| !path.is_dir()).collect();
    if files.is_empty() { Err(TableProblem::NoSuchFiles { pattern: pattern.to_owned() }.into()) } else { Ok(files) }
}

/// Refuses inputs that would be read twice and can be read only once, such as standard input and pipes.
///
/// # Errors
/// If there is such an input.
pub fn once_each<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Error> {
    let mut seen = Vec::new();
    for path in inputs.into_iter().filter(|path| !is_file(path)) {
        let Some(own) = Identity::from_path(path) else { continue };
        if seen.contains(&own) {
            let file = super::name(path);
            return Err(if is_stdio(path) {
                TableProblem::StandardInputTwice
            } else {
                TableProblem::ReadOnce { file }
            }
            .into());
        }
        seen.push(own);
    }
    Ok(())
}
