//! The command `truecount`, which comes with the package.
//!
//! Unlike the standalone program it keeps the system's allocator: ten million rows take as long and
//! half the memory, and the Python process has an allocator already.

use pyo3::prelude::*;
use std::alloc::System;
use std::ffi::OsString;
use truecount_cli::ExitingAllocator;

#[global_allocator]
static ALLOCATOR: ExitingAllocator<System> = ExitingAllocator(System);

/// Runs the command with these arguments, of which the first is the program, and returns its exit
/// status. Must be called only once in a process, and without Python's own handler of Ctrl-C.
#[pyfunction]
pub fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| truecount_cli::run(args))
}
