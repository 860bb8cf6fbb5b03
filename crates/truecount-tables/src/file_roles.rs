//! The files that a command reads and writes, checked before long work.

use crate::input::is_stdio;
use crate::whole_file;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount_analysis::AnalysisProblem;

/// A command's inputs, and its outputs with the options that name them.
#[derive(Default)]
pub struct FileRoles {
    /// Each input by its canonical path.
    inputs: HashMap<PathBuf, PathBuf>,
    outputs: Vec<(&'static str, PathBuf)>,
    folders: Vec<PathBuf>,
}

impl FileRoles {
    /// Creates roles with these input files.
    pub fn reading<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let existing = |path: &PathBuf| {
            // Standard input may be a file too.
            let file = if is_stdio(path) { Path::new("/dev/stdin") } else { path };
            Some((whole_file::canonical_file(file)?, path.clone()))
        };
        Self { inputs: inputs.into_iter().filter_map(existing).collect(), ..Self::default() }
    }

    /// Adds an output file, if the option names one.
    #[must_use]
    pub fn writing(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.outputs.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// Adds an output folder, if the option names one. The folder is created if it does not exist,
    /// and gets files with these names.
    #[must_use]
    pub fn filling(
        mut self,
        option: &'static str,
        folder: Option<&Path>,
        names: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Self {
        if let Some(folder) = folder {
            self.outputs.extend(names.into_iter().map(|name| (option, folder.join(name))));
            self.folders.push(folder.to_owned());
        }
        self
    }

    /// Checks all outputs, and creates the output folders.
    ///
    /// # Errors
    /// Returns an error if an output is standard output, an input or another output, or cannot be
    /// written.
    pub fn check(&self) -> Result<(), Error> {
        let mut known: HashMap<PathBuf, &str> = HashMap::new();
        for (option, path) in &self.outputs {
            if is_stdio(path) {
                return Err(AnalysisProblem::output(format!("{option} cannot be standard output"), "name a file"));
            }
            let file = match whole_file::canonical_file(path) {
                Some(file) => file,
                None if whole_file::is_stream(path) => continue,
                None => path.clone(), // the folder does not exist yet
            };
            if let Some(input) = self.inputs.get(&file) {
                return Err(AnalysisProblem::output(
                    format!("{option} would overwrite the input {}", input.display()),
                    "name another file",
                ));
            }
            if let Some(other) = known.insert(file, option) {
                let path = path.display();
                return Err(AnalysisProblem::output(
                    format!("{other} and {option} would both write {path}"),
                    "name two files",
                ));
            }
        }
        self.folders.iter().try_for_each(|folder| whole_file::create_folder(folder))?;
        self.outputs.iter().try_for_each(|(_, path)| whole_file::check(path))
    }
}
