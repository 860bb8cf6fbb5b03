//! Experiments, with the results of the command.

use crate::error::value_error;
use crate::tables::{column_dict, result_dict};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use truecount_analysis::results::ResultTable;
use truecount_cli::shared::{CliError, ExperimentArgs, FinishedExperiment, OutputFormat, complete_experiment};
use truecount_tables::experiment::read_columns;
use truecount_tables::input::MissingPolicy;

/// The time between two checks for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs the experiment of a file, or continues it, and returns its rankings with their notes, and
/// the errors of its parts. The folder gets the files of the command.
#[pyfunction]
pub fn experiment(
    py: Python<'_>,
    file: PathBuf,
    out: PathBuf,
    threads: Option<u16>,
) -> PyResult<(Bound<'_, PyDict>, Vec<String>, Bound<'_, PyDict>)> {
    let args = ExperimentArgs { file, out, missing: MissingPolicy::Error, threads, format: OutputFormat::default() };
    let finished = run(py, &args)?;
    let tables = finished.tables();
    let notes = tables.notes().iter().map(|note| note.sentence().to_owned()).collect();
    let parts = result_dict(py, &ResultTable::new(tables.parts()), &ResultTable::new(tables.parts()))?;
    let (shown, methods) = (tables.shown(), tables.ranked_methods());
    let rankings = result_dict(py, &ResultTable::new(&methods), &ResultTable::new(&methods).view(&shown))?;
    Ok((rankings, notes, parts))
}

/// Runs an experiment in another thread, until it is finished or the user interrupts it.
fn run(py: Python<'_>, args: &ExperimentArgs) -> PyResult<FinishedExperiment> {
    let stop = AtomicBool::new(false);
    let mut interrupt = None;
    let result = py.detach(|| {
        thread::scope(|scope| {
            let run = scope.spawn(|| complete_experiment(args, &stop));
            while !run.is_finished() {
                thread::sleep(PAUSE);
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(signal);
                }
            }
            run.join()
        })
    });
    match (result, interrupt) {
        (Ok(Ok(finished)), _) => Ok(finished),
        (Ok(Err(CliError::Interrupted(_))), Some(interrupt)) => Err(interrupt),
        (Ok(Err(error)), _) => Err(value_error(error)),
        (Err(panic), _) => std::panic::resume_unwind(panic),
    }
}

/// Returns the columns of the table of an experiment's samples.
#[pyfunction]
pub fn read_samples(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let columns = py.detach(|| read_columns(&path)).map_err(value_error)?;
    column_dict(py, columns)
}
