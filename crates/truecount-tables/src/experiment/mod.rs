//! Experiments: all combinations of data sets, classifiers, labelled samples, protocols and methods.
//!
//! `pool` reads the score files, and `methods` fits methods to them. `cells` runs each cell and
//! writes its file. `table` joins these files, and reads the result. `folder` removes the files of
//! earlier runs and keeps all others.

mod cells;
mod folder;
mod methods;
mod pool;
mod table;

pub use methods::{ExternalMethod, Fit, Predict};
pub use table::{is_part, join, read_columns, summarise, write_part};

use crate::input::MissingPolicy;
use crate::parallel::AllThreads;
use crate::{FileRoles, Progress, threads, whole_file};
use cells::{CellSpec, ExperimentCellRun};
use pool::ExperimentFiles;
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, ptr};
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;
use truecount_analysis::experiment::{
    ExperimentDesign, ExperimentSpec, ExperimentSummary, ExperimentTables, PAPER, SAMPLES, SUMMARY, experiment_error,
};
use truecount_analysis::results::ResultFormat;

/// Folder with the files of the cells, in the folder of the experiment.
const CELLS: &str = "cells";

/// A request for an experiment.
pub struct ExperimentRequest<'a> {
    /// The experiment's file.
    pub file: &'a Path,
    /// The folder for the results.
    pub out: &'a Path,
    /// The policy for rows without a score or label.
    pub missing: MissingPolicy,
    /// The number of threads; `None` for all.
    pub threads: Option<u16>,
    /// Methods that are not part of this program.
    pub others: &'a [ExternalMethod],
}

/// A finished experiment, with its files written.
pub struct FinishedExperiment {
    design: ExperimentDesign,
    summary: ExperimentSummary,
    /// The names of the files of results, except the table of all samples.
    pub files: Vec<String>,
}

impl FinishedExperiment {
    /// Returns the tables of the results.
    pub fn tables(&self) -> ExperimentTables<'_> {
        ExperimentTables::new(&self.design, &self.summary)
    }
}

impl ExperimentRequest<'_> {
    /// Runs the missing cells of an experiment, and writes the files of its folder; with other
    /// methods, which may have changed, it runs all cells. `progress` gets warnings too, and how much of
    /// an interrupted run is there. `draw` returns names of figures, with SVG.
    ///
    /// # Errors
    /// Returns an error for a design or a file that cannot be used, and
    /// [`TableProblem::WorkInterrupted`] after `stop` is set; the same call then continues.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &dyn Progress,
        draw: impl Fn(&ExperimentTables) -> Vec<(String, String)>,
    ) -> Result<FinishedExperiment, Error> {
        let Self { file, out, .. } = *self;
        let design = read_design(file)?;
        let scores = design.scores.iter().flat_map(|files| [files.train.clone(), files.pool.clone()]);
        let inputs: Vec<PathBuf> = scores.chain([file.to_owned()]).collect();
        let names = ExperimentTables::files(&design);
        folder::check(out, names.iter().map(String::as_str))?;
        FileRoles::reading(&inputs).filling("--out", Some(out), &names).check()?;
        if !self.others.is_empty() && !design.class_methods.is_empty() {
            let problem = "quantifiers of other packages cannot be used with class-scores";
            return Err(experiment_error(problem, "leave them out of methods"));
        }
        let parts = self.complete_cells(&design, stop, progress)?;

        let samples = out.join(SAMPLES);
        let about = [("seed", json!(design.seed)), ("level", json!(design.level))];
        join(&parts, &about.map(|(name, value)| (name.to_owned(), value.to_string())), &samples)?;
        let summary = summarise(&samples)?;
        let (tables, mut files) = (ExperimentTables::new(&design, &summary), Vec::new());
        for (name, format) in [(PAPER, ResultFormat::Latex), (SUMMARY, ResultFormat::Json)] {
            whole_file::write_with(&out.join(name), |out| tables.results().write(&AllThreads, format, out))?;
            files.push(name.to_owned());
        }
        for (name, svg) in draw(&tables) {
            whole_file::write(&out.join(&name), svg.as_bytes())?;
            files.push(name);
        }
        folder::remove_remains(out, &parts);
        Ok(FinishedExperiment { design, summary, files })
    }

    /// Writes the missing files of cells, and returns the paths of all cells' files.
    fn complete_cells(
        &self,
        experiment: &ExperimentDesign,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<Vec<PathBuf>, Error> {
        let folder = self.out.join(CELLS);
        whole_file::create_folder(&folder)?;
        let read_files = |cell: &CellSpec| {
            ExperimentFiles::read(cell.scores, &experiment.protocols, &experiment.settings, self.missing, progress)
        };
        let others = self.others;
        let cells = cells::all(experiment);
        // All cells are checked before any is run, so that errors appear at once.
        let mut paths = Vec::new();
        let mut missing = Vec::new();
        let mut printed = Vec::new();
        let mut samples = 0;
        for cells in cells.chunk_by(|a, b| ptr::eq(a.scores, b.scores)) {
            let files = read_files(&cells[0])?;
            for &cell in cells {
                let run = ExperimentCellRun { experiment, others, files: &files, cell };
                let cell_samples = run.check()?;
                if let Some(warning) = run.overlap_warning()
                    && !printed.contains(&warning)
                {
                    progress.note("", &warning);
                    printed.push(warning);
                }
                let path = run.path(&folder)?;
                if !others.is_empty() || !is_part(&path) {
                    missing.push((cell, path.clone()));
                    samples += cell_samples;
                }
                paths.push(path);
            }
        }
        let finished = paths.len() - missing.len();
        if finished > 0 && !missing.is_empty() {
            progress.note("", &format!("{finished} of {} cells are in {}", paths.len(), folder.display()));
        }
        let threads = threads::pool(self.threads)?;
        let meter = progress.begin("samples", Some(samples));
        for cells in missing.chunk_by(|(a, _), (b, _)| ptr::eq(a.scores, b.scores)) {
            let files = read_files(&cells[0].0)?;
            let write = |(cell, path): &(CellSpec, PathBuf)| {
                ExperimentCellRun { experiment, others, files: &files, cell: *cell }.write(path, stop, &*meter)
            };
            threads.install(|| cells.par_iter().with_max_len(1).map(write).collect::<Result<Vec<_>, _>>())?;
            if stop.load(Ordering::Relaxed) {
                let finished = paths.iter().filter(|path| path.is_file()).count();
                let (total, parts, folder) = (paths.len(), "cells", folder.display().to_string());
                return Err(TableProblem::WorkInterrupted { finished, total, parts, folder }.into());
            }
        }
        Ok(paths)
    }
}

/// Reads the design of an experiment from a file. Paths in it are relative to the file's folder.
fn read_design(path: &Path) -> Result<ExperimentDesign, Error> {
    let text = fs::read_to_string(path).map_err(TableProblem::unreadable(path.display()))?;
    let spec: ExperimentSpec = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        let location = ErrorLocation::file(path.display()).at(Position::Line(line as u64));
        location.error(TableProblem::FileUnreadable { reason: error.message().to_owned() })
    })?;
    spec.into_design(path.parent().unwrap_or(Path::new(""))).map_err(|error| error.in_file(path.display()))
}
