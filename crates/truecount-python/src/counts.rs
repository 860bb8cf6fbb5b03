//! Prevalences from counts and published error rates.

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
    fn get(&self) -> PyResult<analysis::RateValues<'_>> {
        let Self(values, denominators) = self;
        let denominators = denominators.as_ref().map(|column| column.as_slice()).transpose()?;
        Ok(analysis::RateValues { values: values.as_slice()?, denominators })
    }
}

/// The columns of the estimates, row by row, and what standard errors and intervals account for. Columns are of one length, and counts are
/// whole numbers; errors name a row where there are several.
#[pyfunction]
pub fn counts<'py>(
    py: Python<'py>,
    counted: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    rates: (RateColumn<'py>, RateColumn<'py>),
    asked: (f64, String, String),
) -> PyResult<(Bound<'py, PyDict>, &'static str)> {
    let (level, target, interval) = asked;
    let interval: RateInterval = interval.parse().map_err(raised)?;
    let reporting = IntervalOptions::new(level, target.parse::<Target>().map_err(raised)?).map_err(raised)?;
    let counted = CountColumns {
        positives: counted.0.as_slice()?,
        tested: counted.1.as_slice()?,
        sensitivity: rates.0.get()?,
        specificity: rates.1.get()?,
    };
    let estimates = analysis::counts(&counted, interval, &reporting).map_err(raised)?;
    Ok((columns(py, &[estimates])?, interval.accounts_for()))
}
