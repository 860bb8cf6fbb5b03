//! The library's errors and warnings as the exceptions and texts of `truecount._errors`, with
//! code and fields.

use foldhash::HashMap;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};
use pythonize::pythonize;
use std::collections::hash_map::Entry;
use truecount::error::{Condition, ErrorKind, ErrorLocation, Severity};
use truecount::{Error, Warning};
use truecount_analysis::advice::{describe_error, describe_warning};
use truecount_analysis::executor::Interrupted;
use truecount_analysis::spelling::Interface;

/// Returns a `ValueError` for arguments that only a mistake in this package can produce.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception of an error, with its location; for `map_err`.
pub fn raised(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    if error.problem() == Some(&Interrupted) {
        return PyKeyboardInterrupt::new_err(());
    }
    to_exception(|py| {
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

/// Returns the exception for an error that this package detects by itself.
pub fn new_error(kind: ErrorKind, code: &str, sentence: &str, fields: &[(&str, &str)]) -> PyErr {
    to_exception(|py| {
        conditions(py)?.getattr("error")?.call1((kind.to_string(), code, sentence, fields.into_py_dict(py)?))
    })
}

/// Returns the exception of an error, without its location unless that is a value.
pub fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    let (location, fields) = (error.location(), field_dict(py, error.condition())?);
    if location.is_value() {
        fields.set_item("row", location.row)?;
        fields.set_item("column", &location.column)?;
    }
    let message = describe_error(error, Interface::Python).line();
    conditions(py)?.getattr("error")?.call1((error.kind().to_string(), error.code(), message, fields))
}

/// Warnings as texts with code, severity and fields. Equal warnings become one object, because a
/// million groups may share a warning about the model.
pub struct WarningCache<'py> {
    py: Python<'py>,
    /// The texts by the warning's debug format, which has all digits.
    cache: HashMap<String, Bound<'py, PyAny>>,
}

impl<'py> WarningCache<'py> {
    pub fn new(py: Python<'py>) -> Self {
        Self { py, cache: HashMap::default() }
    }

    pub fn get(&mut self, warning: &Warning) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.cache.entry(format!("{warning:?}")) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => {
                let text = describe_warning(warning, Interface::Python);
                entry.insert(new_warning(self.py, text, warning.severity(), warning)?).clone()
            }
        })
    }

    pub fn get_all(&mut self, warnings: &[Warning]) -> PyResult<Bound<'py, PyTuple>> {
        let warnings = warnings.iter().map(|warning| self.get(warning)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(self.py, warnings)
    }
}

/// Returns a warning with this text as an `EstimateWarning`.
pub fn new_warning<'py>(
    py: Python<'py>,
    text: String,
    severity: Severity,
    warning: &(impl Condition + ?Sized),
) -> PyResult<Bound<'py, PyAny>> {
    let fields = field_dict(py, warning)?;
    conditions(py)?.getattr("EstimateWarning")?.call1((text, warning.code(), severity.to_string(), fields))
}

fn conditions(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("truecount._errors")
}

/// Returns the exception that `build` creates, or the exception that prevented it.
fn to_exception(build: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyAny>>) -> PyErr {
    Python::attach(|py| build(py).map_or_else(|failure| failure, PyErr::from_value))
}

fn field_dict<'py>(py: Python<'py>, condition: &(impl Condition + ?Sized)) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, field) in condition.fields() {
        fields.set_item(name, pythonize(py, &field)?)?;
    }
    Ok(fields)
}
