//! Monitoring of a prevalence over time.

use crate::error::{raised, value_error};
use crate::executor::detached;
use crate::model::Model;
use crate::options::PyIntervalOptions;
use crate::tables::result_dict;
use crate::tally::Tally;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::monitor::{Bound, alarm_threshold};
use truecount_analysis::monitor::{Baseline, monitor_tallies};
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::group_values;

/// Monitors the groups of a tally, which are periods.
///
/// Returns a result table of the periods with these entries in addition: the `groups` of its rows;
/// the `alarm` in words, its row (`alarm_at`), and the e-value at which an alarm is raised
/// (`alarm_threshold`); the first and last date of the `baseline`; the variance that the level
/// gains in a `unit` of time (`drift`); `notes`; and sentences about omitted periods (`left_out`).
#[pyfunction]
pub fn monitor<'py>(
    py: Python<'py>,
    model: &Model,
    tally: &Tally,
    by: (String, Vec<String>),
    bounds: (Option<f64>, Option<f64>, Option<String>),
    options: PyIntervalOptions,
) -> PyResult<pyo3::Bound<'py, PyDict>> {
    let (above, below, baseline) = bounds;
    let bound = above.map(Bound::Above).or(below.map(Bound::Below));
    let baseline = baseline.as_deref().map(Baseline::from_option).transpose().map_err(raised)?;
    let (column, dates) = by;
    let (fitted, options, tallies) = (model.fitted(), options.parse()?, &tally.merged);
    let [_] = model.inner().quantifiers() else { return Err(value_error("one method is wanted")) };
    let periods = (column.as_str(), dates.as_slice());
    let series = detached(py, tally.work(), |threads| {
        monitor_tallies(threads, fitted, tallies, periods, bound, baseline.as_ref(), &options)
    })?;
    let result = result_dict(py, &ResultTable::new(&series.rows), &series.table())?;
    result.set_item("groups", group_values(&series.rows))?;
    result.set_item("alarm", series.alarm())?;
    result.set_item("conclusion", series.conclusion(&options))?;
    result.set_item("alarm_at", series.alarm_row)?;
    result.set_item("alarm_threshold", alarm_threshold(&options))?;
    result.set_item("drift", series.drift)?;
    result.set_item("unit", series.form.unit_name())?;
    result.set_item("notes", series.explain_columns(&options).collect::<Vec<_>>())?;
    result.set_item("left_out", series.describe_omissions().collect::<Vec<_>>())?;
    result.set_item("baseline", series.baseline)?;
    Ok(result)
}
