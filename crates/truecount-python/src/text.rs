//! How tables and sentences are printed, and files written, as the command does it.

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;
use truecount::{Condition, Field};
use truecount_analysis::results::{self, format_p_value, text};
use truecount_tables::whole_file;

/// Returns the lines of a table, whose first `left` columns are narrowed if lines would be wider than a terminal.
#[pyfunction]
pub fn align(header: Vec<String>, rows: Vec<Vec<String>>, left: usize) -> Vec<String> {
    text::align(&header, &rows, left, text::LINE_WIDTH)
}

/// Returns a sentence in lines as wide as a terminal, of which all but the first begin with `indent`.
#[pyfunction]
pub fn wrap(sentence: &str, indent: &str) -> Vec<String> {
    text::wrap(sentence, text::LINE_WIDTH, indent)
}

/// Returns a text of at most this width, or its beginning with an ellipsis.
#[pyfunction]
pub fn truncate(text: &str, width: usize) -> String {
    text::truncate(text, width).into_owned()
}

/// Text from the data, safe to show.
#[pyfunction]
pub fn visible(text: &str) -> String {
    results::escape_untrusted(text).into_owned()
}

/// A p-value as tables have it.
#[pyfunction]
pub fn p_value(value: f64) -> String {
    format_p_value(value)
}

/// Writes a file whole or not at all.
#[pyfunction]
pub fn write_file(path: PathBuf, content: &[u8]) -> PyResult<()> {
    whole_file::write(&path, content).map_err(|error| {
        let denied = Field::Text(ErrorKind::PermissionDenied.to_string());
        let message = error.to_string();
        if error.code() == "folder-missing" {
            PyFileNotFoundError::new_err(message)
        } else if error.fields().contains(&("reason", denied)) {
            PyPermissionError::new_err(message)
        } else {
            PyOSError::new_err(message)
        }
    })
}
