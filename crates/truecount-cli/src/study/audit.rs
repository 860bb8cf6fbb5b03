//! The study of audits, and its summary.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::audit::{Audits, Summary, summarise};

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Audits::all();
    let complete = Complete::new("audit", &study, asked)?;
    let summaries = summarise(&study, &complete.results);
    complete.summary(BTreeMap::from([("summaries", &summaries)]))?;
    let rows: Vec<ArmRow> = summaries.iter().map(ArmRow).collect();
    let shifts = rows.chunk_by(|a, b| a.0.shift == b.0.shift && a.0.audited == b.0.audited);
    let tables = shifts.map(|rows| {
        let Summary { shift, audited, .. } = rows[0].0;
        let title = format!("negatives score {shift} higher than elsewhere, {audited} of 3000 audited");
        Table::new(rows).titled(vec![title]).hidden("shift").hidden("audited")
    });
    let notes = [
        "mean, min: coverage of the nominal 95 % intervals over the prevalences, %",
        "width: mean width of the intervals; error: mean absolute error",
    ];
    let notes = notes.map(|note| Note::new(note.to_owned())).into();
    let results = Results { about: complete.about(), tables: tables.collect(), notes, warnings: Vec::new() };
    output::print(&results, asked.form, None)
}

/// An arm over the prevalences.
struct ArmRow<'a>(&'a Summary);

impl Row for ArmRow<'_> {
    const NAME: &'static str = "arms";

    fn columns() -> Vec<Column<Self>> {
        let share = |name, what, of: fn(&Summary) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(row.0).into())
        };
        let of_shift = "by how much negatives among the items score higher than elsewhere";
        vec![
            Column::new("shift", Unit::Score, of_shift, |row: &Self| row.0.shift.into()),
            Column::new("audited", Unit::Count, "audited items", |row: &Self| u64::from(row.0.audited).into()),
            Column::new("arm", Unit::Text, "where the share comes from", |row: &Self| row.0.arm.into())
                .shown(Look::AsIs),
            share("mean", "mean coverage over the prevalences", |s| s.coverages.mean).shown(Look::Percentage(1)),
            share("min", "least coverage", |s| s.coverages.min).shown(Look::Percentage(1)),
            share("width", "mean width of the intervals", |s| s.coverages.width).shown(Look::Decimals(4)),
            share("mae", "mean absolute error", |s| s.mae).heading("error", Look::Decimals(4)),
        ]
    }
}
