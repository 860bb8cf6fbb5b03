//! A prevalence watched over time.

use crate::described::{described, groups};
use crate::error::{raised, raised_fault, raised_of_set, refused, value_error};
use crate::estimates::first_error;
use crate::keys;
use crate::model::Model;
use crate::named::AskedReporting;
use crate::parallel::{detached, each};
use crate::tally::Tally;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use truecount::monitor::{Bound, alarm};
use truecount::{Subject, Together};
use truecount_io::groups::{Groups, Keys};
use truecount_io::monitored::{Baseline, Series, monitor as watched};
use truecount_io::results::Table;

/// What people see of a period.
const SHOWN: [&str; 7] = ["prevalence", "lower", "upper", "smoothed", "smoothed_lower", "smoothed_upper", "e_value"];

/// The groups of a tally, which are dates: the periods as described rows, and of them `groups`, the numbers of their groups; the `alarm` in
/// words, the row where it was `raised`, and the e-value that it takes (`alarm_at`); the first and the last date of the `baseline`; the variance
/// that the level gains in a `unit` of time (`drift`); `notes`, and what is `left_out`.
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
    let baseline = baseline.map(|text| Baseline::parse(&text).ok_or_else(|| no_baseline(&text))).transpose()?;
    let (column, dates) = by;
    let texts = PyList::new(py, dates)?.into_any();
    let keys = keys::keys(&[(column, "text".to_owned(), texts, None)], tally.merged.contents.len())?;
    let reporting = reporting.get()?;
    let contents = &tally.merged.contents;
    let of = model.checked_if(tally.merged.together.is_none());
    let [quantifier] = of.quantifiers() else { return Err(value_error("one method is wanted")) };
    let together = Together::of(of, quantifier.method()).map_err(raised)?;
    let found = detached(py, 64 * contents.len(), || {
        let reporting = reporting.among(contents.len());
        first_error(each(contents, |tallies| of.finish(tallies, &reporting)))
    })?;
    let finished =
        Groups { keys, contents: found.map_err(|(group, error)| raised_of_set(group, error))?, together: None };
    let watched = watched(finished, &together, bound, baseline.as_ref(), &reporting);
    let (_, series): (Keys, Series) = watched.map_err(|error| raised_fault(error.fault))?;
    let shown = if bound.is_some() { &SHOWN[..] } else { &SHOWN[..SHOWN.len() - 1] };
    let found = described(py, &Table::new(&series.rows), &Table::new(&series.rows).view(shown))?;
    found.set_item("groups", groups(&series.rows))?;
    found.set_item("alarm", series.alarm())?;
    found.set_item("raised", series.raised)?;
    found.set_item("alarm_at", alarm(&reporting))?;
    found.set_item("drift", series.drift)?;
    found.set_item("unit", series.form.unit_name())?;
    found.set_item("notes", series.explained(&reporting).collect::<Vec<_>>())?;
    found.set_item("left_out", series.left_out().collect::<Vec<_>>())?;
    found.set_item("baseline", series.baseline)?;
    Ok(found)
}

fn no_baseline(text: &str) -> PyErr {
    let sentence = format!("baseline is '{text}'; it must be a date such as 2026-W05, or two: 2026-01..2026-03");
    refused(Subject::Options, "option-invalid", &sentence, &[("name", "baseline"), ("value", text)])
}
