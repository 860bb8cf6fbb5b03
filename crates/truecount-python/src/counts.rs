//! Prevalences from counts and published error rates.

use crate::error::{raised, raised_of_row};
use crate::estimates::columns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{Error, Estimates, Reporting, Target};

/// A column of rates: shares, or counts with their denominators.
#[derive(FromPyObject)]
pub struct RateColumn<'py>(PyReadonlyArray1<'py, f64>, Option<PyReadonlyArray1<'py, f64>>);

impl RateColumn<'_> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Python has seen to it that they are whole numbers
    fn rates(&self) -> PyResult<Vec<Rate>> {
        let Self(values, denominators) = self;
        let values = values.as_slice()?;
        let Some(denominators) = denominators else { return Ok(values.iter().copied().map(Rate::Exact).collect()) };
        let counted = |(count, of): (&f64, &f64)| Rate::Counted { count: *count as u64, of: *of as u64 };
        Ok(values.iter().zip(denominators.as_slice()?).map(counted).collect())
    }
}

/// The columns of the estimates, row by row, and what standard errors and intervals account for. Columns are of one length, and counts are
/// whole numbers; errors name a row where there are several.
#[pyfunction]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn counts<'py>(
    py: Python<'py>,
    counted: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    rates: (RateColumn<'py>, RateColumn<'py>),
    asked: (f64, String, String),
) -> PyResult<(Bound<'py, PyDict>, &'static str)> {
    let (level, target, interval) = asked;
    let interval: RateInterval = interval.parse().map_err(raised)?;
    let reporting = Reporting::new(level, target.parse::<Target>().map_err(raised)?).map_err(raised)?;
    let (positives, tested) = (counted.0.as_slice()?, counted.1.as_slice()?);
    let (sensitivity, specificity) = (rates.0.rates()?, rates.1.rates()?);
    let of = |row: usize| {
        let rates = Rates::new(sensitivity[row], specificity[row])?;
        rates.estimate(positives[row] as u64, tested[row] as u64, interval, &reporting)
    };
    let located = |row: usize, error: Error| {
        if positives.len() > 1 { raised_of_row(row, error) } else { raised(error) }
    };
    let estimates = (0..positives.len()).map(|row| of(row).map_err(|error| located(row, error)));
    let estimates: Estimates = estimates.collect::<PyResult<Vec<_>>>()?.into_iter().collect();
    Ok((columns(py, &[estimates])?, interval.accounts_for()))
}
