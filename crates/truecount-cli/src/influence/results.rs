//! Result tables of influence values.

use truecount::scores::Class;
use truecount_analysis::results::{CellFormat, Note, ResultColumn, ResultRow, ResultTable, Results};
use truecount_tables::groups::Keys;

/// The influence of a test score on the estimate of its group.
pub struct TestRow {
    pub group: usize,
    pub row: u64,
    pub score: f64,
    pub weight: Option<f64>,
    pub influence: f64,
    pub se_labels: f64,
}

/// The influence of a labelled score on the error of a group's estimate.
pub struct LabelledRow {
    pub group: usize,
    pub class: Class,
    pub row: u64,
    pub score: f64,
    pub influence: f64,
}

impl ResultRow for TestRow {
    const NAME: &'static str = "influence";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::count("row", "row number, counted from 1 across all test files", |row| row.row)
                .shown(CellFormat::AsIs),
            Self::score("score", "its score", |row| row.score).shown(CellFormat::AsIs),
            Self::number("weight", "its weight, with --weight", |row| row.weight).shown(CellFormat::AsIs),
            Self::share(
                "influence",
                "its influence value: the mean over a group, by weight where there are weights, is the raw estimate",
                |row| row.influence,
            )
            .shown(CellFormat::Signed),
            Self::share("se_labels", "the part of the group's standard error from the labelled rows", |row| {
                row.se_labels
            })
            .shown(CellFormat::Decimals(6)),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}

impl ResultRow for LabelledRow {
    const NAME: &'static str = "labelled";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("class", "the class of the labelled score", |row| row.class.to_string().into())
                .shown(CellFormat::AsIs),
            Self::count("row", "number of the row within its class, counted from 1", |row| row.row)
                .shown(CellFormat::AsIs),
            Self::score("score", "its score", |row| row.score).shown(CellFormat::AsIs),
            Self::share(
                "influence",
                "what it adds to the error of the group's estimate; the sum over a class is 0",
                |row| row.influence,
            )
            .shown(CellFormat::Decimals(6)),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}

pub fn test_results<'a>(rows: &'a [TestRow], keys: &'a Keys, weighted: bool) -> Results<'a> {
    let table = ResultTable::new(rows).with_groups(keys);
    let table = if weighted { table } else { table.without("weight") };
    let note = Note::new(
        "the mean of a group's influence values is its raw estimate; its variance under any sampling design, plus \
         se_labels², is a variance of the estimate",
    );
    Results { tables: vec![table], notes: vec![note], ..Results::default() }
}

pub fn labelled_results<'a>(rows: &'a [LabelledRow], keys: &'a Keys) -> Results<'a> {
    let note = Note::new(
        "influence: contribution of each labelled score to the error of the estimate; the squares, times n/(n − 1) in \
         each class, add up to the part of se² from the labelled rows",
    );
    Results { tables: vec![ResultTable::new(rows).with_groups(keys)], notes: vec![note], ..Results::default() }
}
