//! The study of the intervals, and its summary.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::coverage::{Coverage, Summary, figure, summarise};
use truecount_studies::intervals::BAND;

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Coverage::all();
    let complete = Complete::new("coverage", &study, asked)?;
    let summaries = summarise(&study, &complete.results);
    complete.figure("coverage.svg", &figure(&study, &complete.results))?;
    complete.summary(BTreeMap::from([("summaries", &summaries)]))?;
    let band = format!("{:.1} – {:.1}", 100.0 * BAND[0], 100.0 * BAND[1]);
    let rows: Vec<ArmRow> = summaries.iter().map(ArmRow).collect();
    let scenarios = rows.chunk_by(|a, b| a.0.scenario == b.0.scenario);
    let tables = scenarios.map(|rows| {
        let settings = rows.iter().map(|row| row.0.coverages.settings).max().unwrap_or_default();
        let title = format!("{}: {settings} settings", rows[0].0.scenario.title());
        Table::new(rows).titled(vec![title]).headed("in_band", band.clone())
    });
    let notes = [
        "mean, min, max: coverage of the nominal 95 % intervals over the settings, %".to_owned(),
        format!("{band}: share of the settings between these, %"),
        "width: mean width of the intervals".to_owned(),
        "[0, 1] and none: replications with that interval, and without an estimate, %".to_owned(),
    ];
    let notes = notes.into_iter().map(Note::new).collect();
    let results = Results { about: complete.about(), tables: tables.collect(), notes, warnings: Vec::new() };
    output::print(&results, asked.form, None)
}

/// A method over the settings of a scenario.
struct ArmRow<'a>(&'a Summary);

impl Row for ArmRow<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        let share = |name, what, of: fn(&Summary) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(row.0).into())
        };
        let scenario =
            Column::new("scenario", Unit::Text, "which settings", |row: &Self| row.0.scenario.title().into());
        vec![
            scenario,
            Column::new("method", Unit::Text, "the method", |row: &Self| row.0.arm.into()).shown(Look::AsIs),
            share("mean", "mean coverage over the settings", |s| s.coverages.mean).shown(Look::Percentage(1)),
            share("min", "least coverage", |s| s.coverages.min).shown(Look::Percentage(1)),
            share("max", "largest coverage", |s| s.coverages.max).shown(Look::Percentage(1)),
            share("in_band", "share of the settings whose coverage is close to the nominal one", |s| {
                s.coverages.in_band
            })
            .shown(Look::Percentage(1)),
            share("width", "mean width of the intervals", |s| s.coverages.width).shown(Look::Decimals(4)),
            share("vacuous", "replications whose interval is all of [0, 1]", |s| s.vacuous)
                .heading("[0, 1]", Look::Rare),
            share("none", "replications without an estimate", |s| s.none).shown(Look::Rare),
        ]
    }
}
