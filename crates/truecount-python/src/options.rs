//! Options from Python's arguments, and the library's tables of named choices.

use crate::error::{raised, value_error};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::depythonize;
use serde::de::DeserializeOwned;
use truecount::quantifier::SummaryKind;
use truecount::{IntervalOptions, Method};
use truecount_analysis::options::{self, IntervalArgs, parse_choice};

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

/// A property of methods.
#[derive(Clone, Copy)]
enum MethodProperty {
    /// The estimate is the mean of one function of the score, corrected by its means within classes.
    CorrectedMean,
    /// The method uses posterior probabilities.
    ReadsPosteriors,
    /// The contribution of a test score to the estimate depends on the other scores.
    ChoosesAmongMeans,
}

impl MethodProperty {
    /// The names of the properties, with their meanings.
    const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("corrected_mean", Self::CorrectedMean, "a mean of one function of the score, corrected by its class means"),
        ("reads_posteriors", Self::ReadsPosteriors, "uses posterior probabilities"),
        ("chooses_among_means", Self::ChoosesAmongMeans, "the contribution of a score depends on the others"),
    ];

    /// Returns the names of the methods with the property.
    fn methods(self) -> Vec<&'static str> {
        let has_property = |method: &&Method| match self {
            Self::CorrectedMean => method.is_corrected_mean(),
            Self::ReadsPosteriors => method.reads_posteriors(),
            Self::ChoosesAmongMeans => matches!(method.summary_kind(), SummaryKind::Means | SummaryKind::ScoreBins),
        };
        Method::ALL.iter().filter(has_property).map(|method| method.name()).collect()
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
    parse_choice("property", property, MethodProperty::TABLE).map(MethodProperty::methods).map_err(raised)
}
