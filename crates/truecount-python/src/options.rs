//! Options from Python's arguments, and the library's tables of named choices.

use crate::error::{raised, value_error};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::depythonize;
use serde::de::DeserializeOwned;
use truecount::quantifier::SummaryKind;
use truecount::{IntervalOptions, Method};
use truecount_analysis::options::{self, IntervalArgs};

/// Options by name, which are the fields of requests.
#[derive(FromPyObject)]
pub struct Options<'py>(Bound<'py, PyDict>);

impl Options<'_> {
    /// Reads a request, or a part of one. An option that is left out has its default.
    pub fn read<T: DeserializeOwned>(&self) -> PyResult<T> {
        depythonize(&self.0).map_err(value_error)
    }

    pub fn intervals(&self) -> PyResult<IntervalOptions> {
        self.read::<IntervalArgs>()?.parse().map_err(raised)
    }
}

/// Returns the names in one of the library's tables, each with its description.
#[pyfunction]
pub fn names(table: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    options::names(table).ok_or_else(|| value_error(format!("there is no table '{table}'")))
}

/// Returns the names of the methods with this property.
#[pyfunction]
pub fn methods_with(property: &str) -> PyResult<Vec<&'static str>> {
    let has_property: fn(Method) -> bool = match property {
        "corrected_mean" => Method::is_corrected_mean,
        "reads_posteriors" => Method::reads_posteriors,
        // The contribution of a score to the estimate depends on the other scores.
        "chooses_among_means" => |method| matches!(method.summary_kind(), SummaryKind::Means | SummaryKind::ScoreBins),
        _ => return Err(value_error(format!("there is no property '{property}'"))),
    };
    Ok(Method::ALL.iter().filter(|method| has_property(**method)).map(|method| method.name()).collect())
}
