//! `truecount counts`: the prevalence from counts and published error rates.

mod args;

pub use args::CountsArgs;

use crate::failure::CliError;
use crate::output::{self, FileRoles};
use crate::progress::ProgressBars;
use truecount_analysis::output::CountOutput;
use truecount_analysis::results::{CountRow, describe_table};
use truecount_tables::groups::Keys;

pub fn run(args: &CountsArgs) -> Result<(), CliError> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    output::check_by(&args.by, form, &describe_table::<CountRow>().columns)?;
    let sort = args.sorted.sort::<CountRow>(&args.by)?;
    FileRoles::reading(args.path()).writing("--output", args.output.file()).check()?;
    let (keys, mut rows) = match args.path() {
        Some(path) => args.file(path).estimates(args.interval, &reporting, &ProgressBars)?,
        None => (Keys::none(), vec![args.typed(&reporting)?]),
    };
    sort.sort(&mut rows, &keys);
    let answer = CountOutput { keys, rows, interval: args.interval, target: args.target };
    output::print_with_warnings(&args.output.shown(answer.results(), form), form, args.output.file())
}
