//! Audits of groups: what labels inside each say, how many it takes, and which rows.

use super::audit::{model_of, of_audited};
use super::estimates::tallied;
use super::refused::Failure;
use super::sets::{Set, Sets};
use crate::executor::Executor;
use crate::results::{AuditPlanRow, ChosenRow, Draw, EvidenceRow, Table, evidence};
use std::slice;
use truecount::{Audited, AuditedRows, Model, Reporting};

/// What was found in groups.
pub struct Audits {
    /// Of each group, in their order.
    pub answers: Vec<Audited>,
    /// What each source says of them.
    pub rows: Vec<EvidenceRow>,
}

impl Audits {
    /// What people read.
    pub fn table(&self) -> Table<'_> {
        evidence(&self.rows, None).swap_remove(0).hidden("n")
    }
}

/// What audited rows, whose groups are the numbers of sets, say of these sets, in this order; or, where the audited ones come `beside`, of
/// both together.
///
/// # Errors
/// Those of [`Model::audit`] and [`Model::push`], of the columns or the set.
pub fn audits(
    executor: &impl Executor,
    model: Option<&Model>,
    sets: &Sets,
    rows: &AuditedRows,
    beside: bool,
    reporting: &Reporting,
    order: &[usize],
) -> Result<Audits, Failure> {
    let of = model_of(model, rows)?;
    let mut tallied = tallied(executor, &of, sets)?;
    if beside {
        for (score, group) in rows.scores.iter().zip(rows.groups.into_iter().flatten()) {
            of.push(&mut tallied[*group as usize], slice::from_ref(score)).map_err(of_audited)?;
        }
    }
    let reporting = reporting.among(sets.sets.len());
    let audit = of.audit(rows).map_err(of_audited)?;
    let one = |group: &usize| {
        let number = u32::try_from(*group).expect("fewer groups than rows");
        let found = audit.of(number, &tallied[*group], model.is_some(), &reporting);
        found.map_err(|error| Failure::of_set((*group, error)))
    };
    let answers = order.iter().map(one).collect::<Result<Vec<Audited>, Failure>>()?;
    let rows = order.iter().zip(&answers).flat_map(|(group, audited)| EvidenceRow::each(*group, audited)).collect();
    Ok(Audits { answers, rows })
}

/// How many rows of each of these sets to audit for an interval of a half-width.
///
/// # Errors
/// Those of [`AuditPlanRow::each`], of the set.
pub fn plan_audit(
    executor: &impl Executor,
    model: &Model,
    sets: &Sets,
    half_width: f64,
    reporting: &Reporting,
    order: &[usize],
) -> Result<Vec<AuditPlanRow>, Failure> {
    let tallied = tallied(executor, model, sets)?;
    let one = |group: &usize| {
        let rows = AuditPlanRow::each(model, *group, &tallied[*group], half_width, reporting);
        rows.map_err(|error| Failure::of_set((*group, error)))
    };
    Ok(order.iter().map(one).collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten().collect())
}

/// Rows drawn from each of these sets to be audited; they are numbered from 0 over all sets.
///
/// # Errors
/// Those of [`Draw::of`], of the set.
pub fn draw_audit(model: &Model, sets: &Sets, draw: Draw, order: &[usize]) -> Result<Vec<ChosenRow>, Failure> {
    let start = |next: &mut u64, set: &Set| {
        let start = *next;
        *next += set.scores.len() as u64;
        Some(start)
    };
    let starts: Vec<u64> = sets.sets.iter().scan(0, start).collect();
    let mut rows: Vec<ChosenRow> = Vec::new();
    for group in order {
        let drawn = draw.of(model, *group, sets.sets[*group].scores, |place| starts[*group] + place as u64);
        rows.extend(drawn.map_err(|error| sets.refused((*group, error)))?);
    }
    Ok(rows)
}
