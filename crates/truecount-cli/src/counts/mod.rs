//! `truecount counts`: the prevalence from counts and published error rates.

mod args;

pub use args::CountsArgs;

use crate::error::CliError;
use crate::output::{self, FileRoles};
use crate::progress::ProgressBars;
use truecount_analysis::compare::{Levels, ReferenceOption, count_differences};
use truecount_analysis::count_total;
use truecount_analysis::output::CountOutput;
use truecount_analysis::results::{CountRow, describe_table};
use truecount_tables::groups::Keys;
use truecount_tables::input;

pub fn run(args: &CountsArgs) -> Result<(), CliError> {
    let interval_options = args.interval_options()?;
    let format = args.output.format()?;
    output::check_by(&args.by, format, &describe_table::<CountRow>().columns)?;
    let sort = args.sort_args.sort::<CountRow>(&args.by)?;
    FileRoles::reading(args.path()).writing("--output", args.output.file()).check()?;
    let (keys, mut rows) = match args.path() {
        Some(path) => args.file(path).estimates(args.interval, &interval_options, &ProgressBars)?,
        None => (Keys::single_group(), vec![args.estimate(&interval_options)?]),
    };
    let compare = |reference: &ReferenceOption| {
        let levels = Levels::new(&keys);
        let comparison = (&levels, &levels.resolve_group_reference(reference, &keys)?);
        count_differences(&rows, &keys, comparison, args.interval, &interval_options)
    };
    let differences = args.compare.as_ref().map(compare).transpose()?;
    sort.sort(&mut rows, &keys);
    if let (true, Some(path)) = (args.total, args.path()) {
        let total = count_total(&rows, args.interval, &interval_options);
        rows.push(total.map_err(|error| error.in_file(input::name(path)))?);
    }
    let output = CountOutput { keys, rows, interval: args.interval, target: args.target, differences };
    output::print_with_warnings(&args.output.shown(output.results(), format), format, args.output.file())
}
