//! Studies 1 to 3 of the paper: how the methods do, and in how many settings what the paper says holds.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::paper::{ArmSummary, Measure, Paper, Summary, figure, summarise};

pub fn run<P: Paper<Setting: Serialize>>(name: &str, study: &P, asked: &Asked) -> Result<(), Failure> {
    let complete = Complete::new(name, study, asked)?;
    let summaries = summarise(study, &complete.results);
    for summary in &summaries {
        for measure in Measure::ALL {
            let stem: Vec<&str> = summary.part.split_whitespace().chain([measure.name()]).collect();
            let svg = figure(study, &complete.results, &summary.part, measure);
            complete.figure(&format!("{}.svg", stem.join("-").to_lowercase()), &svg)?;
        }
    }
    complete.summary(BTreeMap::from([("parts", &summaries)]))?;
    let parts: Vec<Part> = summaries.iter().map(|summary| Part::new(summary, asked.plan.replications)).collect();
    let tables = parts.iter().flat_map(|part| part.tables(P::TITLE, asked.plan.replications)).collect();
    let notes = [
        "MAE, RMSE, |bias|, sd: means over the settings; estimates are not kept in [0, 1]",
        "none: replications without an estimate, which its errors leave out, %",
        "settings with: by the MAE, and by the RMSE; – where the paper says nothing;",
        "summary.json lists the others",
        "open: settings closer than two Monte Carlo standard errors, either way",
    ];
    let notes = notes.map(Note::new).into();
    output::print(&Results { about: complete.about(), tables, notes, warnings: Vec::new() }, asked.form, None)
}

/// A part of a study, or the whole.
struct Part<'a> {
    name: &'a str,
    settings: usize,
    arms: Vec<ArmRow<'a>>,
    claims: Vec<ClaimRow<'a>>,
}

/// A method over the settings of a part.
struct ArmRow<'a> {
    part: &'a str,
    summary: &'a ArmSummary,
    /// Of the replications, how many are without an estimate.
    none: f64,
}

/// What the paper says of a part, and what was found.
struct ClaimRow<'a> {
    part: &'a str,
    claim: &'a str,
    paper: &'a str,
    mae: usize,
    rmse: usize,
    mae_open: usize,
    rmse_open: usize,
    open_at_most: bool,
    exceptions: Value,
}

impl<'a> Part<'a> {
    fn new<S: Serialize>(summary: &'a Summary<S>, replications: u32) -> Self {
        let part = summary.part.as_str();
        let all = f64::from(replications) * summary.settings as f64;
        let arm = |arm: &'a ArmSummary| ArmRow { part, summary: arm, none: arm.refused as f64 / all };
        let claims = summary.claims.iter().map(|claim| ClaimRow {
            part,
            claim: claim.claim,
            paper: claim.paper,
            mae: claim.mae,
            rmse: claim.rmse,
            mae_open: claim.mae_open,
            rmse_open: claim.rmse_open,
            open_at_most: claim.open_at_most,
            exceptions: json!(claim.exceptions),
        });
        let arms = summary.arms.iter().map(arm).collect();
        Self { name: part, settings: summary.settings, arms, claims: claims.collect() }
    }

    fn tables(&self, title: &str, replications: u32) -> [Table<'_>; 2] {
        let part = if self.name.is_empty() { String::new() } else { format!(", {}", self.name) };
        let settings = format!("{} settings, {replications} replications of each", self.settings);
        let title = vec![format!("{title}{part}"), settings, String::new()];
        [Table::new(&self.arms).titled(title), Table::new(&self.claims)]
    }
}

impl Row for ArmRow<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("part", Unit::Text, "which part of the study; empty if it is the whole", |row: &Self| {
                row.part.into()
            }),
            Column::new("method", Unit::Text, "the method", |row: &Self| row.summary.arm.into()).shown(Look::AsIs),
            Column::new("mae", Unit::Share, "mean absolute error, mean over the settings", |row: &Self| {
                row.summary.mae.into()
            })
            .heading("MAE", Look::Decimals(4)),
            Column::new("rmse", Unit::Share, "root mean squared error, mean over the settings", |row: &Self| {
                row.summary.rmse.into()
            })
            .heading("RMSE", Look::Decimals(4)),
            Column::new("absolute_bias", Unit::Share, "absolute mean error, mean over the settings", |row: &Self| {
                row.summary.absolute_bias.into()
            })
            .heading("|bias|", Look::Decimals(4)),
            Column::new("sd", Unit::Share, "standard deviation, mean over the settings", |row: &Self| {
                row.summary.sd.into()
            })
            .optional()
            .shown(Look::Decimals(4)),
            Column::new("none", Unit::Share, "replications without an estimate", |row: &Self| row.none.into())
                .shown(Look::Rare),
        ]
    }
}

impl Row for ClaimRow<'_> {
    const NAME: &'static str = "claims";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("part", Unit::Text, "which part of the study; empty if it is the whole", |row: &Self| {
                row.part.into()
            }),
            Column::new("claim", Unit::Text, "what the paper says", |row: &Self| row.claim.into())
                .heading("settings with", Look::AsIs),
            Column::new("paper", Unit::Text, "in how many settings, in its words", |row: &Self| {
                (!row.paper.is_empty()).then_some(row.paper).into()
            })
            .shown(Look::AmongNumbers)
            .optional_as("–"),
            Column::new("mae", Unit::Count, "in how many it holds by the MAE", |row: &Self| row.mae.into())
                .heading("MAE", Look::AsIs),
            Column::new("mae_open", Unit::Count, "in how many the difference is too small to tell", |row: &Self| {
                row.mae_open.into()
            }),
            Column::new("mae_open_in_words", Unit::Text, "the same in words", |row: &Self| {
                row.open(row.mae_open).into()
            })
            .heading("open", Look::AsIs),
            Column::new("rmse", Unit::Count, "in how many it holds by the RMSE", |row: &Self| row.rmse.into())
                .heading("RMSE", Look::AsIs),
            Column::new("rmse_open", Unit::Count, "in how many the difference is too small to tell", |row: &Self| {
                row.rmse_open.into()
            }),
            Column::new("rmse_open_in_words", Unit::Text, "the same in words", |row: &Self| {
                row.open(row.rmse_open).into()
            })
            .heading("open", Look::AsIs),
            Column::new("open_at_most", Unit::Flag, "whether fewer may be open", |row: &Self| row.open_at_most.into()),
            Column::new("exceptions", Unit::Nested, "where it does not hold", |row: &Self| {
                row.exceptions.clone().into()
            }),
        ]
    }
}

impl ClaimRow<'_> {
    fn open(&self, count: usize) -> String {
        if self.open_at_most { format!("≤ {count}") } else { count.to_string() }
    }
}
