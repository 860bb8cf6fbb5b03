//! Periods of dates.

use crate::error::raised;
use pyo3::prelude::*;
use truecount_analysis::groups::{DateForm, Dates, PeriodGrouper, time_zone};

/// Returns the period of each date; missing dates stay missing.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's lists are converted
pub fn periods(dates: Vec<Option<String>>, every: &str, zone: Option<&str>) -> PyResult<Vec<Option<String>>> {
    let zone = zone.map(time_zone).transpose().map_err(raised)?;
    let mut periods = PeriodGrouper::new(every.parse().map_err(raised)?).in_zone(zone.as_ref());
    let dates = || dates.iter().map(Option::as_deref);
    periods.learn_format(dates());
    periods.periods_of("dates", dates()).map_err(raised)
}

/// Returns the second since 1970 at which each date begins, and whether all are coarser than days; `None`
/// unless all texts are empty or dates.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's lists are converted
pub fn dates(texts: Vec<String>) -> Option<(Vec<Option<i64>>, bool)> {
    let Dates { seconds, form, .. } = Dates::parse(&texts)?;
    Some((seconds, form > DateForm::Day))
}
