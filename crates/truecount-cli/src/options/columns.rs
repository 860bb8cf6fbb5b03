//! Which columns of a file are read.

use truecount_io::groups::ScoreColumns;

/// What is read of every file.
#[derive(clap::Args)]
pub struct ColumnNames {
    /// Column with the scores [default: score, or that of --prob if the labelled scores have no column score]
    #[arg(long, value_name = "COL")]
    score: Option<String>,
    /// Column with a classifier's probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

impl ColumnNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: self.score.as_deref(), probability: self.prob.as_deref() }
    }

    /// The same with another column of scores, if there is one.
    pub fn of_other<'a>(&'a self, score: Option<&'a str>) -> ScoreColumns<'a> {
        ScoreColumns { score: score.or(self.score.as_deref()), ..self.get() }
    }
}
