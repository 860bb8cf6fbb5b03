//! Labels inside the target: what they say, how many it takes, and which rows.

use crate::asked::RequestList;
use crate::executor::RThreads;
use crate::failure::{RError, answer};
use crate::listed;
use crate::model::Model;
use crate::tested::{TestColumns, reporting};
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, savvy};
use truecount::{AuditedRows, Source, Warning};
use truecount_analysis::audit::{audit_groups, draw_audit, plan_audit_of_sets};
use truecount_analysis::results::{
    AuditDraw, AuditPlanRow, EvidenceRow, audit_plan_notes, evidence_notes, explain_recommendation,
};
use truecount_analysis::sets::TestSets;

/// What audited rows say of each group, without labels from elsewhere or beside those of a model.
#[savvy]
pub fn audit_scores(
    columns: ListSexp,
    audited: ListSexp,
    asked: ListSexp,
    threads: i32,
    model: Option<&Model>,
) -> Result<Sexp> {
    answer(|| found(model, &TestColumns::new(&columns.into())?, &audited.into(), &asked.into(), threads))
}

/// How many rows of each group to audit.
#[savvy]
pub fn plan_audits(model: &Model, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| planned(model, &TestColumns::new(&columns.into())?, &asked.into(), threads))
}

/// Rows to audit, numbered as the groups follow one another.
#[savvy]
pub fn draw_audits(model: &Model, columns: ListSexp, asked: ListSexp) -> Result<Sexp> {
    answer(|| drawn(model, &TestColumns::new(&columns.into())?, &asked.into()))
}

fn found(
    model: Option<&Model>,
    tested: &TestColumns,
    audited: &RequestList,
    asked: &RequestList,
    threads: i32,
) -> std::result::Result<Value, RError> {
    let (Some(scores), Some(positive)) = (audited.numbers("scores")?, audited.flags("positive")?) else {
        return Err(savvy::Error::new("audited rows are wanted").into());
    };
    let (positive, groups): (Vec<bool>, _) = (positive.iter().collect(), audited.numbered("groups")?);
    let weights = audited.numbers("weights")?;
    let rows = AuditedRows {
        scores: scores.as_slice(),
        positive: &positive,
        weights: weights.as_ref().map(RealSexp::as_slice),
        groups: groups.as_deref(),
    };
    let (sets, reporting) = (tested.sets()?, reporting(asked)?);
    let threads = RThreads::new(threads, sets.number_of_scores());
    let model = model.map(|model| model.fitted.model());
    let found =
        audit_groups(&threads, model, &sets, &rows, asked.flag("audit_outside_test")?, &reporting, &all(&sets))?;
    let mut listed = listed::of(&found.rows, &found.table(), &found.table());
    listed.push(("notes".to_owned(), listed::notes(&evidence_notes(&found.answers, weights.is_some()))));
    listed.push(("why".to_owned(), Value::texts(found.answers.iter().map(explain_recommendation))));
    // They are of the estimates from elsewhere.
    let elsewhere = |row: &EvidenceRow| &found.answers[row.group].elsewhere;
    let warnings = found.rows.iter().enumerate().filter(|(_, row)| row.evidence.source == Source::External);
    let warnings: Vec<(usize, &Warning)> = warnings
        .flat_map(|(place, row)| elsewhere(row).iter().flat_map(|of| &of.warnings).map(move |one| (place, one)))
        .collect();
    Ok(Value::List(listed::warned(listed, &warnings)))
}

fn planned(
    model: &Model,
    tested: &TestColumns,
    asked: &RequestList,
    threads: i32,
) -> std::result::Result<Value, RError> {
    let half_width = asked.number("half_width")?.unwrap_or(f64::NAN);
    let (sets, reporting) = (tested.sets()?, reporting(asked)?);
    let threads = RThreads::new(threads, sets.number_of_scores());
    let rows: Vec<AuditPlanRow> =
        plan_audit_of_sets(&threads, model.fitted.model(), &sets, half_width, &reporting, &all(&sets))?;
    let mut listed = listed::rows(&rows);
    listed.push(("notes".to_owned(), listed::notes(&audit_plan_notes(half_width, &reporting))));
    Ok(Value::List(listed))
}

fn drawn(model: &Model, tested: &TestColumns, asked: &RequestList) -> std::result::Result<Value, RError> {
    let sets = tested.sets()?;
    let draw = AuditDraw {
        number: asked.count("number")? as u64,
        uniform: asked.flag("uniform")?,
        seed: asked.count("seed")? as u64,
    };
    Ok(Value::List(listed::rows(&draw_audit(model.fitted.model(), &sets, draw, &all(&sets))?)))
}

/// The groups, in their order.
fn all(sets: &TestSets) -> Vec<usize> {
    (0..sets.sets.len()).collect()
}
