//! `cargo xtask layers`: a check that the modules of one folder do not import each other in a
//! cycle, and that the modules of the Python package import only those above them.
//!
//! A cycle may be direct, or go through other modules or through files in subfolders. A module and
//! the folder that contains it may import each other.

mod cycles;
mod order;
mod python;
mod rust;

use crate::run::{TaskError, root};
use cycles::import_cycles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path from the root of its crate or package: the names of its folders, then its own.
type Module = Vec<String>;

/// An import of one module by another.
struct Import {
    from: Module,
    to: Module,
    /// File and line.
    location: String,
}

/// A function that returns the imports in all files of a tree.
type ImportReader = fn(&Sources) -> Vec<Import>;

/// The source trees with their import readers.
const TREES: [(&str, ImportReader); 11] = [
    ("crates/truecount/src", rust::imports),
    ("crates/truecount-analysis/src", rust::imports),
    ("crates/truecount-text/src", rust::imports),
    ("crates/truecount-tables/src", rust::imports),
    ("crates/truecount-report/src", rust::imports),
    ("crates/truecount-cli/src", rust::imports),
    ("crates/truecount-bench/src", rust::imports),
    ("crates/truecount-python/src", rust::imports),
    ("crates/truecount-r/src", rust::imports),
    ("crates/truecount-web/src", rust::imports),
    (PYTHON, python::imports),
];

const PYTHON: &str = "python/truecount";

/// The files of a tree with their contents.
struct Sources(BTreeMap<PathBuf, String>);

/// Fails if modules import each other in a cycle, or Python's modules import upwards, and lists these imports.
pub fn check() -> Result<(), TaskError> {
    let contributing = root().join("CONTRIBUTING.md");
    let contributing = fs::read_to_string(&contributing).map_err(|e| TaskError(format!("CONTRIBUTING.md: {e}")))?;
    let upward = order::violations(&contributing, &Sources::read(&root().join(PYTHON))?);
    if !upward.is_empty() {
        return Err(TaskError(format!(
            "the order of modules in CONTRIBUTING.md does not hold:\n{}",
            upward.join("\n")
        )));
    }
    let mut cycles = Vec::new();
    for (tree, imports) in TREES {
        let sources = Sources::read(&root().join(tree))?;
        cycles.extend(import_cycles(&imports(&sources)).into_iter().map(|cycle| format!("{tree}: {cycle}")));
    }
    if cycles.is_empty() { Ok(()) } else { Err(TaskError(format!("imports go in circles:\n{}", cycles.join("\n")))) }
}

impl Sources {
    fn read(tree: &Path) -> Result<Self, TaskError> {
        let mut sources = BTreeMap::new();
        let mut folders = vec![tree.to_owned()];
        while let Some(folder) = folders.pop() {
            let folder_error = |e| TaskError(format!("{}: {e}", folder.display()));
            for entry in fs::read_dir(&folder).map_err(folder_error)? {
                let path = entry.map_err(folder_error)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
                    let text = fs::read_to_string(&path).map_err(folder_error)?;
                    let relative = path.strip_prefix(tree).expect("a file of the tree").to_owned();
                    sources.insert(relative, text);
                }
            }
        }
        Ok(Self(sources))
    }

    /// Returns each file with its module. A file named as in `folder_files` is the module of its
    /// folder.
    fn modules<'a>(&'a self, folder_files: &'a [&str]) -> impl Iterator<Item = (Module, &'a Path, &'a str)> {
        self.0.iter().map(move |(path, text)| {
            let mut module: Module = path.with_extension("").iter().map(|name| name.to_string_lossy().into()).collect();
            if module.last().is_some_and(|name| folder_files.contains(&name.as_str())) {
                module.pop();
            }
            (module, path.as_path(), text.as_str())
        })
    }
}
