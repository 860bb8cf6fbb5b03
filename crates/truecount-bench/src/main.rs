//! The program of the studies.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// The command's allocator, so that times compare.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    truecount_bench::run(std::env::args_os()).into()
}
