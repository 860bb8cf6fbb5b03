//! The copyright notices and licences of everything that is compiled into what is published.

use crate::run::{TaskError, run};

const SCRIPT: &str = "xtask/notices/make.py";

/// The file, which the command prints and every package includes.
pub const FILE: &str = "crates/truecount-cli/NOTICES.txt";

/// Writes the file.
pub fn write() -> Result<(), TaskError> {
    run("notices", "python3", &["-B", SCRIPT, FILE], &[])
}

/// Fails if the file is not current.
pub fn check() -> Result<(), TaskError> {
    run("notices", "python3", &["-B", SCRIPT, "--check", FILE], &[])
}
