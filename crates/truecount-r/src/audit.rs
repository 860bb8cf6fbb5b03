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
use truecount_analysis::audit::{audit_groups, draw_audit, plan_audit_of_sets};
use truecount_analysis::results::{
    AuditDraw, AuditGoal, AuditPlanRow, audit_plan_notes, evidence_notes, explain_recommendation,
};
use truecount_analysis::sets::TestSets;

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

fn audit(
    model: Option<&Model>,
    columns: &NewDataColumns,
    audited: &RequestList,
    request: &RequestList,
    threads: i32,
) -> CallResult {
    let (Some(scores), Some(positive)) = (audited.numbers("scores")?, audited.flags("positive")?) else {
        return Err(savvy::Error::new("audited rows are wanted").into());
    };
    let (positive, groups): (Vec<bool>, _) = (positive.iter().collect(), audited.indices("groups")?);
    let weights = audited.numbers("weights")?;
    let rows = AuditedRows {
        scores: scores.as_slice(),
        positive: &positive,
        weights: weights.as_ref().map(RealSexp::as_slice),
        groups: groups.as_deref(),
        ..AuditedRows::default()
    };
    let (sets, options) = (columns.sets()?, interval_options(request)?);
    let threads = RThreads::new(threads, sets.number_of_scores());
    let model = model.map(|model| model.fitted.model());
    let outside_test = request.flag("audit_outside_test")?;
    let mut audit = audit_groups(&threads, model, &sets, &rows, outside_test, &options, &group_order(&sets))?;
    let margin = request.number("margin")?;
    if let Some(margin) = margin {
        audit = audit.with_margin(margin)?;
    }
    let mut list = result_list::from_grouped(&audit.rows, &audit.table(), &audit.table());
    list.push(("notes".to_owned(), result_list::notes(&evidence_notes(&audit.summaries, margin, weights.is_some()))));
    list.push(("why".to_owned(), Value::texts(audit.summaries.iter().map(explain_recommendation))));
    // All warnings are about the estimates from external labels.
    let mut warnings: Vec<(usize, &Warning)> = Vec::new();
    for (index, row) in audit.rows.iter().enumerate() {
        if row.evidence.source == AuditSource::External
            && let Some(external) = &audit.summaries[row.group].external
        {
            warnings.extend(external.warnings.iter().map(|warning| (index, warning)));
        }
    }
    Ok(Value::List(result_list::with_warnings(list, &warnings)))
}

fn plan(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let half_width = request.number("half_width")?.unwrap_or(f64::NAN);
    let (sets, options) = (columns.sets()?, interval_options(request)?);
    let threads = RThreads::new(threads, sets.number_of_scores());
    let goal = AuditGoal { half_width, prevalence: request.number("prevalence")? };
    let rows: Vec<AuditPlanRow> =
        plan_audit_of_sets(&threads, model.fitted.model(), &sets, &goal, &options, &group_order(&sets))?;
    let mut list = result_list::from_rows(&rows);
    list.push(("notes".to_owned(), result_list::notes(&audit_plan_notes(&goal, &options))));
    Ok(Value::List(list))
}

fn draw(model: &Model, columns: &NewDataColumns, request: &RequestList) -> CallResult {
    let sets = columns.sets()?;
    let options = AuditDraw {
        number: request.count("number")? as u64,
        uniform: request.flag("uniform")?,
        seed: request.count("seed")? as u64,
    };
    Ok(Value::List(result_list::from_rows(&draw_audit(model.fitted.model(), &sets, options, &group_order(&sets))?)))
}

/// Returns the indices of all groups.
fn group_order(sets: &TestSets) -> Vec<usize> {
    (0..sets.sets.len()).collect()
}
