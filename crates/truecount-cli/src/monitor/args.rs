//! Arguments of `truecount monitor`.

use crate::figure::FigureArgs;
use crate::options::{
    CheckedIntervalArgs, ColumnNames, DesignArgs, EveryArgs, ModelArgs, ReplicateArgs, one_of, share,
};
use crate::output::OutputArgs;
use clap::ArgGroup;
use std::path::PathBuf;
use truecount::inference::IntervalKind;
use truecount::monitor::Bound;
use truecount_analysis::monitor::Baseline;
use truecount_analysis::request::EstimateRequest;

const AFTER: &str = "\
Examples:
  truecount monitor --train labelled.csv --test rows.csv --by date --above 5%
  truecount monitor --model model.json tallies/*.parquet --above 5% -o monitor.csv

Exit status: 3 if there is an alarm; all results are written nevertheless.";

/// Prints a row for each period, from scores or from the files of `truecount tally`: the estimate, the change from the
/// previous period and from a baseline, a smoothed line with a band, and the mean so far with a band that holds at all
/// times together. --above or --below adds an alarm that is false in at most 5 % of all series, however often you look.
#[derive(clap::Args)]
#[command(after_help = AFTER, group(ArgGroup::new("scores").required(true).args(["tallies", "test"])))]
#[command(mut_arg("figure", |figure| figure.help("SVG or PNG file: periods with intervals, smoothed line, limit \
    and alarm")))]
pub struct MonitorArgs {
    #[command(flatten)]
    pub source: ModelArgs,
    /// Files of `truecount tally`, or tables of bins, as `truecount finish` reads them
    #[arg(value_name = "TALLY")]
    pub tallies: Vec<PathBuf>,
    /// Tables of unlabelled scores; - for standard input
    ///
    /// Patterns such as 'scores/*.parquet' are possible; the command expands them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
    /// Column with the periods, such as 2026-01-31, 2026-W05, 2026-01 or 2026-Q1
    ///
    /// Required with --test. For tallies the default is their only grouping column.
    #[arg(long, value_name = "COL", required_unless_present = "tallies")]
    pub by: Option<String>,
    #[command(flatten)]
    pub every: EveryArgs,
    /// Raise an alarm if the prevalence is above this share, such as 5%
    #[arg(long, value_name = "SHARE", value_parser = share)]
    above: Option<f64>,
    /// Raise an alarm if the prevalence is below this share
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "above")]
    below: Option<f64>,
    /// Reference period: 2026-W05, or 2026-01-01..2026-01-31 [default: the first]
    #[arg(long, value_name = "DATE|FROM..TO", value_parser = baseline)]
    pub baseline: Option<Baseline>,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Column with survey weights of the test rows
    ///
    /// Only the ratios of the weights count; a row of weight 0 is left out.
    #[arg(long, value_name = "COL", requires = "test")]
    pub weight: Option<String>,
    /// Accept tallies of identical rows, such as shards that happen to be equal
    #[arg(long, requires = "tallies")]
    pub allow_equal: bool,
    #[command(flatten)]
    intervals: CheckedIntervalArgs,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    replicates: ReplicateArgs,
    /// Type of the intervals of the periods
    #[arg(long, value_parser = one_of(IntervalKind::TABLE), default_value = "wilson")]
    interval: IntervalKind,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub figure: FigureArgs,
}

fn baseline(text: &str) -> Result<Baseline, String> {
    Baseline::parse(text).ok_or_else(|| "it must be a date such as 2026-W05, or two: 2026-01..2026-03".to_owned())
}

impl MonitorArgs {
    pub fn request(&self) -> EstimateRequest {
        let request = self.intervals.request(&self.interval.to_string());
        let request = self.replicates.add_to(self.design.add_to(request));
        EstimateRequest { by: self.by.iter().cloned().collect(), weight: self.weight.clone(), ..request }
    }

    pub fn bound(&self) -> Option<Bound> {
        self.above.map(Bound::Above).or(self.below.map(Bound::Below))
    }
}
