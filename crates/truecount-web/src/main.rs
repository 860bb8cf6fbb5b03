//! The command, for a page.

use std::process::ExitCode;

fn main() -> ExitCode {
    truecount_cli::run(std::env::args_os()).into()
}
