//! The study of differences, ratios and totals, and its summary.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::intervals::BAND;
use truecount_studies::together::{Summary, Together, figure, summarise};

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Together::all();
    let complete = Complete::new("together", &study, asked)?;
    let summaries = summarise(&study, &complete.results);
    complete.figure("together.svg", &figure(&study, &complete.results))?;
    complete.summary(BTreeMap::from([("summaries", &summaries)]))?;
    let band = format!("{:.1} – {:.1}", 100.0 * BAND[0], 100.0 * BAND[1]);
    let rows: Vec<MethodRow> = summaries.iter().map(MethodRow).collect();
    let quantities = rows.chunk_by(|a, b| a.0.quantity == b.0.quantity);
    let tables = quantities.map(|rows| {
        let settings = rows.iter().map(|row| row.0.coverages.settings).max().unwrap_or_default();
        let title = format!("{}: {settings} settings", rows[0].0.quantity.title());
        Table::new(rows).titled(vec![title]).headed("in_band", band.clone())
    });
    let notes = [
        "mean, min, max: coverage of the nominal 95 % intervals over the settings, %".to_owned(),
        format!("{band}: share of the settings between these, %"),
        "width: mean width of the intervals that have an upper end".to_owned(),
        "se: standard error over the standard deviation, median over the settings".to_owned(),
        "cov: stated covariance of the two compared over the one found, median".to_owned(),
        "∞ and none: replications without an upper end, and without an interval, %".to_owned(),
    ];
    let notes = notes.into_iter().map(Note::new).collect();
    let results = Results { about: complete.about(), tables: tables.collect(), notes, warnings: Vec::new() };
    output::print(&results, asked.form, None)
}

/// A method's intervals for a quantity.
struct MethodRow<'a>(&'a Summary);

impl Row for MethodRow<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        let share = |name, what, of: fn(&Summary) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(row.0).into())
        };
        let ratio = |name, what, of: fn(&Summary) -> Option<f64>| {
            Column::new(name, Unit::Number, what, move |row: &Self| of(row.0).into())
        };
        vec![
            Column::new("quantity", Unit::Text, "what the intervals are about", |row: &Self| {
                row.0.quantity.title().into()
            }),
            Column::new("method", Unit::Text, "the method", |row: &Self| row.0.method.clone().into()).shown(Look::AsIs),
            share("mean", "mean coverage over the settings", |s| s.coverages.mean).shown(Look::Percentage(1)),
            share("min", "least coverage", |s| s.coverages.min).shown(Look::Percentage(1)),
            share("max", "largest coverage", |s| s.coverages.max).shown(Look::Percentage(1)),
            share("in_band", "share of the settings whose coverage is close to the nominal one", |s| {
                s.coverages.in_band
            })
            .shown(Look::Percentage(1)),
            share("width", "mean width of the intervals that have an upper end", |s| s.coverages.width)
                .shown(Look::Decimals(3)),
            ratio("se_ratio", "standard error over the standard deviation, median over the settings", |s| s.se_ratio)
                .heading("se", Look::Decimals(2))
                .optional(),
            ratio("covariance_ratio", "stated covariance over the one found, median over the settings", |s| {
                s.covariance_ratio
            })
            .heading("cov", Look::Decimals(2))
            .optional(),
            share("endless", "replications whose interval has no upper end", |s| s.endless)
                .heading("∞", Look::Percentage(1)),
            share("none", "replications without an interval", |s| s.none).shown(Look::Rare),
        ]
    }
}
