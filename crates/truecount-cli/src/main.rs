//! The `truecount` executable.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Rows are read in blocks of some hundred kilobytes. The system's allocator would return each
/// block to the operating system and request a new one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    truecount_cli::run(std::env::args_os()).into()
}
