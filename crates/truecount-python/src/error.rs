//! The library's errors and warnings as Python has them: exceptions and texts of `truecount._conditions`, with code and fields.

use foldhash::HashMap;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};
use std::collections::hash_map::Entry;
use truecount::{Condition, Error, Field, Refusal, Subject, Warning};
use truecount_io::Fault;

/// For what only a mistake in this package makes wrong.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception for an error of the library; for `map_err`.
pub fn raised(error: Error) -> PyErr {
    made(|py| exception(py, error))
}

/// The same for an error of the test set of that number.
pub fn raised_of_set(set: usize, error: Error) -> PyErr {
    made(|py| {
        let exception = exception(py, error)?;
        exception.getattr("fields")?.set_item("set", set)?;
        Ok(exception)
    })
}

/// The same for what one of several methods is refused for.
pub fn raised_of_method(refusal: Refusal) -> PyErr {
    let Some(method) = refusal.method.map(|method| method.to_string()) else { return raised(refusal.error) };
    made(|py| {
        let fields = [("method", &method)].into_py_dict(py)?;
        exception(py, refusal.error)?.call_method("at", (&method,), Some(&fields))
    })
}

/// The same for an error of that row, which the library does not know of.
pub fn raised_of_row(row: usize, error: Error) -> PyErr {
    made(|py| {
        let fields = [("row", row)].into_py_dict(py)?;
        exception(py, error)?.call_method("at", (format!("row {row}"),), Some(&fields))
    })
}

/// The same for an error about columns that have these names in Python: one of scores, one of weights.
pub fn raised_of_columns(scores: &str, weights: &str, error: Error) -> PyErr {
    made(|py| conditions(py)?.getattr("located")?.call1((exception(py, error)?, scores, "", weights)))
}

/// The exception for what this package refuses by itself.
pub fn refused(subject: Subject, code: &str, sentence: &str, fields: &[(&str, &str)]) -> PyErr {
    made(|py| conditions(py)?.getattr("error")?.call1((subject.to_string(), code, sentence, fields.into_py_dict(py)?)))
}

/// The exception for what is wrong with a tally file.
pub fn raised_fault(fault: Fault) -> PyErr {
    made(|py| match fault {
        Fault::Library(error) => exception(py, error),
        fault => {
            let (subject, fields) = (fault.subject().to_string(), dict(py, &fault)?);
            conditions(py)?.getattr("error")?.call1((subject, fault.code(), fault.to_string(), fields))
        }
    })
}

/// The exception itself.
pub fn exception(py: Python<'_>, mut error: Error) -> PyResult<Bound<'_, PyAny>> {
    let fields = dict(py, &error)?;
    let sentence = error.to_string();
    if let Some((column, _)) = place(&mut error) {
        fields.set_item("column", column)?;
    }
    conditions(py)?.getattr("error")?.call1((error.subject().to_string(), error.code(), sentence, fields))
}

/// Warnings as texts with code, severity and fields. Equal ones are one object: a million groups may share what is about
/// the model.
pub struct Caveats<'py> {
    py: Python<'py>,
    /// By what tells warnings apart to the last digit.
    made: HashMap<String, Bound<'py, PyAny>>,
}

impl<'py> Caveats<'py> {
    pub fn new(py: Python<'py>) -> Self {
        Self { py, made: HashMap::default() }
    }

    pub fn of(&mut self, warning: &Warning) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.made.entry(format!("{warning:?}")) {
            Entry::Occupied(made) => made.get().clone(),
            Entry::Vacant(place) => {
                let (severity, sentence) = (warning.severity().to_string(), warning.to_string());
                let fields = dict(self.py, warning)?;
                let make = conditions(self.py)?.getattr("caveat")?;
                place.insert(make.call1((severity, warning.code(), sentence, fields))?).clone()
            }
        })
    }

    pub fn all_of(&mut self, warnings: &[Warning]) -> PyResult<Bound<'py, PyTuple>> {
        let each = warnings.iter().map(|warning| self.of(warning)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(self.py, each)
    }
}

fn conditions(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("truecount._conditions")
}

/// What is made, or what kept it from being made.
fn made(make: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyAny>>) -> PyErr {
    Python::attach(|py| make(py).map_or_else(|failed| failed, PyErr::from_value))
}

fn dict<'py>(py: Python<'py>, condition: &impl Condition) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, field) in condition.fields() {
        match field {
            Field::Whole(n) => fields.set_item(name, n)?,
            Field::Number(x) => fields.set_item(name, x)?,
            Field::Text(text) => fields.set_item(name, text)?,
            Field::Texts(texts) => fields.set_item(name, texts)?,
            other => return Err(value_error(format!("{other:?} is of a kind that Python does not know"))),
        }
    }
    Ok(fields)
}

/// The same error of a row that has another number for the caller.
pub fn at_row(mut error: Error, number: impl FnOnce(usize) -> usize) -> Error {
    if let Some((_, row)) = place(&mut error) {
        *row = number(*row);
    }
    error
}

/// The column and the row that an error is about, if it is about one value.
fn place(error: &mut Error) -> Option<(&'static str, &mut usize)> {
    match error {
        Error::NotFinite { row, .. } | Error::OutsideUnitInterval { row, .. } => Some(("scores", row)),
        Error::NotAProbability { row, .. } => Some(("probabilities", row)),
        Error::NotAWeight { row, .. } => Some(("weights", row)),
        _ => None,
    }
}
