//! Shares of several classes.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::request::RequestList;
use crate::result_list::{from_tables, notes, warnings};
use crate::test_columns::interval_options;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use std::collections::BTreeSet;
use truecount::Error;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassModel};
use truecount_analysis::executor::Executor;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::ClassShareOutput;
use truecount_analysis::request::{ClassColumn, class_labels};

/// Fits a method to labelled probabilities. The result has the names of the classes in the order of the
/// columns.
#[savvy]
pub fn fit_classes(labelled: ListSexp) -> Result<Sexp> {
    respond(|| Ok(Value::named([("classes", Value::texts(fit(&labelled.into())?.names()))])))
}

/// Estimates the shares of the classes in each group, from probabilities with a column for each class.
#[savvy]
pub fn estimate_classes(labelled: ListSexp, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| estimate(&fit(&labelled.into())?, &columns.into(), &request.into(), threads))
}

fn fit(labelled: &RequestList) -> CallResult<MulticlassModel> {
    let columns = labelled.texts("columns")?.into_iter().map(|name| ClassColumn { label: None, name });
    let columns: Vec<ClassColumn> = columns.collect();
    let labels = labelled.texts("labels")?;
    let known: BTreeSet<String> = labels.iter().cloned().collect();
    let names = class_labels(&columns, &known.into_iter().collect::<Vec<_>>())?;
    let class = |label: &String| names.iter().position(|name| name == label).expect("a label with a column");
    let numbers: Vec<usize> = labels.iter().map(class).collect();
    let rows: Vec<usize> = (0..labels.len()).collect();
    let probabilities = probabilities(labelled, columns.len(), &rows)?;
    let method = labelled.text("method")?.unwrap_or_default().parse()?;
    Ok(MulticlassModel::fit(&LabelledProbabilities::new(&names, probabilities, &numbers)?, method)?)
}

/// Returns the probabilities of these rows. A matrix of R has its columns one after the other.
fn probabilities(list: &RequestList, classes: usize, rows: &[usize]) -> CallResult<ClassProbabilities> {
    let values = list.vector("scores")?.unwrap_or_default();
    let n = values.len() / classes;
    let by_row = rows.iter().flat_map(|row| (0..classes).map(move |class| class * n + row));
    let by_row: Vec<f64> = by_row.map(|index| values[index]).collect();
    Ok(ClassProbabilities::new(&by_row, classes).map_err(|error| error.renumber_row(|row| rows[row]))?)
}

fn estimate(model: &MulticlassModel, columns: &RequestList, request: &RequestList, threads: i32) -> CallResult {
    let groups = columns.indices("groups")?.unwrap_or_default();
    let mut rows = vec![Vec::new(); columns.count("number_of_groups")?];
    groups.iter().enumerate().for_each(|(row, group)| rows[*group as usize].push(row));
    let options = interval_options(request)?.with_multiplicity(rows.len());
    let sets = rows.iter().map(|rows| probabilities(columns, model.names().len(), rows));
    let sets = sets.collect::<CallResult<Vec<_>>>()?;
    let estimates = RThreads::new(threads, groups.len()).map(&sets, |rows| model.estimate(rows, &options));
    let contents = estimates.into_iter().collect::<std::result::Result<Vec<_>, Error>>()?;
    let keys = TextNames::new(Vec::new(), vec![Vec::new(); contents.len()]);
    let output = ClassShareOutput::new(model, NamedGroups { keys, contents, shift_total: None });
    let results = output.results();
    let mut list = from_tables(&results.tables[0], &results.tables[0]);
    list.retain(|(name, _)| name != "warnings");
    let of_rows = output.rows().iter().enumerate();
    let of_rows = of_rows.flat_map(|(row, shares)| shares.warnings().map(move |warning| (row, warning)));
    let of_rows = of_rows.map(|(row, warning)| (row, warning.severity(), warning.to_string(), warning));
    list.push(("warnings".to_owned(), warnings(&of_rows.collect::<Vec<_>>())));
    list.push(("groups".to_owned(), Value::indices(output.rows().iter().map(|row| row.group))));
    list.push(("notes".to_owned(), notes(&results.notes)));
    Ok(Value::List(list))
}
