//! Prevalences from counts of positive tests and published error rates.

use crate::differences::{Differences, PyLevels, PyNames, PyReference, group_differences};
use crate::error::raised;
use crate::estimates::columns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::iter;
use truecount::counts::RateInterval;
use truecount::{Estimates, IntervalOptions, Target};
use truecount_analysis::compare::count_differences;
use truecount_analysis::counts::{CountColumns, RateValues, count_rows, count_total};
use truecount_analysis::groups::TextNames;
use truecount_analysis::results::CountRow;

/// A column of rates: shares, or counts with their denominators.
#[derive(FromPyObject)]
pub struct RateColumn<'py>(PyReadonlyArray1<'py, f64>, Option<PyReadonlyArray1<'py, f64>>);

impl RateColumn<'_> {
    fn values(&self) -> PyResult<RateValues<'_>> {
        let Self(values, denominators) = self;
        let denominators = denominators.as_ref().map(|column| column.as_slice()).transpose()?;
        Ok(RateValues { values: values.as_slice()?, denominators })
    }
}

/// Columns of counts from Python: the numbers of positives and of the tested, the sensitivity, and the
/// specificity. All have the same length, and counts are whole numbers.
#[derive(FromPyObject)]
pub struct PyCounts<'py>(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>, RateColumn<'py>, RateColumn<'py>);

/// The level, the target and the type of the intervals.
type PyCountOptions = (f64, String, String);

impl PyCounts<'_> {
    fn rows(&self, interval: RateInterval, options: &IntervalOptions) -> PyResult<Vec<CountRow>> {
        let Self(positives, tested, sensitivity, specificity) = self;
        let columns = CountColumns {
            positives: positives.as_slice()?,
            tested: tested.as_slice()?,
            sensitivity: sensitivity.values()?,
            specificity: specificity.values()?,
        };
        count_rows(&columns.groups(), interval, options).map_err(raised)
    }
}

fn parse((level, target, interval): PyCountOptions) -> PyResult<(RateInterval, IntervalOptions)> {
    let interval = interval.parse().map_err(raised)?;
    Ok((interval, IntervalOptions::new(level, target.parse::<Target>().map_err(raised)?).map_err(raised)?))
}

/// Estimates the prevalence of each row, and with `total` that of all rows together. Returns the columns
/// of the estimates and of the total, and the sources of uncertainty in standard errors and intervals.
///
/// Errors name the row if there are several.
#[pyfunction]
pub fn counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: PyCountOptions,
    total: bool,
) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, &'static str)> {
    let (interval, options) = parse(options)?;
    let rows = counts.rows(interval, &options)?;
    let total = total.then(|| count_total(&rows, interval, &options)).transpose().map_err(raised)?;
    let total = total.map(|total| columns(py, &[iter::once(total.row.estimate).collect()])).transpose()?;
    let estimates: Estimates = rows.into_iter().map(|row| row.row.estimate).collect();
    Ok((columns(py, &[estimates])?, total, interval.accounts_for()))
}

/// Compares the prevalences of the rows, which are groups, with a reference.
#[pyfunction]
pub fn compare_counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: PyCountOptions,
    levels: PyLevels<'py>,
    reference: PyReference,
    names: PyNames,
) -> PyResult<Differences<'py>> {
    let (interval, options) = parse(options)?;
    let rows = counts.rows(interval, &options)?;
    let (levels, reference, names) = (levels.parse()?, reference.parse()?, TextNames::from_columns(names));
    let result = count_differences(&rows, &names, (&levels, &reference), interval, &options).map_err(raised)?;
    group_differences(py, &result, &names)
}
