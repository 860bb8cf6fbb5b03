//! What can be typed behind `counts`: numbers, or with a table the names of its columns.

use crate::failure::CliError;
use crate::options::{self, By, LevelArgs, SortArgs, one_of};
use crate::output::Output;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use truecount::counts::RateInterval;
use truecount::{IntervalOptions, Target};
use truecount_analysis::output::TypedCounts;
use truecount_analysis::results::CountRow;
use truecount_tables::counts::{CountsFile, Given, GivenRate};

const AFTER: &str = "\
Examples:
  truecount counts --positives 35 --tested 800 --sensitivity 90/100 --specificity 97%
  truecount counts --table herds.csv --by herd --sensitivity 0.96 --specificity 0.89";

/// Corrects a share of positive tests for the test's sensitivity and specificity (Rogan and Gladen 1978), with a standard error and an
/// interval that account for the numbers behind all three. Without --table the counts are typed; with it they stand in its columns, a row
/// for each group.
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
    /// A fraction has sampling error; a share is exact unless --sensitivity-of says how many
    /// cases it comes from. With --table the default is the column sensitivity.
    #[arg(long, value_name = "SHARE|COL")]
    sensitivity: Option<String>,
    /// Specificity, in the same way
    ///
    /// With --table the default is the column specificity.
    #[arg(long, value_name = "SHARE|COL")]
    specificity: Option<String>,
    /// Number of cases behind a sensitivity that is a share, or the column with it
    #[arg(long, value_name = "N|COL")]
    sensitivity_of: Option<String>,
    /// Number of cases behind a specificity that is a share, or the column with it
    #[arg(long, value_name = "N|COL")]
    specificity_of: Option<String>,
    /// Table of counts with a row for each group; - for standard input
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    pub by: By,
    #[command(flatten)]
    written: options::Written,
    /// Type of the interval
    #[arg(long, value_parser = one_of(RateInterval::TABLE), default_value = "lang-reiczigel")]
    pub interval: RateInterval,
    #[command(flatten)]
    level: LevelArgs,
    /// Estimand of the standard error and interval; for the sample the interval is wilson
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "population")]
    pub target: Target,
    #[command(flatten)]
    pub sorted: SortArgs,
    #[command(flatten)]
    pub output: Output,
}

impl CountsArgs {
    pub fn reporting(&self) -> Result<IntervalOptions, CliError> {
        self.level.interval_options(self.target)
    }

    /// The table, if there is one.
    pub fn path(&self) -> Option<&PathBuf> {
        self.table.as_ref()
    }

    /// Where the counts are in a table.
    pub fn file<'a>(&'a self, path: &'a Path) -> CountsFile<'a> {
        let named = |typed: &'a Option<String>, default| typed.as_deref().unwrap_or(default);
        let rate = |typed: &'a Option<String>, of: &'a Option<String>, default| GivenRate {
            rate: number_or_column(named(typed, default)),
            of: of.as_deref().map(number_or_column),
        };
        CountsFile {
            path,
            by: &self.by,
            decimal: self.written.decimal,
            sheet: self.written.sheet.as_deref(),
            positives: named(&self.positives, "positives"),
            tested: named(&self.tested, "tested"),
            sensitivity: rate(&self.sensitivity, &self.sensitivity_of, "sensitivity"),
            specificity: rate(&self.specificity, &self.specificity_of, "specificity"),
        }
    }

    /// The prevalence from the counts on the command line.
    pub fn typed(&self, reporting: &IntervalOptions) -> Result<CountRow, CliError> {
        if !self.by.is_empty() {
            return Err(CliError::Usage("--by names columns of a table: give it with --table FILE".to_owned()));
        }
        let Self { positives, tested, sensitivity, specificity, sensitivity_of, specificity_of, .. } = self;
        let written = [positives, tested, sensitivity, specificity, sensitivity_of, specificity_of];
        let [positives, tested, sensitivity, specificity, sensitivity_of, specificity_of] =
            written.map(Option::as_deref);
        let typed = TypedCounts { positives, tested, sensitivity, specificity, sensitivity_of, specificity_of };
        typed.estimate(self.interval, reporting).map_err(CliError::Usage)
    }
}

/// What reads as a number is one, and anything else the name of a column.
fn number_or_column<T: FromStr>(typed: &str) -> Given<'_, T> {
    typed.parse().map_or(Given::Column(typed), Given::Value)
}
