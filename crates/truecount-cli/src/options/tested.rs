//! A model and test scores.

use super::by::By;
use super::columns::ColumnNames;
use super::source::Source;
use std::path::PathBuf;

/// A model, and the test scores it is for.
#[derive(clap::Args)]
pub struct Tested {
    #[command(flatten)]
    pub source: Source,
    /// Tables of unlabelled scores, or a pattern such as 'scores/*.parquet'; - for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<PathBuf>,
    #[command(flatten)]
    pub by: By,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Column of the test file with survey weights; only their ratios count, and rows of weight 0 count for nothing
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// Threads that read, and resample; the results are the same to the last digit [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}
