//! A prevalence watched over time.

use crate::described::described;
use crate::error::{raised, value_error};
use crate::executor::detached;
use crate::model::Model;
use crate::named::AskedReporting;
use crate::tally::Tally;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::monitor::{Bound, alarm};
use truecount_analysis::monitor::{Baseline, monitor_tallies};
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::group_values;

/// The groups of a tally, which are dates: the periods as described rows, and of them `groups`, the numbers of their groups; the `alarm` in
/// words, the row where it was raised (`alarm_at`), and the e-value that it takes (`alarm_threshold`); the first and the last date of the `baseline`; the variance
/// that the level gains in a `unit` of time (`drift`); `notes`, and what is `describe_omissions`.
#[pyfunction]
pub fn monitor<'py>(
    py: Python<'py>,
    model: &Model,
    tally: &Tally,
    by: (String, Vec<String>),
    asked: (Option<f64>, Option<f64>, Option<String>),
    reporting: AskedReporting,
) -> PyResult<pyo3::Bound<'py, PyDict>> {
    let (above, below, baseline) = asked;
    let bound = above.map(Bound::Above).or(below.map(Bound::Below));
    let baseline = baseline.as_deref().map(Baseline::from_option).transpose().map_err(raised)?;
    let (column, dates) = by;
    let (fitted, reporting, tallied) = (model.fitted(), reporting.get()?, &tally.merged);
    let [_] = model.inner().quantifiers() else { return Err(value_error("one method is wanted")) };
    let named = (column.as_str(), dates.as_slice());
    let series = detached(py, 64 * tallied.contents.len(), |threads| {
        monitor_tallies(threads, fitted, tallied, named, bound, baseline.as_ref(), &reporting)
    })?;
    let found = described(py, &ResultTable::new(&series.rows), &series.table())?;
    found.set_item("groups", group_values(&series.rows))?;
    found.set_item("alarm", series.alarm())?;
    found.set_item("alarm_at", series.alarm_row)?;
    found.set_item("alarm_threshold", alarm(&reporting))?;
    found.set_item("drift", series.drift)?;
    found.set_item("unit", series.form.unit_name())?;
    found.set_item("notes", series.explain_columns(&reporting).collect::<Vec<_>>())?;
    found.set_item("left_out", series.describe_omissions().collect::<Vec<_>>())?;
    found.set_item("baseline", series.baseline)?;
    Ok(found)
}
