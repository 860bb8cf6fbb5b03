//! The study of real scores: its pools, and what is found over them and in each.

use super::Asked;
use super::folder::{CELLS, PARAMETERS, Parameters, PoolFile, SUMMARY};
use super::run::Complete;
use crate::failure::Failure;
use crate::output::{self, Files as Written};
use crate::progress::Bars;
use serde_json::json;
use std::path::PathBuf;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::intervals::{Coverages, Over};
use truecount_studies::pools::{LABELS, OfPool, OfPrevalence, Pool, Pools, by_pool, by_prevalence, figure};
use truecount_tables::groups::ScoreColumns;
use truecount_tables::{LabelledFile, input};

const FIGURE: &str = "pools.svg";

/// Where the pools are.
#[derive(clap::Args)]
pub struct Files {
    /// Tables of scores and labels; - for standard input
    #[arg(value_name = "POOL", required = true)]
    paths: Vec<PathBuf>,
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    score: String,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = "1", allow_hyphen_values = true)]
    positive: String,
}

impl Files {
    fn read(&self) -> Result<Vec<Pool>, Failure> {
        input::once_each(self.paths.iter())?;
        if let Some((_, again)) = self.paths.iter().enumerate().find(|(i, path)| self.paths[..*i].contains(path)) {
            return Err(Failure::Usage(format!("{} is given twice", input::name(again))));
        }
        let read = |path: &PathBuf| {
            let columns = ScoreColumns { score: Some(&self.score), probability: None, decimal: None, sheet: None };
            let (label, positive) = (&self.label, &self.positive);
            let scores =
                LabelledFile { path, columns, label, positive, weight: None, cluster: None, unit_interval: None }
                    .read(&Bars)?;
            Pool::new(input::name(path), scores).map_err(Failure::at(input::name(path)))
        };
        self.paths.iter().map(read).collect()
    }
}

pub fn run(files: &Files, asked: &Asked) -> Result<(), Failure> {
    let pools = files.read()?;
    let written = [PARAMETERS, CELLS, SUMMARY, FIGURE];
    Written::reading(&files.paths).filling("--out", Some(asked.out), written).check()?;
    let parameters = Parameters::new("pools", asked.plan).of(pools.iter().map(PoolFile::new).collect());
    let study = Pools::of(pools);
    let complete = Complete::with(parameters, &study, asked)?;
    let (prevalences, pools) = (by_prevalence(&study, &complete.results), by_pool(&study, &complete.results));
    complete.figure(FIGURE, &figure(&study, &complete.results))?;
    complete.summary(json!({"by_prevalence": prevalences, "by_pool": pools}))?;

    let rows: Vec<PrevalenceRow> = prevalences.into_iter().map(PrevalenceRow).collect();
    let of_samples = rows.chunk_by(|a, b| (a.0.labels, a.0.alpha) == (b.0.labels, b.0.alpha)).map(|rows| {
        let OfPrevalence { labels, alpha, pools, .. } = rows[0].0;
        let plural = if pools == 1 { "pool" } else { "pools" };
        let percent = (100.0 * alpha).round();
        Table::new(rows).titled(vec![format!("{labels} labels of each class, {percent} % positives: {pools} {plural}")])
    });
    let in_pools = PoolRow::all(&pools);
    let of_pool =
        in_pools.chunk_by(|a, b| a.pool == b.pool).map(|rows| Table::new(rows).titled(vec![rows[0].pool.to_owned()]));
    let notes = [
        "mean, min, max: coverage of the nominal 95 % intervals over the pools, %",
        "width: mean width of the intervals; MAE: mean absolute error",
        "[0, 1] and none: replications with that interval, and without an estimate, %",
        "30, 100, 500: labels of each class; means over the prevalences, coverage in %",
    ];
    let notes = notes.into_iter().map(Note::new).collect();
    let tables = of_samples.chain(of_pool).collect();
    output::print(&Results { about: complete.about(), tables, notes, warnings: Vec::new() }, asked.form, None)
}

