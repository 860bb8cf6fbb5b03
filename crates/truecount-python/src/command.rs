//! The command `truecount`, which comes with the package. It keeps the system's allocator, unlike the program: ten million rows take as
//! long and half the memory, and Python's process has one already.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these words, the first of which stands for the program, and returns its exit status. Once in a process, and
/// without Python's own handler of Ctrl-C.
#[pyfunction]
pub fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| truecount_cli::run(words))
}
