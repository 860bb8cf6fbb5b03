//! `truecount estimate`: the prevalence among unlabelled scores, overall or by group.

use crate::error::CliError;
use crate::options::{
    ClassScoreArgs, DesignArgs, EstimationArgs, PublicationArgs, ReplicateArgs, SortArgs, StrataArgs, TotalArgs,
};
use crate::output::{self, OutputArgs, OutputFormat};
use crate::requests;
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{ClassShareRow, EstimateRow, OPTIONAL_COLUMNS, Sort, describe_table};
use truecount_tables::FileRoles;
use truecount_tables::input;
use truecount_tables::parallel::AllThreads;

/// Reads the test scores in one pass and prints one line per group and method, groups in their own
/// order: dates by time, numbers by size, texts by their letters, what is missing last.
#[derive(clap::Args)]
#[command(mut_arg("class_scores", |classes| classes.conflicts_with_all(WITHOUT_CLASSES)))]
pub struct EstimateArgs {
    #[command(flatten)]
    pub estimation: EstimationArgs,
    #[command(flatten)]
    strata: StrataArgs,
    #[command(flatten)]
    totals: TotalArgs,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    replicates: ReplicateArgs,
    /// Add differences between groups [default: previous or total]
    ///
    /// From the group before (previous), from the mean of all groups (total) or of the others (rest),
    /// between all pairs (all), or from the group with this value of the last --by column.
    #[arg(long, value_name = "REFERENCE", num_args = 0..=1, default_missing_value = "")]
    compare: Option<String>,
    /// Additional columns
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = OPTIONAL_COLUMNS)]
    columns: Vec<String>,
    #[command(flatten)]
    class_scores: ClassScoreArgs,
    #[command(flatten)]
    publication: PublicationArgs,
    #[command(flatten)]
    sort_args: SortArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl EstimateArgs {
    fn request(&self) -> EstimateRequest {
        let request = self.totals.add_to(self.design.add_to(self.estimation.request()));
        let request = self.publication.add_to(self.replicates.add_to(self.strata.add_to(request)));
        let request = self.class_scores.add_to(request);
        EstimateRequest { apparent: true, compare: self.compare.clone(), ..request }
    }

    /// Returns the optional columns to show: the effective sample size if rows have weights, and
    /// the columns of `--columns`.
    fn optional_columns(&self) -> Vec<&str> {
        let effective_n = self.estimation.test_args.weight.as_ref().map(|_| OPTIONAL_COLUMNS[0]);
        effective_n.into_iter().chain(self.columns.iter().map(String::as_str)).collect()
    }
}

/// The options of this command that cannot be used with `--class-scores`.
const WITHOUT_CLASSES: [&str; 7] = ["rates", "threshold", "cutoff", "columns", "resamples", "seed", "small_strata"];

pub fn run(args: &EstimateArgs) -> Result<(), CliError> {
    let (test_args, request) = (&args.estimation.test_args, args.request());
    let (format, has_classes) = (args.output.format()?, !request.class_scores.is_empty());
    let estimates = || output::columns(&args.optional_columns());
    let columns = if has_classes { describe_table::<ClassShareRow>().columns } else { estimates() };
    output::check_by(&test_args.by, format, &columns)?;
    request.check()?;
    let paths = input::expand_patterns(&test_args.test)?;
    let inputs = test_args.source.paths().chain(&paths).chain(request.size_tables());
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    if has_classes {
        let sort = args.sort_args.sort::<ClassShareRow>(&test_args.by)?;
        return args.output.print(requests::estimate_classes(test_args, &paths, &request)?.sorted(&sort).results());
    }
    let sort = args.sort_args.sort::<EstimateRow>(&test_args.by)?;
    let estimates = if format == OutputFormat::Csv && request.needs_only_tallies() && !matches!(sort, Sort::By(_)) {
        let shown: Vec<String> = args.optional_columns().into_iter().map(str::to_owned).collect();
        let request = EstimateRequest { apparent: shown.iter().any(|name| name == "apparent"), ..request };
        match requests::estimate_tallies(test_args, &paths, &request)? {
            Ok(estimates) => estimates,
            Err(blocks) => return args.output.print_with(|out, _| blocks.write(&AllThreads, &sort, &shown, out)),
        }
    } else {
        requests::estimate(test_args, &paths, &request)?
    };
    let estimates = estimates.showing(&args.optional_columns()).sorted(&sort);
    args.output.print(estimates.results())
}
