//! Audits of groups: estimates, sample sizes and draws.

use crate::error::{WarningCache, raised};
use crate::estimates::TestColumns;
use crate::executor::{PyThreads, detached};
use crate::model::Model;
use crate::options::PyIntervalOptions;
use crate::tables::result_dict;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use truecount::audit::AuditedRows;
use truecount_analysis::audit;
use truecount_analysis::results::{AuditDraw, AuditGoal, AuditPlanRow, ResultTable, explain_recommendation};
use truecount_analysis::table_values::group_values;

/// Audited rows: scores, flags of the positives, weights, and the number of each row's group.
pub type AuditArrays<'py> = (
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, bool>,
    Option<PyReadonlyArray1<'py, f64>>,
    PyReadonlyArray1<'py, u32>,
);

/// Audits groups of scores in this order: a result table with its `groups`, the reason for each
/// recommendation (`why`), and the `warnings` of each external estimate.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as in Python
pub fn audit_groups<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    columns: TestColumns<'py>,
    audited: AuditArrays<'py>,
    audit_outside_test: bool,
    margin: Option<f64>,
    options: PyIntervalOptions,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let weights = audited.2.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let groups = Some(audited.3.as_slice()?);
    let (scores, positive) = (audited.0.as_slice()?, audited.1.as_slice()?);
    let rows = AuditedRows { scores, positive, weights, groups, ..AuditedRows::default() };
    let (model, sets, options) = (model.map(Model::inner), columns.sets()?, options.parse()?);
    let audits = detached(py, sets.number_of_scores(), |threads| {
        let result = audit::audit_groups(threads, model, &sets, &rows, audit_outside_test, &options, &order)?;
        match margin {
            Some(margin) => result.with_margin(margin),
            None => Ok(result),
        }
    })?;
    let table = audits.table();
    let result = result_dict(py, &table, &table)?;
    result.set_item("groups", group_values(&audits.rows))?;
    result.set_item("why", audits.summaries.iter().map(explain_recommendation).collect::<Vec<_>>())?;
    let mut cache = WarningCache::new(py);
    let warnings = audits.summaries.iter().map(|summary| {
        let warnings = summary.external.iter().flat_map(|estimate| &estimate.warnings);
        PyTuple::new(py, warnings.map(|warning| cache.get(warning)).collect::<PyResult<Vec<_>>>()?)
    });
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}

/// Plans how many rows of each group to audit for an interval of this half-width, at a prevalence if it
/// is given: a result table with its `groups`, and the `ways` with their meanings.
#[pyfunction]
pub fn plan_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: TestColumns<'py>,
    goal: (f64, Option<f64>),
    options: PyIntervalOptions,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (model, options, sets) = (model.inner(), options.parse()?, columns.sets()?);
    let goal = AuditGoal { half_width: goal.0, prevalence: goal.1 };
    let work = |threads: &PyThreads| audit::plan_audit_of_sets(threads, model, &sets, &goal, &options, &order);
    let rows = detached(py, sets.number_of_scores(), work)?;
    let result = result_dict(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
    result.set_item("groups", group_values(&rows))?;
    result.set_item("ways", AuditPlanRow::designs().collect::<Vec<_>>())?;
    Ok(result)
}

/// Draws rows to audit from each group: a result table with its `groups`. Rows are numbered from 0
/// in the order of the columns.
#[pyfunction]
pub fn draw_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: TestColumns<'py>,
    draw: (u64, bool, u64),
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (number, uniform, seed) = draw;
    let draw = AuditDraw { number, uniform, seed };
    let rows = audit::draw_audit(model.inner(), &columns.sets()?, draw, &order).map_err(raised)?;
    let result = result_dict(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
    result.set_item("groups", group_values(&rows))?;
    Ok(result)
}
