//! Periods of dates.

use crate::error::raised;
use pyo3::prelude::*;
use truecount_analysis::groups::PeriodGrouper;

/// Returns the period of each date; missing dates stay missing.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's lists are converted
pub fn periods(dates: Vec<Option<String>>, every: &str) -> PyResult<Vec<Option<String>>> {
    let mut periods = PeriodGrouper::new(every.parse().map_err(raised)?);
    let dates = || dates.iter().map(Option::as_deref);
    periods.learn_format(dates());
    periods.periods_of("dates", dates()).map_err(raised)
}
