//! `truecount experiment`: all combinations of data sets, classifiers, labelled samples, protocols
//! and methods.
//!
//! `design` reads the experiment's file. `protocol` says how samples differ from the labelled
//! scores. `pool` reads the score files. `cells` runs each cell and writes its file. `folder` keeps
//! the files of others and removes those of earlier runs. `tables` summarises.

mod args;
mod cells;
mod design;
mod folder;
mod pool;
mod protocol;
mod tables;

pub use args::ExperimentArgs;
pub use cells::{OtherMethod, Predict};
pub use tables::{ExperimentTables, tables};

use crate::error::CliError;
use crate::output::{self, FileRoles};
use crate::progress::Bar;
use crate::{parallel, signals};
use cells::{ExperimentCellIndex, ExperimentCellRun};
use design::ExperimentDesign;
use pool::ExperimentFiles;
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_analysis::advice::Message;
use truecount_analysis::experiment::ExperimentSummary;
use truecount_tables::experiment::{is_part, join, summarise};
use truecount_tables::input::MissingPolicy;
use truecount_tables::whole_file;

/// File with all samples, in the folder of the experiment.
const SAMPLES: &str = "samples.parquet";
/// Folder with the files of the cells, in the folder of the experiment.
const CELLS: &str = "cells";

pub fn run(args: &ExperimentArgs) -> Result<(), CliError> {
    let format = args.format.for_stdout()?;
    let finished = run_missing_cells(args, &[], signals::stop_flag(), &output::print_message)?;
    output::print_message(&format!("wrote {}", finished.samples.display()));
    output::print_message(&format!("wrote {} in {}", finished.files.join(", "), args.out.display()));
    output::print(&finished.tables().results(), format, None)
}

/// A finished experiment, with its files written.
pub struct FinishedExperiment {
    design: ExperimentDesign,
    summary: ExperimentSummary,
    /// The path of the table of all samples.
    pub samples: PathBuf,
    /// The names of the other files of results.
    files: Vec<String>,
}

impl FinishedExperiment {
    /// Returns the tables of the results.
    pub fn tables(&self) -> ExperimentTables<'_> {
        ExperimentTables::new(&self.design, &self.summary)
    }
}

/// Runs the missing cells of an experiment, and writes the files of its folder; with other methods, which
/// may have changed, it runs all cells. `tell` gets warnings, and says how much of an interrupted run is
/// there.
///
/// # Errors
/// Returns an error for a design or a file that cannot be used, and [`CliError::Interrupted`] after
/// `stop` is set; the same call then continues.
pub fn run_missing_cells(
    args: &ExperimentArgs,
    others: &[OtherMethod],
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<FinishedExperiment, CliError> {
    let design = ExperimentDesign::read(&args.file)?;
    let scores = design.scores.iter().flat_map(|files| [files.train.clone(), files.pool.clone()]);
    let inputs: Vec<PathBuf> = scores.chain([args.file.clone()]).collect();
    let files = ExperimentTables::files(&design);
    let files = || files.iter().map(String::as_str).chain([SAMPLES]);
    folder::check(&args.out, files())?;
    FileRoles::reading(&inputs).filling("--out", Some(&args.out), files()).check()?;
    let parts = complete_cells(&design, args, others, stop, tell)?;

    let samples = args.out.join(SAMPLES);
    join(&parts, &metadata(&design), &samples)?;
    let summary = summarise(&samples)?;
    let files = ExperimentTables::new(&design, &summary).write(&args.out)?;
    folder::remove_remains(&args.out, &parts);
    Ok(FinishedExperiment { design, summary, samples, files })
}

/// Writes the missing files of cells, and returns the paths of all cells' files.
fn complete_cells(
    experiment: &ExperimentDesign,
    args: &ExperimentArgs,
    others: &[OtherMethod],
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<Vec<PathBuf>, CliError> {
    let folder = args.out.join(CELLS);
    whole_file::create_folder(&folder)?;
    let cells = cells::all(experiment);
    // All cells are checked before any is run, so that errors appear at once.
    let mut paths = Vec::new();
    let mut missing = Vec::new();
    let mut printed = Vec::new();
    let mut samples = 0;
    for cells in cells.chunk_by(|a, b| a.scores == b.scores) {
        let files = read_files(experiment, cells[0], args.missing)?;
        for &cell in cells {
            let run = ExperimentCellRun { experiment, others, files: &files, cell };
            let cell_samples = run.check()?;
            if let Some(warning) = run.overlap_warning()
                && !printed.contains(&warning)
            {
                tell(&warning);
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
        tell(&format!("{finished} of {} cells are in {}", paths.len(), folder.display()));
    }
    let threads = parallel::pool(args.threads)?;
    let bar = Bar::new("samples", Some(samples)).drawn();
    for cells in missing.chunk_by(|(a, _), (b, _)| a.scores == b.scores) {
        let files = read_files(experiment, cells[0].0, args.missing)?;
        let write = |(cell, path): &(ExperimentCellIndex, PathBuf)| {
            ExperimentCellRun { experiment, others, files: &files, cell: *cell }.write(path, stop, &bar)
        };
        threads.install(|| cells.par_iter().with_max_len(1).map(write).collect::<Result<Vec<_>, _>>())?;
        if stop.load(Ordering::Relaxed) {
            let finished = paths.iter().filter(|path| path.is_file()).count();
            return Err(CliError::Interrupted(Message::new(
                format!("interrupted: {finished} of {} cells are in {}", paths.len(), folder.display()),
                "the same command continues there",
            )));
        }
    }
    Ok(paths)
}

fn read_files(
    experiment: &ExperimentDesign,
    cell: ExperimentCellIndex,
    missing: MissingPolicy,
) -> Result<ExperimentFiles, CliError> {
    ExperimentFiles::read(&experiment.scores[cell.scores], &experiment.protocols, &experiment.settings, missing)
}

/// Returns the metadata of the table of all samples.
fn metadata(experiment: &ExperimentDesign) -> Vec<(String, String)> {
    let ExperimentDesign { seed, level, .. } = experiment;
    [("seed", json!(seed)), ("level", json!(level))].map(|(name, value)| (name.to_owned(), value.to_string())).into()
}
