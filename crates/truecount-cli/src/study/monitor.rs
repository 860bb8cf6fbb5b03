//! The study of the alarm and of the band for all looks.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::Study;
use truecount_studies::monitor::{Monitor, Setting, Watched};

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Monitor::all();
    let complete = Complete::new("monitor", &study, asked)?;
    complete.summary(BTreeMap::<&str, &str>::new())?;
    let rows: Vec<ArmRow> = complete
        .results
        .settings()
        .iter()
        .zip(study.settings())
        .flat_map(|(found, setting)| {
            found.iter().zip(study.arms()).map(move |(found, arm)| ArmRow { setting, arm, found })
        })
        .collect();
    let (null, rising): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|row| rows[*row].setting.rise == 0.0);
    let table = |title: &str, columns: &[&str], of: Vec<usize>| {
        Table::new(&rows).view(columns).only(of).titled(vec![title.to_owned()])
    };
    let tables = vec![
        table(
            "At the bound, where every alarm is false:",
            &["labels", "n", "bound", "arm", "early", "early_error", "coverage", "width_early", "width_late"],
            null,
        ),
        table(
            "After a rise above the bound of 5 %:",
            &["rise", "from", "arm", "early", "found", "delay", "coverage", "width_late"],
            rising,
        ),
        Table::new(&rows).for_programs(),
    ];
    let notes = [
        "false: series with an alarm before a rise, %, ± its Monte Carlo error",
        "found: series with an alarm after it, %, and the median delay in looks",
        "holds: series whose band holds the share so far at all 200 looks, %",
        "at 10, at 200: mean width of the band at these looks",
    ];
    let notes = notes.into_iter().map(Note::new).collect();
    output::print(&Results { about: complete.about(), tables, notes, warnings: Vec::new() }, asked.form, None)
}

/// An arm in a setting.
struct ArmRow<'a> {
    setting: &'a Setting,
    arm: &'static str,
    found: &'a Watched,
}

impl Row for ArmRow<'_> {
    const NAME: &'static str = "settings";

    fn columns() -> Vec<Column<Self>> {
        let share = |name, what, of: fn(&Watched) -> Option<f64>| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(row.found).into()).optional()
        };
        vec![
            Column::new("labels", Unit::Count, "labels of each class", |row: &Self| {
                u64::from(row.setting.labels).into()
            })
            .shown(Look::AsIs),
            Column::new("n", Unit::Count, "scores of each period", |row: &Self| u64::from(row.setting.n).into())
                .shown(Look::AsIs),
            Column::new("bound", Unit::Share, "the bound", |row: &Self| row.setting.bound.into())
                .shown(Look::Percent(0)),
            Column::new("rise", Unit::Share, "by how much the share rises", |row: &Self| row.setting.rise.into())
                .shown(Look::Percent(0)),
            Column::new("from", Unit::Count, "in which period, from 0", |row: &Self| row.setting.from.into())
                .shown(Look::AsIs),
            Column::new("arm", Unit::Text, "monitor, or an interval a look", |row: &Self| row.arm.into())
                .shown(Look::AmongNumbers),
            Column::new("series", Unit::Count, "series", |row: &Self| u64::from(row.found.series).into()),
            share("early", "series with a false alarm", |found| found.early).heading("false", Look::Percentage(2)),
            share("early_error", "its Monte Carlo error", |found| found.early_error).heading("±", Look::Percentage(2)),
            share("found", "series with an alarm after the rise", |found| found.found).shown(Look::Percentage(1)),
            Column::new("delay", Unit::Number, "median looks from the rise to the alarm", |row: &Self| {
                row.found.delay.into()
            })
            .optional()
            .shown(Look::Decimals(0)),
            share("coverage", "series whose band holds at all looks", |found| found.coverage)
                .heading("holds", Look::Percentage(2)),
            share("coverage_error", "its Monte Carlo error", |found| found.coverage_error),
            share("width_early", "mean width of the band at the tenth look", |found| found.width_early)
                .heading("at 10", Look::Decimals(4)),
            share("width_late", "mean width of the band at the last look", |found| found.width_late)
                .heading("at 200", Look::Decimals(4)),
        ]
    }
}
