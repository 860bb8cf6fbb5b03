//! `truecount finish`: estimates from files of tallies.

use crate::error::CliError;
use crate::options::{
    ByArgs, CheckedIntervalArgs, DesignArgs, INTERVALS, PublicationArgs, SortArgs, TotalArgs, names_of,
};
use crate::output::{self, CommandEstimates, OutputArgs};
use crate::progress::ProgressBars;
use crate::{parallel, tallies};
use std::borrow::Cow;
use std::path::PathBuf;
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{EstimateRow, OPTIONAL_COLUMNS};
use truecount_tables::parallel::AllThreads;
use truecount_tables::{FileRoles, input, model_file};

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
    /// Tables of bins have the columns method, bin and n, and grouping columns if any, as the query
    /// of `truecount sql --counts` returns them.
    #[arg(value_name = "TALLY", required_unless_present = "tally")]
    files: Vec<PathBuf>,
    /// Same as TALLY; - for a table from standard input
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
    #[arg(long, value_parser = names_of(&INTERVALS), default_value = "wilson")]
    interval: String,
    #[command(flatten)]
    totals: TotalArgs,
    #[command(flatten)]
    design: DesignArgs,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    publication: PublicationArgs,
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

    fn request(&self) -> EstimateRequest {
        let request = self.totals.add_to(self.design.add_to(self.intervals.request(&self.interval)));
        self.publication.add_to(EstimateRequest { by: self.by.clone(), ..request })
    }
}

pub fn run(args: &FinishArgs) -> Result<(), CliError> {
    let mut request = args.request();
    let format = args.output.format()?;
    let files = input::expand_patterns(&args.files())?;
    let inputs = || [&args.model].into_iter().chain(&files);
    input::check_used_once(inputs())?;
    let roles = FileRoles::reading(inputs().chain(request.size_tables()));
    roles.writing("--output", args.output.file()).check()?;
    let model = model_file::read(&args.model, &ProgressBars)?;
    let estimates = parallel::pool(args.threads)?.install(|| -> Result<_, CliError> {
        let rows = tallies::rows(&files, &mut request, args.allow_equal, &model)?;
        rows.request.check()?;
        Ok(rows.request.run(&AllThreads, &rows, &model)?)
    })?;
    let output = CommandEstimates::new(Cow::Owned(model), estimates, None);
    let weighted = output.rows.iter().any(|row| row.estimate.effective_n.is_some());
    output::check_by(&request.by, format, &output::columns(if weighted { &OPTIONAL_COLUMNS[..1] } else { &[] }))?;
    let output = output.sorted(&args.sort_args.sort::<EstimateRow>(&request.by)?);
    args.output.print(output.results())
}
