//! `truecount counts`: the prevalence from counts and published error rates, which are numbers, or
//! with a table the names of its columns.

use crate::error::CliError;
use crate::figure::{PAGE_ENDINGS, check_ending};
use crate::options::{self, ByArgs, LevelArgs, MISSING, SortArgs, one_of};
use crate::output::{self, OutputArgs};
use crate::progress::ProgressBars;
use crate::report::provenance;
use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;
use truecount::Target;
use truecount::counts::RateInterval;
use truecount_analysis::advice::format_error;
use truecount_analysis::counts::count_total;
use truecount_analysis::output::CountOutput;
use truecount_analysis::request::CountsRequest;
use truecount_analysis::results::{CountRow, describe_table};
use truecount_analysis::spelling::Interface;
use truecount_report::{TESTED_NAME, TRUE_POSITIVE_NAME, Words, counts_page};
use truecount_tables::counts::CountsFile;
use truecount_tables::groups::{Keys, SheetChoice};
use truecount_tables::input::{self, MissingPolicy};
use truecount_tables::{FileRoles, whole_file};

const AFTER: &str = "\
Examples:
  truecount counts --positives 35 --tested 800 --sensitivity 90/100 --specificity 97%
  truecount counts --table herds.csv --by herd --sensitivity 0.96 --specificity 0.89";

