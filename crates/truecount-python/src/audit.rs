//! Audits: estimates, sample sizes and draws.

use crate::audited_rows::{PyAuditedRows, PyTarget, agreement_tables};
use crate::error::raised;
use crate::estimates::{TestColumns, columns};
use crate::executor::{PyThreads, detached};
use crate::model::Model;
use crate::options::Options;
use crate::tables::{grouped_result, result_dict};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::Estimates;
use truecount_analysis::audit as analysis;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::{AccuracyOutput, ConfusionCounts};
use truecount_analysis::request::AuditRequest;
use truecount_analysis::results::{AuditPlanRow, Note, ResultTable, explain_recommendation};

/// Audits groups of scores in this order: a result table with its `groups`, the reason for each
/// recommendation (`why`), the columns of the `external` estimates, the `agreement` of the people who
/// labelled, and the table of all groups together (`total`) if it is wanted.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as in Python
pub fn audit<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    target: PyTarget<'py>,
    audited: PyAuditedRows<'py>,
    options: Options<'py>,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = AuditRequest { intervals: options.intervals()?, ..options.read()? };
    let (model, target, rows) = (model.map(Model::inner), target.parse()?, audited.parse()?);
    let sets = &target.0;
    let (audits, whole) = detached(py, sets.number_of_scores(), |threads| {
        request.run(threads, model, (sets, &target.1), &rows.rows(), &order)
    })?;
    let table = audits.table();
    let result = grouped_result(py, &audits.rows, (&table, &table))?;
    result.set_item("why", audits.summaries.iter().map(explain_recommendation).collect::<Vec<_>>())?;
    result.set_item("agreement", agreement_tables(py, &audits.agreement)?)?;
    let whole = whole.as_ref().map(|whole| result_dict(py, &whole.table(), &whole.table())).transpose()?;
    result.set_item("total", whole)?;
    let external: Estimates = audits.summaries.iter().filter_map(|summary| summary.external.clone()).collect();
    result.set_item("external", columns(py, &[external], None)?)?;
    Ok(result)
}

/// Estimates the shares of the named classes and the accuracy of their predictions from audited rows, with the
/// stratum, the label and the prediction of each. Returns a result table with `notes`.
#[pyfunction]
pub fn audit_classes<'py>(
    py: Python<'py>,
    classes: Vec<String>,
    columns: [PyReadonlyArray1<'py, u32>; 3],
    n: Vec<u64>,
    sizes: Vec<(String, f64)>,
    options: Options<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let [strata, labels, predictions] = &columns;
    let counts =
        ConfusionCounts::from_columns([strata.as_slice()?, labels.as_slice()?, predictions.as_slice()?], &n, sizes);
    let groups = NamedGroups { keys: TextNames::none(), contents: vec![counts], shift_total: None };
    let output = AccuracyOutput::estimate(groups, &classes, options.intervals()?).map_err(raised)?;
    let (table, results) = (|| ResultTable::new(output.rows()), output.results());
    let result = result_dict(py, &table(), &table().hidden("audited").hidden("size_lower"))?;
    result.set_item("notes", results.notes.iter().map(Note::sentence).collect::<Vec<_>>())?;
    result.set_item("warnings", results.warnings)?;
    Ok(result)
}

/// Plans how many rows of each group to audit for an interval of this half-width, at a prevalence if it
/// is given: a result table with its `groups`, and the `ways` with their meanings.
#[pyfunction]
pub fn plan_audit<'py>(
    py: Python<'py>,
    model: &Model,
    columns: TestColumns<'py>,
    options: Options<'py>,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (model, sets, goal, intervals) = (model.inner(), columns.sets()?, options.read()?, options.intervals()?);
    let work = |threads: &PyThreads| analysis::plan_audit_of_sets(threads, model, &sets, &goal, &intervals, &order);
    let rows = detached(py, sets.number_of_scores(), work)?;
    let table = ResultTable::new(&rows);
    let result = grouped_result(py, &rows, (&table, &table))?;
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
    options: Options<'py>,
    order: Vec<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let rows = analysis::draw_audit(model.inner(), &columns.sets()?, options.read()?, &order).map_err(raised)?;
    let table = ResultTable::new(&rows);
    grouped_result(py, &rows, (&table, &table))
}
