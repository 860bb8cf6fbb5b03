//! What can be typed behind `tally` and `finish`.

use crate::failure::Failure;
use crate::options::{By, Checked, INTERVALS, Origin, Sorted, Tested, one_of};
use crate::output::Output;
use std::path::PathBuf;
use truecount::Reporting;

/// Reads the test scores as `estimate` does and writes what estimates need to know of them. Files of any number of
/// machines, days or shards are then one `truecount finish`.
#[derive(clap::Args)]
pub struct Tally {
    #[command(flatten)]
    pub tested: Tested,
    /// File to write, a Parquet file with a row for each group
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Merges tallies and prints what `truecount estimate` prints of all their scores together.
#[derive(clap::Args)]
#[command(mut_arg("by", |by| by.help("Of the tallies' grouping columns only these, separated by commas, one with a comma in double quotes; \
    groups that differ in the others are merged [default: all]")))]
pub struct Finish {
    /// Model that the tallies were made with, as `truecount fit` wrote it
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,
    /// Files of `truecount tally`; or tables of bins, with the columns method, missing, bin and n and perhaps grouping
    /// columns, as the query of `truecount sql` returns them
    #[arg(value_name = "TALLY", required_unless_present = "tally")]
    files: Vec<PathBuf>,
    /// The same as TALLY; - for a table from standard input
    #[arg(long, value_name = "FILE")]
    tally: Vec<PathBuf>,
    #[command(flatten)]
    pub by: By,
    /// Count tallies that are of the same rows each, as of shards that happen to be equal
    #[arg(long)]
    pub allow_equal: bool,
    #[command(flatten)]
    reported: Checked,
    /// How intervals follow from the variance; bootstrap is not possible from tallies
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: Origin,
    /// Threads that finish groups; the results are the same to the last digit [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub sorted: Sorted,
    #[command(flatten)]
    pub output: Output,
}

impl Finish {
    /// Every file named.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.iter().chain(&self.tally).cloned().collect()
    }

    pub fn reporting(&self) -> Result<Reporting, Failure> {
        match self.interval {
            Origin::Formula(interval) => self.reported.with(interval),
            Origin::Bootstrap => Err(Failure::Usage(
                "--interval bootstrap draws the scores anew, which tallies no longer hold: use wilson or wald, or `truecount \
                 estimate`"
                    .to_owned(),
            )),
        }
    }
}
