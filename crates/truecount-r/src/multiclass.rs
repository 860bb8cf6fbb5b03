//! Shares of several classes.

use crate::compare::{GroupReference, group_differences_value};
use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::groups::{cell_design, estimate_request, group_sizes, replicates};
use crate::request::RequestList;
use crate::result_list::{from_tables, notes, warnings};
use crate::test_columns::set_groups;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use std::collections::BTreeMap;
use truecount::Error;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassModel};
use truecount_analysis::design_tallies::CellDesign;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::ClassShareOutput;
use truecount_analysis::request::{ClassColumn, class_labels};
use truecount_analysis::rows::GroupCells;
use truecount_analysis::totals::GroupEstimates;

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

pub fn fit(labelled: &RequestList) -> CallResult<MulticlassModel> {
    let columns = labelled.texts("columns")?.into_iter().map(|name| ClassColumn { label: None, name });
    let columns: Vec<ClassColumn> = columns.collect();
    let labels = labelled.texts("labels")?;
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for label in &labels {
        *known.entry(label.clone()).or_default() += 1;
    }
    let names = if labelled.flag("predicted")? {
        columns.iter().map(|column| column.name.clone()).collect()
    } else {
        class_labels(&columns, &known)?
    };
    let class = |label: &String| names.iter().position(|name| name == label).expect("a label with a column");
    let numbers: Vec<usize> = labels.iter().map(class).collect();
    let rows: Vec<usize> = (0..labels.len()).collect();
    let scores = class_scores(labelled, columns.len(), &rows)?;
    let are_decision_values = ClassProbabilities::are_decision_values(&scores, columns.len());
    let probabilities = ClassProbabilities::from_scores(&scores, columns.len(), are_decision_values)?;
    let method = labelled.text("method")?.unwrap_or_default().parse()?;
    let rows = probabilities.with_weights(labelled.vector("weights")?)?;
    let [clusters, strata] = [labelled.indices("clusters")?, labelled.indices("strata")?];
    let units = [clusters.as_deref(), strata.as_deref()];
    Ok(MulticlassModel::fit(&LabelledProbabilities::with_units(&names, rows, &numbers, units)?, method)?)
}

/// Returns the scores of these rows, row by row. A matrix of R has its columns one after the other.
fn class_scores(list: &RequestList, classes: usize, rows: &[usize]) -> CallResult<Vec<f64>> {
    let values = list.vector("scores")?.unwrap_or_default();
    let n = values.len() / classes;
    let by_row = rows.iter().flat_map(|row| (0..classes).map(move |class| class * n + row));
    Ok(by_row.map(|index| values[index]).collect())
}

/// Returns the rows by group and part.
fn cells(
    model: &MulticlassModel,
    columns: &RequestList,
    list: &RequestList,
) -> CallResult<GroupCells<ClassProbabilities, TextNames>> {
    let parts = columns.indices("groups")?.unwrap_or_default();
    let mut rows = vec![Vec::new(); columns.count("number_of_groups")?];
    parts.iter().enumerate().for_each(|(row, part)| rows[*part as usize].push(row));
    let (weights, replicates) = (columns.vector("weights")?, replicates(list)?);
    let contents = rows.iter().map(|rows| {
        let weights = weights.as_ref().map(|weights| rows.iter().map(|row| weights[*row]).collect());
        let in_row = |error: Error| error.renumber_row(|row| rows[row]);
        let verdicts = model.verdicts().len();
        let scores = class_scores(columns, verdicts, rows)?;
        let table = ClassProbabilities::from_scores(&scores, verdicts, model.takes_decision_values())
            .and_then(|table| table.with_weights(weights));
        let mut columns = replicates.iter().flat_map(|(weights, _)| weights.chunks(parts.len()));
        let add = |table: ClassProbabilities, column: &[f64]| {
            table.with_replicate(rows.iter().map(|row| column[*row]).collect())
        };
        Ok(table.and_then(|table| columns.try_fold(table, add)).map_err(in_row)?)
    });
    let contents = contents.collect::<CallResult<Vec<_>>>()?;
    let (groups, number) = set_groups(list)?.unwrap_or_else(|| ((0..).take(rows.len()).collect(), rows.len()));
    let keys = TextNames::new(Vec::new(), vec![Vec::new(); number]);
    let cells = GroupCells::from_groups(NamedGroups { keys, contents, shift_total: None });
    let design = match replicates {
        Some((_, formula)) => CellDesign::Replicates(Vec::new(), formula),
        None => cell_design(list)?,
    };
    Ok(GroupCells { groups, design, sizes: group_sizes(list)?, ..cells })
}

fn estimate(model: &MulticlassModel, columns: &RequestList, list: &RequestList, threads: i32) -> CallResult {
    let (cells, request) = (cells(model, columns, list)?, estimate_request(columns.get("weights").is_some(), list)?);
    let threads = RThreads::new(threads, cells.contents.iter().map(ClassProbabilities::len).sum());
    let (keys, mut estimates) = request.run_classes(&threads, model, cells)?;
    let total = estimates.take_total();
    let output = ClassShareOutput::new(model, (keys, GroupEstimates { total, ..estimates }));
    let results = output.results();
    let mut list = from_tables(&results.tables[0], &results.tables[0]);
    list.retain(|(name, _)| name != "warnings");
    let of_rows = output.rows().iter().enumerate();
    let of_rows = of_rows.flat_map(|(row, shares)| shares.warnings().map(move |warning| (row, warning)));
    let of_rows = of_rows.map(|(row, warning)| (row, warning.severity(), warning.to_string(), warning));
    list.push(("warnings".to_owned(), warnings(&of_rows.collect::<Vec<_>>())));
    let groups = output.rows().iter().filter(|row| !row.is_total).map(|row| row.group);
    list.push(("groups".to_owned(), Value::indices(groups)));
    list.push(("notes".to_owned(), notes(&results.notes)));
    Ok(Value::List(list))
}

/// Compares the shares of the classes in groups with those of other groups of their level, or with the total or the
/// rest of the level.
#[savvy]
pub fn compare_classes(labelled: ListSexp, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let (model, list) = (fit(&labelled.into())?, RequestList::from(request));
        let columns = RequestList::from(columns);
        let (cells, request) =
            (cells(&model, &columns, &list)?, estimate_request(columns.get("weights").is_some(), &list)?);
        let GroupReference { names, levels, reference } = GroupReference::parse(&list)?;
        let reference = levels.resolve_reference(&reference, &names)?;
        let threads = RThreads::new(threads, cells.contents.iter().map(ClassProbabilities::len).sum());
        let differences = request.compare_classes(&threads, &model, &cells, (&levels, &reference))?.named(&names);
        Ok(group_differences_value(differences, &names, &reference))
    })
}
