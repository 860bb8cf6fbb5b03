//! Arguments of `truecount counts`: numbers, or with a table the names of its columns.

use crate::error::CliError;
use crate::options::{self, ByArgs, LevelArgs, MISSING, SortArgs, one_of, reference};
use crate::output::OutputArgs;
use clap::builder::NonEmptyStringValueParser;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use truecount::counts::RateInterval;
use truecount::{IntervalOptions, Target};
use truecount_analysis::compare::ReferenceOption;
use truecount_analysis::output::TypedCounts;
use truecount_analysis::results::CountRow;
use truecount_report::{TESTED_NAME, TRUE_POSITIVE_NAME};
use truecount_tables::counts::{CountsFile, RateInput, ValueOrColumn};
use truecount_tables::groups::SheetChoice;
use truecount_tables::input::MissingPolicy;

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
    pub by: ByArgs,
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
    pub total: bool,
    /// Add crude shares, and shares standardised to the group sizes of a standard population
    ///
    /// A table with a column size and --by columns. Without some of them, such as region with --by
    /// region,age and sizes by age, each region has a crude and a standardised share.
    #[arg(long, value_name = "FILE", requires_all = ["table", "by"])]
    pub standardise: Option<PathBuf>,
    /// Add differences between groups [default: previous or all]
    ///
    /// Groups are compared with the group before (previous), in all pairs (all), or with the group
    /// with this value of the last --by column. Equal rates with equal denominators are taken to be
    /// from one study.
    #[arg(long, value_name = "REFERENCE", num_args = 0..=1, default_missing_value = "", value_parser = reference)]
    #[arg(requires = "by")]
    pub compare: Option<ReferenceOption>,
    /// Type of the interval
    #[arg(long, value_parser = one_of(RateInterval::TABLE), default_value = "lang-reiczigel")]
    pub interval: RateInterval,
    #[command(flatten)]
    level: LevelArgs,
    /// Estimand of the standard error and interval; for the sample the interval is wilson
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "population")]
    pub target: Target,
    /// Write an HTML page with the answer, the groups and what the answer rests on
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Plural noun for the tested in the page
    #[arg(long, value_name = "NAME", default_value = TESTED_NAME, requires = "report")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub items: String,
    /// Noun or adjective for true positives in the page
    #[arg(long, value_name = "NAME", default_value = TRUE_POSITIVE_NAME, requires = "report")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub positive_name: String,
    #[command(flatten)]
    pub sort_args: SortArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl CountsArgs {
    pub fn interval_options(&self) -> Result<IntervalOptions, CliError> {
        self.level.interval_options(self.target)
    }

    /// Returns the path of the table, if there is one.
    pub fn path(&self) -> Option<&PathBuf> {
        self.table.as_ref()
    }

    /// Returns the table at this path with the columns of the counts.
    pub fn file<'a>(&'a self, path: &'a Path) -> CountsFile<'a> {
        let column = |typed: &'a Option<String>, default| typed.as_deref().unwrap_or(default);
        let rate = |typed: &'a Option<String>, denominator: &'a Option<String>, name| RateInput {
            name,
            rate: typed.as_deref().map(number_or_column),
            denominator: denominator.as_deref().map(number_or_column),
        };
        CountsFile {
            path,
            by: &self.by,
            decimal: self.table_format.decimal,
            sheet: SheetChoice::named(self.table_format.sheet.as_deref()),
            missing: self.missing,
            positives: column(&self.positives, "positives"),
            tested: column(&self.tested, "tested"),
            sensitivity: rate(&self.sensitivity, &self.sensitivity_of, "sensitivity"),
            specificity: rate(&self.specificity, &self.specificity_of, "specificity"),
        }
    }

    /// Estimates the prevalence from the counts on the command line.
    pub fn estimate(&self, interval_options: &IntervalOptions) -> Result<CountRow, CliError> {
        if !self.by.is_empty() {
            return Err(CliError::usage("--by names columns of a table", "add the table with --table FILE"));
        }
        let Self { positives, tested, sensitivity, specificity, sensitivity_of, specificity_of, .. } = self;
        let texts = [positives, tested, sensitivity, specificity, sensitivity_of, specificity_of];
        let [positives, tested, sensitivity, specificity, sensitivity_of, specificity_of] = texts.map(Option::as_deref);
        let counts = TypedCounts { positives, tested, sensitivity, specificity, sensitivity_of, specificity_of };
        counts.estimate(self.interval, interval_options).map_err(CliError::Usage)
    }
}

/// Returns the text as a number if it is one, otherwise as the name of a column.
fn number_or_column<T: FromStr>(text: &str) -> ValueOrColumn<'_, T> {
    text.parse().map_or(ValueOrColumn::Column(text), ValueOrColumn::Value)
}