/// A method over the pools.
struct PrevalenceRow(OfPrevalence);

impl Row for PrevalenceRow {
    const NAME: &'static str = "prevalences";

    fn columns() -> Vec<Column<Self>> {
        let coverage = |name, what, of: fn(&Coverages) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| row.0.over.coverages.as_ref().map(of).into())
                .optional_as("")
        };
        let share = |name, what, of: fn(&Over) -> f64| {
            Column::new(name, Unit::Share, what, move |row: &Self| of(&row.0.over).into())
        };
        vec![
            Column::new("labels", Unit::Count, "labels of each class", |row: &Self| u64::from(row.0.labels).into()),
            Column::new("prevalence", Unit::Share, "share of positives in the test samples", |row: &Self| {
                row.0.alpha.into()
            }),
            Column::new("method", Unit::Text, "the method", |row: &Self| row.0.arm.into()).shown(Look::AsIs),
            coverage("mean", "mean coverage over the pools", |c| c.mean).shown(Look::Percentage(1)),
            coverage("min", "least coverage", |c| c.min).shown(Look::Percentage(1)),
            coverage("max", "largest coverage", |c| c.max).shown(Look::Percentage(1)),
            coverage("width", "mean width of the intervals", |c| c.width).shown(Look::Decimals(4)),
            Column::new("mae", Unit::Share, "mean absolute error", |row: &Self| row.0.over.mae.into())
                .heading("MAE", Look::Decimals(4))
                .optional(),
            share("vacuous", "replications whose interval is all of [0, 1]", |o| o.vacuous)
                .heading("[0, 1]", Look::Rare),
            share("none", "replications without an estimate", |o| o.none).shown(Look::Rare),
        ]
    }
}

/// A method in a pool, over the prevalences.
struct PoolRow<'a> {
    pool: &'a str,
    arm: &'static str,
    /// With so many labels of each class, as far as the pool allows them.
    of: [Option<&'a Over>; LABELS.len()],
}

impl<'a> PoolRow<'a> {
    /// Every method in every pool.
    fn all(found: &'a [OfPool]) -> Vec<Self> {
        let rows = found.chunk_by(|a, b| a.pool == b.pool).flat_map(|of_pool| {
            let fewest = of_pool.iter().take_while(|found| found.labels == LABELS[0]);
            fewest.map(move |OfPool { pool, arm, .. }| {
                let with = |labels| of_pool.iter().find(|found| found.labels == labels && found.arm == *arm);
                Self { pool, arm, of: LABELS.map(|labels| with(labels).map(|found| &found.over)) }
            })
        });
        rows.collect()
    }
}

impl Row for PoolRow<'_> {
    const NAME: &'static str = "pools";

    fn columns() -> Vec<Column<Self>> {
        let mut columns = vec![
            Column::new("pool", Unit::Text, "the pool", |row: &Self| row.pool.into()),
            Column::new("method", Unit::Text, "the method", |row: &Self| row.arm.into()).shown(Look::AsIs),
        ];
        let heading = |what, place: usize| {
            let labels = LABELS[place];
            if place == 0 { format!("{what}, {labels}") } else { labels.to_string() }
        };
        let sizes = || LABELS.into_iter().enumerate();
        columns.extend(sizes().map(|(place, labels)| {
            let what = format!("mean coverage over the prevalences, with {labels} labels of each class");
            Column::new(format!("coverage_{labels}"), Unit::Share, what, move |row: &Self| {
                row.of[place].and_then(|over| Some(over.coverages?.mean)).into()
            })
            .heading(heading("coverage", place), Look::Percentage(1))
            .optional_as("")
        }));
        columns.extend(sizes().map(|(place, labels)| {
            let what = format!("mean absolute error over the prevalences, with {labels} labels of each class");
            Column::new(format!("mae_{labels}"), Unit::Share, what, move |row: &Self| {
                row.of[place].and_then(|over| over.mae).into()
            })
            .heading(heading("MAE", place), Look::Decimals(4))
            .optional()
        }));
        columns
    }
}
