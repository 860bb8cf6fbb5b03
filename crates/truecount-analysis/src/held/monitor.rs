//! A prevalence watched over time: tallied groups, which are dates.

use super::estimates::first_error;
use super::fitted::Fitted;
use super::refused::{Failure, Refused, Untold};
use crate::executor::Executor;
use crate::groups::MergedTallies;
use crate::monitored::{Baseline, Series, monitor_named};
use crate::results::Table;
use truecount::monitor::Bound;
use truecount::{Reporting, Together};

/// What people see of a period.
const SHOWN: [&str; 7] = ["prevalence", "lower", "upper", "smoothed", "smoothed_lower", "smoothed_upper", "e_value"];

/// What people read of periods.
pub fn periods(series: &Series) -> Table<'_> {
    let last = if series.bound.is_some() { SHOWN.len() } else { SHOWN.len() - 1 };
    Table::new(&series.rows).view(&SHOWN[..last])
}

/// The baseline of that text: a date, or two with points between them.
///
/// # Errors
/// [`Refused::NoChoice`] for any other text.
pub fn baseline(text: &str) -> Result<Baseline, Failure> {
    let choices = || Untold("a date such as 2026-W05, or two: 2026-01..2026-03".to_owned());
    let refused = || Refused::NoChoice { name: "baseline", value: text.to_owned(), choices: choices() };
    Baseline::parse(text).ok_or_else(|| refused().into())
}

/// Watches groups with these dates in a column, by the first method of the model.
///
/// # Errors
/// Those of `Model::finish`, of the group; of dates that are none, and of [`Together::monitor`].
pub fn monitor(
    executor: &impl Executor,
    fitted: &Fitted,
    tallied: &MergedTallies,
    (column, dates): (&str, &[String]),
    bound: Option<Bound>,
    baseline: Option<&Baseline>,
    reporting: &Reporting,
) -> Result<Series, Failure> {
    let MergedTallies { contents, together } = tallied;
    let model = fitted.checked_if(together.is_none());
    let together = Together::of(model, model.quantifiers()[0].method())?;
    let among = reporting.among(contents.len());
    let found = first_error(executor.map(contents, |tallies| model.finish(tallies, &among)));
    let found = found.map_err(Failure::of_set)?;
    Ok(monitor_named(column, dates, found, &together, bound, baseline, reporting)?)
}
