//! Prevalences from counts of positive tests and published error rates.

use crate::error::raised;
use crate::estimates::columns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::counts::RateInterval;
use truecount::{IntervalOptions, Target};
use truecount_analysis::counts::{self as analysis, CountColumns};

/// A column of rates: shares, or counts with their denominators.
#[derive(FromPyObject)]
pub struct RateColumn<'py>(PyReadonlyArray1<'py, f64>, Option<PyReadonlyArray1<'py, f64>>);

impl RateColumn<'_> {
    fn values(&self) -> PyResult<analysis::RateValues<'_>> {
        let Self(values, denominators) = self;
        let denominators = denominators.as_ref().map(|column| column.as_slice()).transpose()?;
        Ok(analysis::RateValues { values: values.as_slice()?, denominators })
    }
}

/// Estimates the prevalence of each row, and returns the columns of the estimates and what standard
/// errors and intervals account for.
///
/// All columns must have the same length, and counts must be whole numbers. Errors name the row if
/// there are several.
#[pyfunction]
pub fn counts<'py>(
    py: Python<'py>,
    counts: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    rates: (RateColumn<'py>, RateColumn<'py>),
    options: (f64, String, String),
) -> PyResult<(Bound<'py, PyDict>, &'static str)> {
    let (level, target, interval) = options;
    let interval: RateInterval = interval.parse().map_err(raised)?;
    let options = IntervalOptions::new(level, target.parse::<Target>().map_err(raised)?).map_err(raised)?;
    let counts = CountColumns {
        positives: counts.0.as_slice()?,
        tested: counts.1.as_slice()?,
        sensitivity: rates.0.values()?,
        specificity: rates.1.values()?,
    };
    let estimates = analysis::counts(&counts, interval, &options).map_err(raised)?;
    Ok((columns(py, &[estimates])?, interval.accounts_for()))
}
