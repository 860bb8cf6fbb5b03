//! `truecount influence`: the influence of each score on an estimate or its error.

mod args;
mod results;

pub use args::InfluenceArgs;

use crate::error::CliError;
use crate::models::{model_for, test_files};
use crate::output;
use crate::parallel;
use results::{LabelledRow, TestRow, labelled_results, test_results};
use truecount::internal::check_result_size;
use truecount::scores::Class;
use truecount::{Estimates, IntervalOptions, Method, Model};
use truecount_analysis::results::{TableDescription, describe_table};
use truecount_tables::FileRoles;
use truecount_tables::groups::{Groups, Keys, NumberedRows};
use truecount_tables::input;

pub fn run(args: &InfluenceArgs) -> Result<(), CliError> {
    let InfluenceArgs { test_args, labelled, output } = args;
    let format = output.format()?;
    let table = if *labelled { describe_table::<LabelledRow>() } else { describe_table::<TestRow>() };
    output::check_by(&test_args.by, format, &table.columns)?;
    let paths = input::expand_patterns(&test_args.test)?;
    let inputs = test_args.source.paths().chain(&paths);
    FileRoles::reading(inputs).writing("--output", output.file()).check()?;
    if test_args.source.model.is_none() {
        check_single_method(&test_args.source.train.settings()?.methods, "name one with --method")?;
    }
    let pool = parallel::pool(test_args.threads)?;
    let model = model_for(test_args, &paths)?;
    check_single_method(&model.settings().methods, "fit a model with one of them")?;
    let columns = test_args.columns.get().for_model(&model);
    let source = test_files(test_args, &paths, columns);
    pool.install(|| {
        if *labelled {
            let interval_options = IntervalOptions::default();
            let Groups { keys, contents, .. } = source.estimate(&model.clone().without_check(), &interval_options)?;
            let rows = labelled_rows(&model, &contents)?;
            return output.print(labelled_results(&rows, &keys));
        }
        let (rows, keys) = test_rows(&model.clone().without_check(), source.read_numbered_rows(&model)?)?;
        output.print(test_results(&rows, &keys, test_args.weight.is_some()))
    })
}

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<TestRow>(), describe_table::<LabelledRow>()]
}

/// Returns an error unless there is exactly one method.
fn check_single_method(methods: &[Method], hint: &str) -> Result<(), CliError> {
    if methods.len() == 1 {
        return Ok(());
    }
    let names = methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Err(CliError::usage(format!("influence values need one method, but there are {names}"), hint))
}

/// Returns the influence of each test score on its group's estimate, in the order of the files.
fn test_rows(model: &Model, groups: Groups<NumberedRows>) -> Result<(Vec<TestRow>, Keys), CliError> {
    let mut all = Vec::with_capacity(groups.contents.iter().map(|placed| placed.rows.len()).sum());
    for (group, NumberedRows { rows, numbers: values, .. }) in groups.contents.iter().enumerate() {
        let estimate = &model.estimate(values.batch()?)?[0];
        let se_labels = model.labelled_variance(estimate)?.sqrt();
        for (index, influence) in model.influence_on(estimate, values.batch()?)?.into_iter().enumerate() {
            let weight = values.weights.as_ref().map(|weights| weights[index]);
            all.push(TestRow { group, row: rows[index], score: values.scores[index], weight, influence, se_labels });
        }
    }
    all.sort_unstable_by_key(|row| row.row);
    Ok((all, groups.keys))
}

/// Returns the influence of each labelled score on the error of each group's estimate.
fn labelled_rows(model: &Model, groups: &[Estimates]) -> Result<Vec<LabelledRow>, CliError> {
    let scores = model.labelled().scores();
    let number = groups.len() * (scores.positive.len() + scores.negative.len());
    check_result_size("influences of a labelled score on a group", number as u64)?;
    let mut all = Vec::with_capacity(number);
    for (group, estimates) in groups.iter().enumerate() {
        let influence = model.labelled_error_contributions(0, &estimates[0])?;
        let classes = [
            (Class::Positive, &scores.positive, influence.positive),
            (Class::Negative, &scores.negative, influence.negative),
        ];
        for (class, scores, influence) in classes {
            let rows = (1..).zip(scores).zip(influence);
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
