//! The `truecount-bench` program.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// The allocator of the `truecount` command, so that times are comparable.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    truecount_bench::run(std::env::args_os()).into()
}
