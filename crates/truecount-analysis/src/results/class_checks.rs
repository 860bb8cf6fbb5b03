//! Columns of the test that the rows of each group are a mix of several labelled classes.

use super::column::{CellFormat, ResultColumn, Unit};
use super::differences::CLASS;
use super::row::ResultRow;
use serde_json::{Value, json};
use std::sync::Arc;
use truecount::multiclass::{ClassMixTest, MixCell};
use truecount::shift_test::Verdict;

/// The test of one group.
pub struct ClassCheckRow {
    /// The group's index among the keys.
    pub group: usize,
    /// The number of rows.
    pub n: u64,
    /// The names of the classes.
    pub classes: Arc<Vec<String>>,
    /// The test; `None` for a group with too few rows.
    pub test: Option<ClassMixTest>,
    /// The p-value adjusted for the number of groups.
    pub holm: Option<f64>,
}

impl ClassCheckRow {
    /// Returns the verdict of the test.
    pub fn verdict(&self) -> Option<Verdict> {
        self.holm.map(Verdict::from_p_value)
    }

    fn test<T>(&self, value: impl FnOnce(&ClassMixTest) -> T) -> Option<T> {
        self.test.as_ref().map(value)
    }

    fn class_name(&self, cell: &MixCell) -> &str {
        cell.class.map_or("several rare classes", |class| self.classes[class].as_str())
    }

    /// Describes the cell that fits worst.
    fn worst_cell(&self) -> Option<String> {
        let cell @ MixCell { probability: [from, to], observed, expected, .. } = &self.test.as_ref()?.cells[0];
        let range = if *from < 0.005 && *to >= 0.995 { String::new() } else { format!(" {from:.2}–{to:.2}") };
        Some(format!("{}{range}: {observed}, not {expected:.0}", self.class_name(cell)))
    }
}

impl ResultRow for ClassCheckRow {
    const NAME: &'static str = "class_shift";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::count("n", "number of rows", |row| row.n).shown(CellFormat::AsIs),
            Self::number("statistic", "X² of the cells divided by its degrees of freedom", |row| {
                row.test(|test| test.statistic / test.degrees_of_freedom as f64)
            })
            .shown(CellFormat::Decimals(2)),
            Self::count("df", "degrees of freedom: cells less classes", |row| {
                row.test(|test| test.degrees_of_freedom as u64)
            }),
            Self::p_value(
                "p_value",
                "p-value for the hypothesis that the rows are a mix of the labelled classes",
                |row| row.test(|test| test.p_value),
            )
            .heading("p", CellFormat::PValue),
            Self::p_value("p_value_holm", "p_value with Holm's correction for the number of groups", |row| row.holm)
                .heading("p (Holm)", CellFormat::PValue),
            Self::text("verdict", "plausible, doubtful (p_value_holm below 0.05) or rejected (below 0.01)", |row| {
                row.verdict().map(Verdict::name).into()
            })
            .shown(CellFormat::AsIs)
            .optional(),
            Self::text(CLASS, "the likeliest class of the rows in the cell that fits worst", |row| {
                row.test(|test| row.class_name(&test.cells[0]).to_owned()).into()
            })
            .optional(),
            Self::text(
                "worst_cell",
                "the cell that fits worst: the range of the class's probability, the rows in it, and the rows expected",
                |row| row.worst_cell().into(),
            )
            .heading("fits worst", CellFormat::AsIs)
            .optional(),
            ResultColumn::new("cells", Unit::Nested, "all cells, the one that fits worst first", |row: &Self| {
                let cell = |cell: &MixCell| {
                    let [from, to] = cell.probability;
                    let (class, MixCell { observed, expected, .. }) = (row.class_name(cell), cell);
                    json!({ "class": class, "from": from, "to": to, "observed": observed, "expected": expected })
                };
                row.test.iter().flat_map(|test| &test.cells).map(cell).collect::<Value>().into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
