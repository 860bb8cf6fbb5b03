//! Columns of the comparison of the labelled scores of folds.

use super::column::{ResultColumn, Unit};
use super::row::ResultRow;
use truecount::shift_test::FoldComparison;

/// The comparison of the labelled scores of the folds.
pub struct FoldsRow(pub FoldComparison);

impl ResultRow for FoldsRow {
    const NAME: &'static str = "folds";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            ResultColumn::new("folds", Unit::Count, "folds that were compared", |row: &Self| row.0.folds.into()),
            ResultColumn::new(
                "statistic",
                Unit::Number,
                "how much the labelled scores differ between the folds; about 1 if they do not",
                |row: &Self| row.0.statistic.into(),
            ),
            ResultColumn::new(
                "p_value",
                Unit::PValue,
                "p-value for the hypothesis that the folds' classifiers score alike",
                |row: &Self| row.0.p_value.into(),
            ),
        ]
    }
}
