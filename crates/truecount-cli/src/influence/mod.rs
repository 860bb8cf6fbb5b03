//! `truecount influence`: what each score adds to an estimate, or to its error.

mod args;
mod results;

pub use args::Influence;

use crate::failure::CliError;
use crate::models::{model_for, test_files};
use crate::output::{self, FileRoles};
use crate::parallel;
use results::{LabelledRow, TestRow, labelled_results, test_results};
use truecount::{Class, Estimates, IntervalOptions, Method, Model};
use truecount_analysis::results::{TableDescription, describe_table};
use truecount_tables::groups::{Groups, Keys, Placed};
use truecount_tables::input;

pub fn run(args: &Influence) -> Result<(), CliError> {
    let Influence { tested, labelled, output } = args;
    let form = output.form()?;
    let table = if *labelled { describe_table::<LabelledRow>() } else { describe_table::<TestRow>() };
    output::check_by(&tested.by, form, &table.columns)?;
    let paths = input::files(&tested.test)?;
    let inputs = tested.source.path().into_iter().chain(&paths);
    FileRoles::reading(inputs).writing("--output", output.file()).check()?;
    if tested.source.model.is_none() {
        one_of(&tested.source.train.settings()?.methods, "name one with --method")?;
    }
    let pool = parallel::pool(tested.threads)?;
    let model = model_for(tested, &paths)?;
    one_of(&model.settings().methods, "fit a model with one of them")?;
    let columns = tested.columns.get().for_model(&model);
    let source = test_files(tested, &paths, columns);
    pool.install(|| {
        if *labelled {
            let reporting = IntervalOptions::default();
            let Groups { keys, contents, .. } = source.estimated(&model.clone().without_check(), &reporting)?;
            let rows = labelled_rows(&model, &contents)?;
            return output::print(&labelled_results(&rows, &keys), form, output.file());
        }
        let (rows, keys) = test_rows(&model, source.placed(&model)?)?;
        output::print(&test_results(&rows, &keys, tested.weight.is_some()), form, output.file())
    })
}

/// The result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<TestRow>(), describe_table::<LabelledRow>()]
}

/// Refuses several methods.
fn one_of(methods: &[Method], remedy: &str) -> Result<(), CliError> {
    if methods.len() == 1 {
        return Ok(());
    }
    let names = methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Err(CliError::Usage(format!("influence values are those of one method, and these are {names}: {remedy}")))
}

/// What each test score adds, in the order of the files.
fn test_rows(model: &Model, groups: Groups<Placed>) -> Result<(Vec<TestRow>, Keys), CliError> {
    let mut all = Vec::with_capacity(groups.contents.iter().map(|of| of.rows.len()).sum());
    for (group, Placed { rows, numbers }) in groups.contents.iter().enumerate() {
        let values = model.influence(0, numbers.batch()?)?;
        for (place, influence) in values.into_iter().enumerate() {
            let weight = numbers.weights.as_ref().map(|weights| weights[place]);
            all.push(TestRow { group, row: rows[place], score: numbers.scores[place], weight, influence });
        }
    }
    all.sort_unstable_by_key(|row| row.row);
    Ok((all, groups.keys))
}

/// What each labelled score adds to the error of each group's estimate.
fn labelled_rows(model: &Model, groups: &[Estimates]) -> Result<Vec<LabelledRow>, CliError> {
    let scores = model.labelled().scores();
    let mut all = Vec::with_capacity(groups.len() * (scores.positive.len() + scores.negative.len()));
    for (group, estimates) in groups.iter().enumerate() {
        let added = model.labelled_influence(0, &estimates[0])?;
        let classes =
            [(Class::Positive, &scores.positive, added.positive), (Class::Negative, &scores.negative, added.negative)];
        for (class, scores, added) in classes {
            let rows = (1..).zip(scores).zip(added);
            all.extend(rows.map(|((row, score), influence)| LabelledRow {
                group,
                class,
                row,
                score: *score,
                influence,
            }));
        }
    }
    Ok(all)
}
