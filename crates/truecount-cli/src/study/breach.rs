//! The study of what widened intervals buy, and its summary.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::breach::{Breach, Summary, figure, summarise};

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Breach::all();
    let complete = Complete::new("breach", &study, asked)?;
    let summaries = summarise(&study, &complete.results);
    complete.figure("breach.svg", &figure(&study, &complete.results))?;
    complete.summary(BTreeMap::from([("summaries", &summaries)]))?;
    let rows: Vec<MethodRow> = summaries.iter().map(MethodRow).collect();
    let kinds = rows.chunk_by(|a, b| a.0.kind == b.0.kind);
    let tables = kinds.map(|rows| {
        let settings = rows.iter().map(|row| row.0.settings).max().unwrap_or_default();
        Table::new(rows).titled(vec![format!("{}: {settings} settings of each size", rows[0].0.kind.title())])
    });
    let notes = [
        "seen: samples in which the check finds no mixture, %; S: mean scale factor",
        "error: root mean square of the error over the standard error; and over the half-width of the widened interval by 1.96",
        "coverage: of the nominal 95 % intervals as they would be without the check, and widened, %",
        "width: mean width of the widened intervals over that of the plain ones",
    ];
    let notes = notes.map(|note| Note::new(note.to_owned())).into();
    let results = Results { about: complete.about(), tables: tables.collect(), notes, warnings: Vec::new() };
    output::print(&results, asked.form, None)
}

/// A method's intervals where something is broken.
struct MethodRow<'a>(&'a Summary);

impl Row for MethodRow<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        let column = |name, unit, what, of: fn(&Summary) -> f64| {
            Column::new(name, unit, what, move |row: &Self| of(row.0).into())
        };
        let share = |name, what, of| column(name, Unit::Share, what, of);
        let number = |name, what, of| column(name, Unit::Number, what, of);
        vec![
            Column::new("breach", Unit::Text, "what is broken", |row: &Self| row.0.kind.title().into()),
            number("size", "by how much", |s| s.size).shown(Look::Decimals(2)),
            Column::new("method", Unit::Text, "the method", |row: &Self| row.0.method.clone().into()).shown(Look::AsIs),
            share("rejected", "samples in which the check finds no mixture", |s| s.rejected)
                .heading("seen", Look::Percentage(1)),
            number("scale", "mean scale factor", |s| s.scale).heading("S", Look::Decimals(2)),
            number("errors", "root mean square of the error over the standard error", |s| s.errors)
                .heading("error", Look::Decimals(2)),
            number(
                "errors_widened",
                "the same over the half-width of the widened interval, by the normal quantile",
                |s| s.errors_widened,
            )
            .heading("widened", Look::Decimals(2)),
            share("coverage", "coverage of the plain intervals", |s| s.coverage).shown(Look::Percentage(1)),
            share("coverage_error", "its Monte Carlo standard error", |s| s.coverage_error),
            share("coverage_widened", "coverage of the widened intervals", |s| s.coverage_widened)
                .heading("widened", Look::Percentage(1)),
            share("coverage_widened_error", "its Monte Carlo standard error", |s| s.coverage_widened_error),
            share("width", "mean width of the plain intervals", |s| s.width),
            number("width_ratio", "mean width of the widened intervals over that of the plain ones", |s| s.width_ratio)
                .heading("width", Look::Decimals(2)),
            number("width_ratio_error", "its Monte Carlo standard error", |s| s.width_ratio_error),
        ]
    }
}
