//! The command as a program of its own.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Rows come in pieces of some hundred kilobytes, which the system's allocator would give back and ask for again each
/// time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    truecount_cli::run(std::env::args_os()).into()
}