/// Corrects a share of positive tests for the test's sensitivity and specificity (Rogan and Gladen
/// 1978), with a standard error and an interval that account for the numbers behind all three.
/// Without --table the counts are typed; with it they stand in its columns, a row for each group.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct CountsArgs {
    /// Number of positive tests, or the column with it [default: the column positives]
    ///
    /// A column with --table.
    #[arg(long, value_name = "N|COL")]
    positives: Option<String>,
    /// Number of tests, or the column with it [default: the column tested]
    ///
    /// A column with --table.
    #[arg(long, value_name = "N|COL")]
    tested: Option<String>,
    /// Sensitivity as a fraction such as 90/100, or a share such as 0.9 or 90%, or a column
    ///
    /// A fraction has sampling error, and so has a share with its 95 % interval, such as
    /// '66.8% (60.8-72.4)'. Any other share is exact unless --sensitivity-of says how many cases
    /// it comes from. With --table the default is the column sensitivity.
    #[arg(long, value_name = "SHARE|COL")]
    sensitivity: Option<String>,
    /// Specificity, in the same way
    ///
    /// With --table the default is the column specificity.
    #[arg(long, value_name = "SHARE|COL")]
    specificity: Option<String>,
    /// Number of cases behind a sensitivity that is a share, or the column with it
    ///
    /// With --table the default is the column sensitivity_of, if there is one. In a row where the
    /// column is empty, the sensitivity is as it is without the column.
    #[arg(long, value_name = "N|COL")]
    sensitivity_of: Option<String>,
    /// Number of cases behind a specificity that is a share, or the column with it
    ///
    /// With --table the default is the column specificity_of, in the same way.
    #[arg(long, value_name = "N|COL")]
    specificity_of: Option<String>,
    /// Table of counts with a row for each group; - for standard input
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    by: ByArgs,
    #[command(flatten)]
    table_format: options::TableFormatArgs,
    /// Rows of the table without a count or a rate: error, or drop to leave them out
    #[arg(long, value_name = "POLICY", value_parser = one_of(&MISSING), default_value = "error")]
    missing: MissingPolicy,
    /// Add a row for all groups together
    ///
    /// From the sums of their counts if they have the same rates; otherwise groups are weighted by the
    /// number tested in each.
    #[arg(long, requires = "table")]
    total: bool,
    /// Add crude shares, and shares standardised to the group sizes of a standard population
    ///
    /// A table with a column size and --by columns. Without some of them, such as region with --by
    /// region,age and sizes by age, each region has a crude and a standardised share.
    #[arg(long, value_name = "FILE", requires_all = ["table", "by"])]
    standardise: Option<PathBuf>,
    /// Add differences between groups [default: previous or all]
    ///
    /// Groups are compared with the group before (previous), in all pairs (all), or with the group with this value of
    /// the last --by column. Equal rates with equal denominators are taken to be from one study.
    #[arg(long, value_name = "REFERENCE", num_args = 0..=1, default_missing_value = "")]
    #[arg(requires = "by")]
    compare: Option<String>,
    /// Type of the interval
    #[arg(long, value_parser = one_of(RateInterval::TABLE), default_value = "lang-reiczigel")]
    interval: RateInterval,
    #[command(flatten)]
    level: LevelArgs,
    /// Estimand of the standard error and interval; for the sample the interval is wilson
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "population")]
    target: Target,
    /// Write an HTML page with the answer, the groups and what the answer rests on
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Plural noun for the tested in the page
    #[arg(long, value_name = "NAME", default_value = TESTED_NAME, requires = "report")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    items: String,
    /// Noun or adjective for true positives in the page
    #[arg(long, value_name = "NAME", default_value = TRUE_POSITIVE_NAME, requires = "report")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    positive_name: String,
    #[command(flatten)]
    sort_args: SortArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl CountsArgs {
    fn request(&self) -> CountsRequest {
        CountsRequest {
            positives: self.positives.clone(),
            tested: self.tested.clone(),
            sensitivity: self.sensitivity.clone(),
            specificity: self.specificity.clone(),
            sensitivity_of: self.sensitivity_of.clone(),
            specificity_of: self.specificity_of.clone(),
            by: self.by.to_vec(),
            total: self.total,
            compare: self.compare.clone(),
            interval: Some(self.interval.to_string()),
            level: Some(self.level.level),
            target: Some(self.target.to_string()),
        }
    }

    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.table.iter().chain(&self.standardise)
    }

    /// Estimates the prevalences from the table, or from the counts on the command line.
    fn output(&self, request: &CountsRequest) -> Result<CountOutput<Keys>, CliError> {
        let Some(path) = &self.table else {
            if !self.by.is_empty() {
                return Err(CliError::usage("--by names columns of a table", "add the table with --table FILE"));
            }
            let typed = request.typed().map_err(CliError::Usage)?;
            let output = request.run(Keys::single_group(), &[typed], &[]);
            return output.map_err(|error| CliError::Usage(format_error(&error)));
        };
        let options::TableFormatArgs { decimal, sheet } = &self.table_format;
        let (decimal, sheet) = (*decimal, SheetChoice::named(sheet.as_deref()));
        let file = CountsFile { path, request, decimal, sheet, missing: self.missing };
        let (keys, groups, locations) = file.read(&ProgressBars)?;
        let output = request.run(keys, &groups, &locations).map_err(|error| error.in_file(input::name(path)))?;
        let Some(table) = &self.standardise else { return Ok(output) };
        let standard = file.standard(table, &output.keys, &ProgressBars)?;
        Ok(request.standardise(output, &standard, table)?)
    }
}

pub fn run(args: &CountsArgs, typed: &[String]) -> Result<(), CliError> {
    let request = args.request();
    let (interval, interval_options) = request.interval_options()?;
    let format = args.output.format()?;
    output::check_by(&args.by, format, &describe_table::<CountRow>().columns)?;
    let sort = args.sort_args.sort::<CountRow>(&args.by)?;
    FileRoles::reading(args.inputs())
        .writing("--output", args.output.file())
        .writing("--report", args.report.as_deref())
        .check()?;
    check_ending("--report", args.report.as_deref(), &PAGE_ENDINGS)?;
    let output = args.output(&request)?.sorted(&sort);
    // The page comes first, so that no results are printed if it fails.
    if let Some(path) = &args.report {
        let overall = count_total(output.groups(), interval, &interval_options)?;
        let words = Words::new(&args.items, &args.positive_name, args.target, Interface::Shell);
        let provenance = provenance(typed, &args.inputs().collect::<Vec<_>>())?;
        whole_file::write(path, counts_page(&output, &overall, &words, &provenance).as_bytes())?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    args.output.print(output.results())
}
