//! Audits: labels of rows of the target. The module combines them with the scores, plans their
//! number, and draws the rows to label.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::{NewDataColumns, interval_options};
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, savvy};
use truecount::Warning;
use truecount::audit::{AuditSource, AuditedRows};
use truecount_analysis::audit::{TargetUnits, draw_audit, plan_audit_of_sets};
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::{AccuracyOutput, ConfusionCounts};
use truecount_analysis::request::AuditRequest;
use truecount_analysis::results::{
    AuditGoal, AuditPlanRow, ResultTable, audit_plan_notes, evidence_notes, explain_recommendation,
};
use truecount_analysis::sets::TestSets;
use truecount_analysis::table_values::group_values;

/// Estimates each group from audited rows, with or without a model of external labels.
#[savvy]
pub fn audit_scores(
    columns: ListSexp,
    audited: ListSexp,
    request: ListSexp,
    threads: i32,
    model: Option<&Model>,
) -> Result<Sexp> {
    respond(|| audit(model, &NewDataColumns::new(&columns.into())?, &audited.into(), &request.into(), threads))
}

/// Returns the number of rows to audit in each group.
#[savvy]
pub fn plan_audits(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| plan(model, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

/// Draws rows to audit. Their indices count the rows sorted by group.
#[savvy]
pub fn draw_audits(model: &Model, columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| draw(model, &NewDataColumns::new(&columns.into())?, &request.into()))
}

/// Estimates the shares of the classes and the accuracy of their predictions from audited rows, with the stratum, the
/// label and the prediction of each, and the number of rows that it stands for.
#[savvy]
pub fn audit_classes(columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let (columns, request) = (RequestList::from(columns), RequestList::from(request));
        let index = |name: &str| Ok::<_, savvy::Error>(columns.indices(name)?.unwrap_or_default());
        let (strata, labels, predictions) = (index("strata")?, index("labels")?, index("predictions")?);
        let sizes = columns.texts("names")?.into_iter().zip(columns.vector("sizes")?.unwrap_or_default()).collect();
        let n = columns.counts("n")?.unwrap_or_default();
        let counts = ConfusionCounts::from_columns([&strata, &labels, &predictions], &n, sizes);
        let groups = NamedGroups { keys: TextNames::none(), contents: vec![counts], shift_total: None };
        let output = AccuracyOutput::estimate(groups, &columns.texts("classes")?, interval_options(&request)?)?;
        let (table, results) = (|| ResultTable::new(output.rows()), output.results());
        let mut list = result_list::from_tables(&table(), &table().hidden("audited").hidden("size_lower"));
        let notes = results.notes.iter().map(|note| note.sentence().to_owned()).chain(results.warnings);
        list.push(("notes".to_owned(), Value::texts(notes)));
        Ok(Value::List(list))
    })
}

fn audit(
    model: Option<&Model>,
    columns: &NewDataColumns,
    audited: &RequestList,
    request: &RequestList,
    threads: i32,
) -> CallResult {
    let Some(scores) = audited.numbers("scores")? else {
        return Err(savvy::Error::new("audited rows are wanted").into());
    };
    let people = people(audited, scores.as_slice().len())?;
    let mut positive = Vec::new();
    let mut several = &people[..];
    if let [only] = several {
        positive = only.iter().map(|label| *label == Some(true)).collect();
        several = &[];
    }
    let [groups, strata, clusters] = ["groups", "strata", "clusters"].map(|name| audited.indices(name));
    let (groups, strata, clusters) = (groups?, strata?, clusters?);
    let (weights, item_weights) = (audited.numbers("weights")?, audited.numbers("item_weights")?);
    let rows = AuditedRows {
        scores: scores.as_slice(),
        positive: &positive,
        people: several,
        weights: weights.as_ref().map(RealSexp::as_slice),
        item_weights: item_weights.as_ref().map(RealSexp::as_slice),
        groups: groups.as_deref(),
        strata: strata.as_deref(),
        clusters: clusters.as_deref(),
    };
    let [target_strata, target_clusters] = ["target_strata", "target_clusters"].map(|name| audited.indices(name));
    let (target_strata, target_clusters) = (target_strata?, target_clusters?);
    let units = TargetUnits { strata: target_strata.as_deref(), clusters: target_clusters.as_deref() };
    let sets = columns.sets()?;
    let threads = RThreads::new(threads, sets.number_of_scores());
    let model = model.map(|model| model.fitted.model());
    let request = AuditRequest { intervals: interval_options(request)?, ..request.read()? };
    let (audit, total) = request.run(&threads, model, (&sets, &units), &rows, &group_order(&sets))?;
    let audit = match total {
        Some(total) => audit.with_total(total),
        None => audit,
    };
    let mut list = result_list::from_tables(&audit.table(), &audit.table());
    list.push(("groups".to_owned(), Value::indices(group_values(&audit.rows).into_iter().flatten())));
    let mut notes = evidence_notes(&audit.summaries, request.margin, weights.is_some());
    notes.extend(audit.agreement.notes());
    list.push(("notes".to_owned(), result_list::notes(&notes)));
    if let [agreement, errors] = &audit.agreement.tables(None)[..] {
        let tables = [
            ("agreement", agreement, group_values(&audit.agreement.agreement)),
            ("label_errors", errors, group_values(&audit.agreement.errors)),
        ];
        for (name, table, groups) in tables {
            let mut table = result_list::from_tables(table, table);
            table.push(("groups".to_owned(), Value::indices(groups.into_iter().flatten())));
            list.push((name.to_owned(), Value::List(table)));
        }
    }
    list.push(("why".to_owned(), Value::texts(audit.summaries.iter().map(explain_recommendation))));
    // All warnings are about the estimates from external labels.
    let mut warnings: Vec<(usize, &Warning)> = Vec::new();
    for (index, row) in audit.rows.iter().enumerate() {
        if !row.is_total
            && row.evidence.source == AuditSource::External
            && let Some(external) = &audit.summaries[row.group].external
        {
            warnings.extend(external.warnings.iter().map(|warning| (index, warning)));
        }
    }
    Ok(Value::List(result_list::with_warnings(list, &warnings)))
}

/// Returns the labels of each person, with `None` for a missing label.
fn people(audited: &RequestList, rows: usize) -> Result<Vec<Vec<Option<bool>>>> {
    let Some(labels) = audited.numbers("labels")? else { return Err(savvy::Error::new("labels are wanted")) };
    let label = |label: &f64| (!label.is_nan()).then_some(*label > 0.5);
    let labels: Vec<Option<bool>> = labels.iter().map(label).collect();
    Ok(labels.chunks(rows.max(1)).map(<[_]>::to_vec).collect())
}

fn plan(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let (sets, options) = (columns.sets()?, interval_options(request)?);
    let threads = RThreads::new(threads, sets.number_of_scores());
    let goal: AuditGoal = request.read()?;
    let rows: Vec<AuditPlanRow> =
        plan_audit_of_sets(&threads, model.fitted.model(), &sets, &goal, &options, &group_order(&sets))?;
    let mut list = result_list::from_rows(&rows);
    list.push(("notes".to_owned(), result_list::notes(&audit_plan_notes(&goal, &options))));
    Ok(Value::List(list))
}

fn draw(model: &Model, columns: &NewDataColumns, request: &RequestList) -> CallResult {
    let sets = columns.sets()?;
    let rows = draw_audit(model.fitted.model(), &sets, request.read()?, &group_order(&sets))?;
    Ok(Value::List(result_list::from_rows(&rows)))
}

fn group_order(sets: &TestSets) -> Vec<usize> {
    (0..sets.sets.len()).collect()
}
