//! Which columns of a file are read, and how their numbers are written.

use super::one_of;
use truecount_tables::groups::ScoreColumns;
use truecount_tables::input::Decimal;

/// The names of the columns.
#[derive(clap::Args)]
pub struct ScoreNames {
    /// Column with the scores [default: score, or that of --prob if the labelled scores have no column score]
    #[arg(long, value_name = "COL")]
    score: Option<String>,
    /// Column with a classifier's probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

/// What is read of every file.
#[derive(clap::Args)]
pub struct ColumnNames {
    #[command(flatten)]
    names: ScoreNames,
    #[command(flatten)]
    written: Written,
}

/// How tables are written.
#[derive(clap::Args)]
pub struct Written {
    /// Decimal mark of the numbers in text files [default: a point; a comma where semicolons part the cells and the first scores have
    /// commas]
    #[arg(long, value_name = "MARK", value_parser = one_of(&DECIMALS))]
    pub decimal: Option<Decimal>,
    /// Sheet of Excel workbooks [default: the first]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
}

const DECIMALS: [(&str, Decimal, &str); 2] = [(".", Decimal::Point, "as in 0.25"), (",", Decimal::Comma, "as in 0,25")];

impl ScoreNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: self.score.as_deref(), probability: self.prob.as_deref(), decimal: None, sheet: None }
    }
}

impl ColumnNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        let Written { decimal, sheet } = &self.written;
        ScoreColumns { decimal: *decimal, sheet: sheet.as_deref(), ..self.names.get() }
    }

    /// The same with another column of scores, if there is one.
    pub fn of_other<'a>(&'a self, score: Option<&'a str>) -> ScoreColumns<'a> {
        ScoreColumns { score: score.or(self.names.score.as_deref()), ..self.get() }
    }
}
