//! Monitoring of a prevalence over time.

use crate::differences::PyNames;
use crate::error::{raised, value_error};
use crate::model::Model;
use crate::request::{PyRequest, PySource};
use crate::tables::grouped_result;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::monitor::alarm_threshold;
use truecount_analysis::groups::TextNames;
use truecount_analysis::monitor::{MonitorRequest, monitor_tallied};
use truecount_analysis::results::ResultTable;

/// Monitors groups, whose names are dates in one column.
///
/// Returns a result table of the periods with these entries in addition: the `groups` of its rows;
/// the `alarm` in words, its row (`alarm_at`), and the e-value at which an alarm is raised
/// (`alarm_threshold`); the first and last date of the `baseline`; the variance that the level
/// gains in a `unit` of time (`drift`); whether the line `smooths`; `notes`; and sentences about
/// omitted periods (`left_out`).
#[pyfunction]
pub fn monitor<'py>(
    py: Python<'py>,
    model: &Model,
    source: PySource<'py>,
    dates: PyNames,
    request: PyRequest<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let (bound, baseline) = request.options.read::<MonitorRequest>()?.parse().map_err(raised)?;
    let dates = TextNames::from_columns(dates);
    let [_] = model.inner().quantifiers() else { return Err(value_error("one method is wanted")) };
    let (series, options) = request.with_tallies(py, model.fitted(), &source, |threads, request, parts, model| {
        let series = monitor_tallied(threads, request, parts, &dates, model, bound, baseline.as_ref())?;
        Ok((series, request.interval_options()?))
    })?;
    let result = grouped_result(py, &series.rows, (&ResultTable::new(&series.rows), &series.table()))?;
    result.set_item("alarm", series.alarm())?;
    result.set_item("conclusion", series.conclusion(&options))?;
    result.set_item("alarm_at", series.alarm_row)?;
    result.set_item("alarm_threshold", alarm_threshold(&options))?;
    result.set_item("drift", series.drift)?;
    result.set_item("smooths", series.smooths())?;
    result.set_item("unit", series.form.unit_name())?;
    result.set_item("notes", series.explain_columns(&options).collect::<Vec<_>>())?;
    result.set_item("left_out", series.describe_omissions().collect::<Vec<_>>())?;
    result.set_item("baseline", series.baseline)?;
    Ok(result)
}
