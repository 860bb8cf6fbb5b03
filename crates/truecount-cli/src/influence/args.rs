//! Arguments of `truecount influence`.

use crate::options::TestArgs;
use crate::output::OutputArgs;

const AFTER: &str = "\
Example:
  truecount influence --train labelled.csv --test scores.csv --by week --output influence.csv";

/// Tells what each test score adds to the estimate: one row per score, in the order of the files,
/// with the number of its row. The mean of a group's values is its raw estimate. For one method,
/// which is the mean of a function of the score. All scores are held in memory.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct InfluenceArgs {
    #[command(flatten)]
    pub test_args: TestArgs,
    /// Influence of each labelled score on the error of each group's estimate instead
    ///
    /// One row per labelled score and group: positives first, each class in the order of its
    /// rows.
    #[arg(long)]
    pub labelled: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}
