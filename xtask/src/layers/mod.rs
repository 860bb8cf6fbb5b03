//! `cargo xtask layers`: code flows one way. Among the modules of one folder, none may import another that imports it
//! back, directly, through others, or through files below them; a module and the folder it is in may import each other.

mod circles;
mod python;
mod rust;

use crate::run::{Failed, root};
use circles::circles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path: the names of its folders and its own, below the root of its crate or package.
type Module = Vec<String>;

/// An import of one module by another, and where.
struct Import {
    from: Module,
    to: Module,
    /// File and line.
    place: String,
}

/// Finds the imports of all files of a tree.
type Read = fn(&Sources) -> Vec<Import>;

/// Source trees, and the function that reads the imports of their files.
const TREES: [(&str, Read); 11] = [
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
    ("python/truecount", python::imports),
];

/// The files of a tree with their contents.
struct Sources(BTreeMap<PathBuf, String>);

/// Fails if modules import each other in a cycle, and names it.
pub fn check() -> Result<(), Failed> {
    let mut found = Vec::new();
    for (tree, imports) in TREES {
        let sources = Sources::read(&root().join(tree))?;
        found.extend(circles(&imports(&sources)).into_iter().map(|circle| format!("{tree}: {circle}")));
    }
    if found.is_empty() { Ok(()) } else { Err(Failed(format!("imports go in circles:\n{}", found.join("\n")))) }
}

impl Sources {
    fn read(tree: &Path) -> Result<Self, Failed> {
        let mut sources = BTreeMap::new();
        let mut folders = vec![tree.to_owned()];
        while let Some(folder) = folders.pop() {
            let failed = |e| Failed(format!("{}: {e}", folder.display()));
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
                    let text = fs::read_to_string(&path).map_err(failed)?;
                    let below = path.strip_prefix(tree).expect("a file of the tree").to_owned();
                    sources.insert(below, text);
                }
            }
        }
        Ok(Self(sources))
    }

    /// Each file with its module; files with these names stand for the folder they are in.
    fn modules<'a>(&'a self, folders: &'a [&str]) -> impl Iterator<Item = (Module, &'a Path, &'a str)> {
        self.0.iter().map(move |(path, text)| {
            let mut module: Module = path.with_extension("").iter().map(|name| name.to_string_lossy().into()).collect();
            if module.last().is_some_and(|name| folders.contains(&name.as_str())) {
                module.pop();
            }
            (module, path.as_path(), text.as_str())
        })
    }
}
