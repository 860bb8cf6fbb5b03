//! `truecount finish`: estimates from files of tallies.

use crate::failure::CliError;
use crate::options::{By, CheckedIntervalArgs, INTERVALS, IntervalKind, SortArgs, one_of};
use crate::output::{self, FileRoles, Output};
use crate::progress::ProgressBars;
use crate::{parallel, tallies};
use std::path::PathBuf;
use truecount::IntervalOptions;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, ON_REQUEST};
use truecount_tables::{input, model_file};

/// Merges tallies and prints what `truecount estimate` prints of all their scores together.
#[derive(clap::Args)]
#[command(mut_arg("by", |by| by.help("Of the tallies' grouping columns only these, separated by commas, one with a comma in double quotes; \
    groups that differ in the others are merged [default: all]")))]
pub struct Finish {
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
    by: By,
    /// Accept tallies of identical rows, such as shards that happen to be equal
    #[arg(long)]
    allow_equal: bool,
    #[command(flatten)]
    reported: CheckedIntervalArgs,
    /// Type of the intervals; the bootstrap is not possible from tallies
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: IntervalKind,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    sorted: SortArgs,
    #[command(flatten)]
    output: Output,
}

impl Finish {
    /// Every file named.
    fn files(&self) -> Vec<PathBuf> {
        self.files.iter().chain(&self.tally).cloned().collect()
    }

    fn reporting(&self) -> Result<IntervalOptions, CliError> {
        match self.interval {
            IntervalKind::Formula(interval) => self.reported.with(interval),
            IntervalKind::Bootstrap => Err(CliError::Usage(
                "--interval bootstrap draws the scores anew, which tallies no longer hold: use wilson or wald, or `truecount \
                 estimate`"
                    .to_owned(),
            )),
        }
    }
}

pub fn run(args: &Finish) -> Result<(), CliError> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    let files = input::files(&args.files())?;
    let inputs = || [&args.model].into_iter().chain(&files);
    input::once_each(inputs())?;
    FileRoles::reading(inputs()).writing("--output", args.output.file()).check()?;
    let model = model_file::read(&args.model, &ProgressBars)?;
    let estimates = parallel::pool(args.threads)?
        .install(|| tallies::estimates(&files, &args.by, args.allow_equal, &model, &reporting))?;
    let by: Vec<String> = estimates.keys.columns().map(str::to_owned).collect();
    let weighted = estimates.contents.iter().flatten().any(|estimate| estimate.effective_n.is_some());
    output::check_by(&by, form, &output::columns(if weighted { &ON_REQUEST[..1] } else { &[] }))?;
    let sort = args.sorted.sort::<EstimateRow>(&by)?;
    let answer = output::Answer::from_estimates(&model, estimates, None)?.sorted(&sort);
    output::print_with_warnings(&args.output.shown(answer.results(), form), form, args.output.file())
}
