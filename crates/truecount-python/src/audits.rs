//! Audits of groups: what labels inside each say, how many it takes, and which rows.

use crate::described::{described, groups};
use crate::error::{Caveats, raised_of_columns, raised_of_set};
use crate::estimates::{Columns, Set, first_error, scores, tallies};
use crate::model::Model;
use crate::named::AskedReporting;
use crate::parallel::{detached, each};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use truecount::{Audited, AuditedRows, Tallies};
use truecount_io::results::{AuditPlanRow, ChosenRow, Draw, EvidenceRow, Table, evidence, why};

/// Audited rows: scores, which are positive, weights, and the number of the group of each.
type Rows<'py> = (
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, bool>,
    Option<PyReadonlyArray1<'py, f64>>,
    PyReadonlyArray1<'py, u32>,
);

/// What audited rows say of groups of scores, in this order, as described rows with their `groups`; and of each group `why` its answer is
/// what it is, and the `warnings` of the estimate from elsewhere.
#[pyfunction]
pub fn audits<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    columns: Columns<'py>,
    audited: Rows<'py>,
    beside: bool,
    asked: AskedReporting,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let weights = audited.2.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let numbers = audited.3.as_slice()?;
    let rows =
        AuditedRows { scores: audited.0.as_slice()?, positive: audited.1.as_slice()?, weights, groups: Some(numbers) };
    let of_audited = |error| raised_of_columns("audited_scores", "audited_weights", error);
    let own = if model.is_some() { None } else { Some(rows.model().map_err(of_audited)?) };
    let of = model.map(Model::inner).or(own.as_ref()).expect("one of them");
    let sets = columns.sets()?;
    let mut tallied = tallied(py, of, &columns, &sets)?;
    if beside {
        for (score, group) in rows.scores.iter().zip(numbers) {
            of.push(&mut tallied[*group as usize], std::slice::from_ref(score)).map_err(of_audited)?;
        }
    }
    let reporting = asked.get()?.among(sets.len());
    let audit = of.audit(&rows).map_err(of_audited)?;
    let one = |group: &usize| {
        let number = u32::try_from(*group).expect("fewer groups than rows");
        audit.of(number, &tallied[*group], model.is_some(), &reporting).map_err(|error| raised_of_set(*group, error))
    };
    let answers = order.iter().map(one).collect::<PyResult<Vec<Audited>>>()?;
    let rows: Vec<EvidenceRow> =
        order.iter().zip(&answers).flat_map(|(group, audited)| EvidenceRow::each(*group, audited)).collect();
    let table = evidence(&rows, None).swap_remove(0).hidden("n");
    let found = described(py, &table, &table)?;
    found.set_item("groups", groups(&rows))?;
    found.set_item("why", answers.iter().map(why).collect::<Vec<_>>())?;
    let mut caveats = Caveats::new(py);
    let warnings = answers.iter().map(|answer| {
        let warnings = answer.elsewhere.iter().flat_map(|estimate| &estimate.warnings);
        PyTuple::new(py, warnings.map(|warning| caveats.of(warning)).collect::<PyResult<Vec<_>>>()?)
    });
    found.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    Ok(found)
}

/// How many rows of each group to audit for an interval of a half-width, as described rows with their `groups` and the `ways`, names and
/// meanings.
#[pyfunction]
pub fn plan_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: Columns<'py>,
    half_width: f64,
    asked: AskedReporting,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (reporting, sets) = (asked.get()?, columns.sets()?);
    let tallied = tallied(py, model.inner(), &columns, &sets)?;
    let one = |group: usize| AuditPlanRow::each(model.inner(), group, &tallied[group], half_width, &reporting);
    let rows = order.iter().map(|group| one(*group).map_err(|error| raised_of_set(*group, error)));
    let rows: Vec<AuditPlanRow> = rows.collect::<PyResult<Vec<_>>>()?.into_iter().flatten().collect();
    let found = described(py, &Table::new(&rows), &Table::new(&rows))?;
    found.set_item("groups", groups(&rows))?;
    found.set_item("ways", AuditPlanRow::ways().collect::<Vec<_>>())?;
    Ok(found)
}

/// Rows drawn from each group to be audited, as described rows with their `groups`; they are numbered from 0 as the columns hold them.
#[pyfunction]
pub fn draw_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: Columns<'py>,
    asked: (u64, bool, u64),
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (number, evenly, seed) = asked;
    let draw = Draw { number, evenly, seed };
    let sets = columns.sets()?;
    let start = |next: &mut u64, set: &Set| {
        let start = *next;
        *next += set.scores().len() as u64;
        Some(start)
    };
    let starts: Vec<u64> = sets.iter().scan(0, start).collect();
    let mut rows: Vec<ChosenRow> = Vec::new();
    for group in order {
        let drawn = draw.of(model.inner(), group, sets[group].scores(), |place| starts[group] + place as u64);
        rows.extend(drawn.map_err(|error| columns.raised((group, error)))?);
    }
    let found = described(py, &Table::new(&rows), &Table::new(&rows))?;
    found.set_item("groups", groups(&rows))?;
    Ok(found)
}

/// The tally of each set.
fn tallied(py: Python<'_>, model: &truecount::Model, columns: &Columns, sets: &[Set]) -> PyResult<Vec<Tallies>> {
    let found = detached(py, scores(sets), || first_error(each(sets, |set| tallies(model, set))))?;
    found.map_err(|at| columns.raised(at))
}
