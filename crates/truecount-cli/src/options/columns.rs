//! Which columns of a file are read.

use truecount_io::groups::ScoreColumns;

/// What is read of every file.
#[derive(clap::Args)]
pub struct ColumnNames {
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    score: String,
    /// Column with a classifier's probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

impl ColumnNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: &self.score, probability: self.prob.as_deref() }
    }
}
