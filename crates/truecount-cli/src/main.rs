//! The `truecount` executable.

use mimalloc::MiMalloc;
use std::process::ExitCode;
use truecount_cli::ExitingAllocator;

/// Rows are read in blocks of some hundred kilobytes. The system's allocator would return each
/// block to the operating system and request a new one.
#[global_allocator]
static ALLOCATOR: ExitingAllocator<MiMalloc> = ExitingAllocator(MiMalloc);

fn main() -> ExitCode {
    truecount_cli::run(std::env::args_os()).into()
}
