//! The folder of an experiment: which files in it are the experiment's own.
//!
//! The folder is an experiment's if its subfolder `cells` has a cell, or if it has none of the files
//! that the experiment writes.

use super::CELLS;
use crate::whole_file::is_temporary;
use std::fs;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount_analysis::AnalysisProblem;

const HINT: &str = "name a new folder, or the folder of an earlier run of the experiment";

/// Checks that no file of another origin would be overwritten: neither one of the results, which have these
/// `names`, nor anything in the folder of the cells.
pub fn check<'a>(out: &Path, mut names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let entries = entries(&out.join(CELLS));
    if let Some(foreign) = entries.iter().find(|path| !is_cell(path) && !is_temporary(path)) {
        let problem = format!("--out names a folder with the file {}, which no experiment wrote", foreign.display());
        return Err(AnalysisProblem::output(problem, HINT));
    }
    let is_own = entries.iter().any(|path| is_cell(path));
    match names.find(|name| !is_own && out.join(name).exists()) {
        Some(name) => {
            let problem = format!("--out would overwrite {}, which no experiment wrote", out.join(name).display());
            Err(AnalysisProblem::output(problem, HINT))
        }
        None => Ok(()),
    }
}

/// Removes the temporary files of runs that were killed, and the cells that are not among those of the
/// finished experiment. What cannot be removed is left, as it does no harm.
pub fn remove_remains(out: &Path, cells: &[PathBuf]) {
    let temporary = entries(out).into_iter().filter(|path| is_temporary(path));
    let stale = entries(&out.join(CELLS)).into_iter().filter(|path| !cells.contains(path));
    temporary.chain(stale).for_each(|path| _ = fs::remove_file(path));
}

/// Returns the sorted paths in a folder, or an empty list if the folder does not exist.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Returns whether a path has the name of a cell, which is a checksum.
fn is_cell(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".parquet"));
    name.is_some_and(|name| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
