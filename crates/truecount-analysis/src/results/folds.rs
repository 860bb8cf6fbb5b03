//! Columns of the comparison of the labelled scores of folds.

use super::column::ResultColumn;
use super::row::ResultRow;
use truecount::shift_test::FoldComparison;

/// The comparison of the labelled scores of the folds.
pub struct FoldsRow(pub FoldComparison);

impl ResultRow for FoldsRow {
    const NAME: &'static str = "folds";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::count("folds", "folds that were compared", |row| row.0.folds),
            Self::number(
                "statistic",
                "how much the labelled scores differ between the folds; about 1 if they do not",
                |row| row.0.statistic,
            ),
            Self::p_value("p_value", "p-value for the hypothesis that the folds' classifiers score alike", |row| {
                row.0.p_value
            }),
        ]
    }
}
