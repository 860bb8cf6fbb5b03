//! The columns of what is supposed: by how much an estimate moves if some items of a class score otherwise than the labelled ones. No check
//! can see all such changes, but they can move an estimate only so far.

use super::CheckRow;
use super::column::{Column, Look, Unit};
use super::numbers::percent;
use super::row::Row;
use truecount::check::ShiftTally;
use truecount::quantifier::Supposed;
use truecount::{Error, LabelledScores, Model, Settings};

/// What is supposed of one class of one group.
pub struct SupposedRow {
    group: usize,
    supposed: Supposed,
}

impl SupposedRow {
    /// Of each group what is supposed of its positives and of its negatives: by how much Efficient Sweep's estimate moves.
    ///
    /// # Errors
    /// Those of its fit; [`Problem::Parameter`](crate::Problem::Parameter) for what is no share.
    pub fn of_groups(
        share: f64,
        labelled: &LabelledScores,
        groups: &[CheckRow],
        tallies: &[&ShiftTally],
    ) -> Result<Vec<Self>, Error> {
        let model = Model::fit(labelled, &Settings::default())?;
        let sweep = model.quantifiers()[0].binned_sweep().expect("the default method counts in bins");
        let mut rows = Vec::with_capacity(2 * groups.len());
        for row in groups {
            let prevalence = row.checked.shift.prevalence.clamp(0.0, 1.0);
            let of = sweep.suppose(share, prevalence, &tallies[row.group].plain().counts)?;
            rows.extend([of.negative, of.positive].map(|supposed| Self { group: row.group, supposed }));
        }
        Ok(rows)
    }

    /// What stands above rows of which this is one.
    pub fn title(&self) -> String {
        format!(
            "if {} % of a class scored otherwise, by how many points the estimate would move:",
            percent(self.supposed.share)
        )
    }
}

impl Row for SupposedRow {
    const NAME: &'static str = "suppose";

    fn columns() -> Vec<Column<Self>> {
        let points = |name, what, of: fn(&Supposed) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(&row.supposed).into()).shown(Look::Percentage(2))
        };
        vec![
            Column::new("class", Unit::Text, "of which class", |row: &Self| row.supposed.class.to_string().into())
                .shown(Look::AsIs),
            Column::new("supposed", Unit::Share, "how much of it scores otherwise", |row: &Self| {
                row.supposed.share.into()
            }),
            points("down", "at most down", |supposed| supposed.down),
            points("up", "at most up", |supposed| supposed.up),
            points("typical", "root mean square, if they score as the test scores do", |supposed| supposed.typical),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}
