//! `truecount finish`: estimates from files of tallies.

use crate::error::CliError;
use crate::options::{ByArgs, CheckedIntervalArgs, INTERVALS, IntervalSource, SortArgs, one_of};
use crate::output::{self, FileRoles, OutputArgs};
use crate::parallel;
use crate::progress::ProgressBars;
use crate::tallies::GroupTallies;
use std::path::PathBuf;
use truecount::IntervalOptions;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, OPTIONAL_COLUMNS};
use truecount_tables::{input, model_file};

/// Merges tallies and prints what `truecount estimate` prints of all their scores together.
#[derive(clap::Args)]
#[command(mut_arg("by", |by| by.help("Grouping columns to keep, separated by commas; put a name with a comma in \
    double quotes; groups that differ in the other columns are merged [default: all]")))]
pub struct FinishArgs {
    /// Model with which the tallies were made, from `truecount fit`
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Files of `truecount tally`, or tables of bins
    ///
    /// Tables of bins have the columns method, missing, bin and n, and grouping columns if any,
    /// as the query of `truecount sql` returns them.
    #[arg(value_name = "TALLY", required_unless_present = "tally")]
    files: Vec<PathBuf>,
    /// Another way to write TALLY; - for a table from standard input
    #[arg(long, value_name = "FILE")]
    tally: Vec<PathBuf>,
    #[command(flatten)]
    by: ByArgs,
    /// Accept tallies of identical rows, such as shards that happen to be equal
    #[arg(long)]
    allow_equal: bool,
    #[command(flatten)]
    intervals: CheckedIntervalArgs,
    /// Type of the intervals; the bootstrap is not possible from tallies
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: IntervalSource,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    sort_args: SortArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl FinishArgs {
    /// Returns all files of tallies, positional ones first.
    fn files(&self) -> Vec<PathBuf> {
        self.files.iter().chain(&self.tally).cloned().collect()
    }

    fn interval_options(&self) -> Result<IntervalOptions, CliError> {
        match self.interval {
            IntervalSource::Formula(interval) => self.intervals.interval_options(interval),
            IntervalSource::Bootstrap => Err(CliError::usage(
                "--interval bootstrap needs the scores, which tallies do not contain",
                "use --interval wilson or wald, or `truecount estimate`",
            )),
        }
    }
}

pub fn run(args: &FinishArgs) -> Result<(), CliError> {
    let interval_options = args.interval_options()?;
    let format = args.output.format()?;
    let files = input::expand_patterns(&args.files())?;
    let inputs = || [&args.model].into_iter().chain(&files);
    input::check_used_once(inputs())?;
    FileRoles::reading(inputs()).writing("--output", args.output.file()).check()?;
    let model = model_file::read(&args.model, &ProgressBars)?;
    let estimates = parallel::pool(args.threads)?.install(|| {
        GroupTallies::read(&files, &args.by, args.allow_equal, &model)?.estimate(&model, &interval_options)
    })?;
    let by: Vec<String> = estimates.keys.columns().map(str::to_owned).collect();
    let weighted = estimates.contents.iter().flatten().any(|estimate| estimate.effective_n.is_some());
    output::check_by(&by, format, &output::columns(if weighted { &OPTIONAL_COLUMNS[..1] } else { &[] }))?;
    let sort = args.sort_args.sort::<EstimateRow>(&by)?;
    let output = output::CommandEstimates::from_estimates(&model, estimates, None)?.sorted(&sort);
    output::print_with_warnings(&args.output.shown(output.results(), format), format, args.output.file())
}
