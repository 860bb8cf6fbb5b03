//! `truecount experiment`: many data sets, classifiers, labelled samples, protocols and methods, each with each.
//!
//! `file`: what is asked for. `protocol`: how samples differ from the labelled scores. `pool`: the score files. `cells`: what is run, each
//! with a file of its own. `tables`: what comes of it.

mod args;
mod cells;
mod file;
mod pool;
mod protocol;
mod tables;

pub use args::ExperimentArgs;
pub use tables::tables;

use crate::failure::CliError;
use crate::output::{self, FileRoles as Written};
use crate::progress::Bar;
use crate::{parallel, signals};
use cells::{CellTask, Run};
use pool::ExperimentFiles;
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tables::ExperimentTables;
use truecount_tables::experiment::{is_part, join, summarise};
use truecount_tables::whole_file;

/// The one table of all samples, in the folder.
const SAMPLES: &str = "samples.parquet";
/// The folder of the cells, in the folder.
const CELLS: &str = "cells";

pub fn run(args: &ExperimentArgs) -> Result<(), CliError> {
    let form = args.format.for_stdout()?;
    let experiment = file::ExperimentDesign::read(&args.file)?;
    let inputs: Vec<PathBuf> = experiment
        .scores
        .iter()
        .flat_map(|of| [of.train.clone(), of.pool.clone()])
        .chain([args.file.clone()])
        .collect();
    Written::reading(&inputs)
        .filling(
            "--out",
            Some(&args.out),
            ExperimentTables::files(&experiment).iter().map(String::as_str).chain([SAMPLES]),
        )
        .check()?;
    let parts = complete(&experiment, args)?;

    let path = args.out.join(SAMPLES);
    join(&parts, &about(&experiment), &path)?;
    output::say(&format!("wrote {}", path.display()));
    let summary = summarise(&path)?;
    let tables = ExperimentTables::new(&experiment, &summary);
    tables.write(&args.out)?;
    output::print(&tables.results(), form, None)
}

/// The files of all cells, those that were missing made.
fn complete(experiment: &file::ExperimentDesign, args: &ExperimentArgs) -> Result<Vec<PathBuf>, CliError> {
    let folder = args.out.join(CELLS);
    whole_file::folder(&folder)?;
    let cells = cells::all(experiment);
    // Everything is looked at before anything is run: what cannot be run is known at once.
    let mut paths = Vec::new();
    let mut missing = Vec::new();
    let mut said = Vec::new();
    let mut samples = 0;
    for of_files in cells.chunk_by(|a, b| a.scores == b.scores) {
        let files = read(experiment, of_files[0])?;
        for &cell in of_files {
            let run = Run { experiment, files: &files, cell };
            let number = run.checked()?;
            if let Some(warning) = run.overlap()
                && !said.contains(&warning)
            {
                output::say(&warning);
                said.push(warning);
            }
            let path = run.path(&folder)?;
            if !is_part(&path) {
                missing.push((cell, path.clone()));
                samples += number;
            }
            paths.push(path);
        }
    }
    let finished = paths.len() - missing.len();
    if finished > 0 && !missing.is_empty() {
        output::say(&format!("{finished} of {} cells are in {}", paths.len(), folder.display()));
    }
    let threads = parallel::pool(args.threads)?;
    let stop = signals::orderly();
    let bar = Bar::new("samples", Some(samples)).drawn();
    for of_files in missing.chunk_by(|(a, _), (b, _)| a.scores == b.scores) {
        let files = read(experiment, of_files[0].0)?;
        let make =
            |(cell, path): &(CellTask, PathBuf)| Run { experiment, files: &files, cell: *cell }.write(path, stop, &bar);
        threads.install(|| of_files.par_iter().with_max_len(1).map(make).collect::<Result<Vec<_>, _>>())?;
        if stop.load(Ordering::Relaxed) {
            let there = paths.iter().filter(|path| path.is_file()).count();
            return Err(CliError::Interrupted(format!(
                "interrupted: {there} of {} cells are in {}; the same command continues there",
                paths.len(),
                folder.display()
            )));
        }
    }
    Ok(paths)
}

fn read(experiment: &file::ExperimentDesign, cell: CellTask) -> Result<ExperimentFiles, CliError> {
    ExperimentFiles::read(&experiment.scores[cell.scores], &experiment.protocols, &experiment.settings)
}

/// What the table says of itself.
fn about(experiment: &file::ExperimentDesign) -> Vec<(String, String)> {
    let file::ExperimentDesign { seed, level, .. } = experiment;
    [("seed", json!(seed)), ("level", json!(level))].map(|(name, value)| (name.to_owned(), value.to_string())).into()
}
