//! Experiments, with the results of the command.

use crate::error::value_error;
use crate::executor::check_signals;
use crate::tables::{column_dict, result_dict};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use truecount::LabelledScores;
use truecount::scores::PerClass;
use truecount_analysis::advice::format_error;
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::column_values;
use truecount_report::charts::experiment::draw;
use truecount_report::drawing::FigureSize;
use truecount_tables::experiment::{ExperimentRequest, ExternalMethod, FinishedExperiment, Predict, read_columns};
use truecount_tables::input::MissingPolicy;
use truecount_tables::{Meter, Progress};

/// The time between two checks for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs the experiment of a file, or continues it, and returns its rankings with their notes, the
/// errors of its parts, and the messages. The folder gets the files of the command. `others` are names
/// of more methods, with functions that fit them to the scores of both classes and return a function of scores.
#[pyfunction]
pub fn experiment(
    py: Python<'_>,
    file: PathBuf,
    out: PathBuf,
    threads: Option<u16>,
    others: Vec<(String, Py<PyAny>)>,
) -> PyResult<(Bound<'_, PyDict>, Vec<String>, Bound<'_, PyDict>, Vec<String>)> {
    let messages = Messages::default();
    let others: Vec<ExternalMethod> = others.into_iter().map(|(name, fit)| other_method(name, fit)).collect();
    let (file, out, others) = (file.as_path(), out.as_path(), others.as_slice());
    let request = ExperimentRequest { file, out, missing: MissingPolicy::Error, threads, others };
    let finished = run(py, &request, &messages)?;
    let tables = finished.tables();
    let notes = tables.notes().iter().map(|note| note.sentence().to_owned()).collect();
    let parts = column_dict(py, column_values(&ResultTable::new(tables.parts())).0)?;
    let shown = tables.display_columns();
    let methods: Vec<_> = tables.rankings.into_iter().flat_map(|ranking| ranking.methods).collect();
    let rankings = result_dict(py, &ResultTable::new(&methods), &ResultTable::new(&methods).view(&shown))?;
    Ok((rankings, notes, parts, messages.take()))
}

/// The messages of an experiment.
#[derive(Clone, Default)]
struct Messages(Arc<Mutex<Vec<String>>>);

impl Messages {
    fn take(&self) -> Vec<String> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for Messages {
    fn begin(&self, _: &str, _: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(self.clone())
    }
}

impl Meter for Messages {
    fn advance(&self, _: u64) {}

    fn note(&self, message: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message.to_owned());
    }
}

/// Returns a method with a function in Python that fits it.
fn other_method(name: String, fit: Py<PyAny>) -> ExternalMethod {
    let fit = move |labelled: &LabelledScores| {
        let fitted = Python::attach(|py| {
            let PerClass { positive, negative } = labelled.scores().map(|scores| PyArray1::from_slice(py, scores));
            fit.call1(py, (positive, negative))
        });
        let fitted = fitted.map_err(|error| error.to_string())?;
        let predict: Predict = Box::new(move |scores| {
            let share = Python::attach(|py| fitted.call1(py, (PyArray1::from_slice(py, scores),))?.extract(py));
            share.map_err(|error: PyErr| error.to_string())
        });
        Ok(predict)
    };
    ExternalMethod { name, fit: Box::new(fit) }
}

/// Runs an experiment in another thread, until it is finished or the user interrupts it.
fn run(py: Python<'_>, request: &ExperimentRequest, messages: &Messages) -> PyResult<FinishedExperiment> {
    let stop = AtomicBool::new(false);
    let mut interrupt = None;
    let result = py.detach(|| {
        thread::scope(|scope| {
            let run = scope.spawn(|| request.run(&stop, messages, |tables| draw(tables, FigureSize::File)));
            while !run.is_finished() {
                thread::sleep(PAUSE);
                if let Err(signal) = check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(signal);
                }
            }
            run.join()
        })
    });
    match (result, interrupt) {
        (Err(panic), _) => std::panic::resume_unwind(panic),
        (_, Some(interrupt)) => Err(interrupt),
        (Ok(result), None) => result.map_err(|error| value_error(format_error(&error))),
    }
}

/// Returns the columns of the table of an experiment's samples.
#[pyfunction]
pub fn read_samples(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let columns = py.detach(|| read_columns(&path)).map_err(value_error)?;
    column_dict(py, columns)
}
