//! The library's errors and warnings as Python has them: exceptions and texts of `truecount._conditions`, with code and fields.

use foldhash::HashMap;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};
use std::collections::hash_map::Entry;
use truecount::{Condition, Error, ErrorKind, ErrorLocation, Field, Warning};
use truecount_analysis::executor::Interrupted;

/// For what only a mistake in this package makes wrong.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception of an error, with its location; for `map_err`.
pub fn raised(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    if error.problem() == Some(&Interrupted) {
        return PyKeyboardInterrupt::new_err(());
    }
    made(|py| {
        let (exception, location) = (exception(py, &error)?, error.location());
        match location {
            ErrorLocation { table: Some(table), .. } => {
                let scores = if *table == "audited" { "audited_scores" } else { "test_scores" };
                conditions(py)?.getattr("located")?.call1((exception, scores, "", "audited_weights"))
            }
            ErrorLocation { method: Some(method), .. } => {
                let field = [("method", method)].into_py_dict(py)?;
                exception.call_method("at", (method,), Some(&field))
            }
            ErrorLocation { row: Some(row), .. } if !location.is_value() => {
                let field = [("row", row)].into_py_dict(py)?;
                exception.call_method("at", (format!("row {row}"),), Some(&field))
            }
            ErrorLocation { set: Some(set), .. } => {
                exception.getattr("fields")?.set_item("set", set)?;
                Ok(exception)
            }
            _ => Ok(exception),
        }
    })
}

/// The exception for what this package refuses by itself.
pub fn refused(kind: ErrorKind, code: &str, sentence: &str, fields: &[(&str, &str)]) -> PyErr {
    made(|py| conditions(py)?.getattr("error")?.call1((kind.to_string(), code, sentence, fields.into_py_dict(py)?)))
}

/// The exception itself.
pub fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    let (fields, location) = (dict(py, error.condition())?, error.location());
    if location.is_value() {
        fields.set_item("row", location.row)?;
        fields.set_item("column", &location.column)?;
    }
    conditions(py)?.getattr("error")?.call1((error.kind().to_string(), error.code(), error.sentence(), fields))
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

fn dict<'py>(py: Python<'py>, condition: &(impl Condition + ?Sized)) -> PyResult<Bound<'py, PyDict>> {
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
