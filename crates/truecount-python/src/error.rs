//! The library's errors as Python's, with the row that the caller knows.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use truecount::Error;

/// For `map_err`.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The row that an error is about, if it is about one.
pub fn row(error: &Error) -> Option<usize> {
    match error {
        Error::NotFinite { row, .. }
        | Error::NotAProbability { row, .. }
        | Error::NotAWeight { row, .. }
        | Error::OutsideUnitInterval { row, .. } => Some(*row),
        _ => None,
    }
}

/// The same error about another row.
pub fn at_row(mut error: Error, row: usize) -> Error {
    match &mut error {
        Error::NotFinite { row: of, .. }
        | Error::NotAProbability { row: of, .. }
        | Error::NotAWeight { row: of, .. }
        | Error::OutsideUnitInterval { row: of, .. } => *of = row,
        _ => {}
    }
    error
}
