//! Audits of groups: what labels inside each say, how many it takes, and which rows.

use crate::described::described;
use crate::error::{Caveats, raised};
use crate::estimates::EstimateDict;
use crate::executor::{PyThreads, detached};
use crate::model::Model;
use crate::named::AskedReporting;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use truecount::AuditedRows;
use truecount_analysis::audit;
use truecount_analysis::results::{AuditDraw, AuditPlanRow, ResultTable, explain_recommendation};
use truecount_analysis::table_values::group_values;

/// Audited rows: scores, which are positive, weights, and the number of the group of each.
type AuditArrays<'py> = (
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
    columns: EstimateDict<'py>,
    audited: AuditArrays<'py>,
    audit_outside_test: bool,
    asked: AskedReporting,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let weights = audited.2.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let numbers = audited.3.as_slice()?;
    let rows =
        AuditedRows { scores: audited.0.as_slice()?, positive: audited.1.as_slice()?, weights, groups: Some(numbers) };
    let (model, sets, reporting) = (model.map(Model::inner), columns.sets()?, asked.get()?);
    let audits = detached(py, sets.number_of_scores(), |threads| {
        audit::audit_groups(threads, model, &sets, &rows, audit_outside_test, &reporting, &order)
    })?;
    let table = audits.table();
    let found = described(py, &table, &table)?;
    found.set_item("groups", group_values(&audits.rows))?;
    found.set_item("why", audits.answers.iter().map(explain_recommendation).collect::<Vec<_>>())?;
    let mut caveats = Caveats::new(py);
    let warnings = audits.answers.iter().map(|answer| {
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
    columns: EstimateDict<'py>,
    half_width: f64,
    asked: AskedReporting,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (model, reporting, sets) = (model.inner(), asked.get()?, columns.sets()?);
    let work = |threads: &PyThreads| audit::plan_audit_of_sets(threads, model, &sets, half_width, &reporting, &order);
    let rows = detached(py, sets.number_of_scores(), work)?;
    let found = described(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
    found.set_item("groups", group_values(&rows))?;
    found.set_item("ways", AuditPlanRow::ways().collect::<Vec<_>>())?;
    Ok(found)
}

/// Rows drawn from each group to be audited, as described rows with their `groups`; they are numbered from 0 as the columns hold them.
#[pyfunction]
pub fn draw_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: EstimateDict<'py>,
    asked: (u64, bool, u64),
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (number, uniform, seed) = asked;
    let draw = AuditDraw { number, uniform, seed };
    let rows = audit::draw_audit(model.inner(), &columns.sets()?, draw, &order).map_err(raised)?;
    let found = described(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
    found.set_item("groups", group_values(&rows))?;
    Ok(found)
}
