//! The command's formatting of tables and sentences, and its way to write files.

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;
use truecount::error::{Condition, Field};
use truecount_analysis::results::{self, text};
use truecount_tables::whole_file;

/// Returns the lines of a table. Its first `left` columns are narrowed if lines would be wider than
/// a terminal.
#[pyfunction]
pub fn align(header: Vec<String>, rows: Vec<Vec<String>>, left: usize) -> Vec<String> {
    text::align(&header, &rows, left, text::LINE_WIDTH)
}

/// Returns a sentence in lines as wide as a terminal. All lines after the first begin with
/// `indent`.
#[pyfunction]
pub fn wrap(sentence: &str, indent: &str) -> Vec<String> {
    text::wrap(sentence, text::LINE_WIDTH, indent)
}

/// Returns a text of at most this width, or its beginning with an ellipsis.
#[pyfunction]
pub fn truncate(text: &str, width: usize) -> String {
    text::truncate(text, width).into_owned()
}

/// Returns text from the data in a form that is safe to show.
#[pyfunction]
pub fn escape_untrusted(text: &str) -> String {
    results::escape_untrusted(text).into_owned()
}

/// Returns a p-value as tables show it.
#[pyfunction]
pub fn format_p_value(value: f64) -> String {
    results::format_p_value(value)
}

/// Writes a file completely or not at all.
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
