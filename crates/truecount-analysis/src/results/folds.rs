//! The columns of the labelled scores of folds among themselves.

use super::column::{Column, Unit};
use super::row::Row;
use truecount::check::Folds;

/// How far apart they are.
pub struct FoldsRow(pub Folds);

impl Row for FoldsRow {
    const NAME: &'static str = "folds";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("folds", Unit::Count, "folds that were compared", |row: &Self| row.0.folds.into()),
            Column::new(
                "statistic",
                Unit::Number,
                "how far apart their labelled scores are; about 1 if they are alike",
                |row: &Self| row.0.statistic.into(),
            ),
            Column::new(
                "p_value",
                Unit::PValue,
                "of labelled scores as far apart, if the folds were alike",
                |row: &Self| row.0.p_value.into(),
            ),
        ]
    }
}
