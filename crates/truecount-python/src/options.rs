//! Options from Python's arguments, and the library's tables of named choices.

use crate::error::{raised, value_error};
use pyo3::prelude::*;
use truecount::quantifier::SummaryKind;
use truecount::{IntervalOptions, Method, Settings};
use truecount_analysis::options::{self, IntervalArgs, SettingsArgs, find_by_name};

/// Interval options from Python: level, target, kind of interval, and effect of misfit.
#[derive(FromPyObject)]
pub struct PyIntervalOptions(f64, String, String, String);

impl PyIntervalOptions {
    pub fn parse(&self) -> PyResult<IntervalOptions> {
        let Self(level, target, interval, misfit) = self;
        IntervalArgs { level: *level, target, interval, misfit, population: None }.parse().map_err(raised)
    }
}

/// Settings of a fit from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PySettings {
    methods: Vec<String>,
    threshold: Option<f64>,
    family: Option<String>,
    transform: Option<String>,
    rates: Option<String>,
    cutoff: Option<f64>,
}

impl PySettings {
    pub fn parse(&self) -> PyResult<Settings> {
        let args = SettingsArgs {
            methods: &self.methods,
            threshold: self.threshold,
            family: self.family.as_deref(),
            transform: self.transform.as_deref(),
            rates: self.rates.as_deref(),
            cutoff: self.cutoff,
        };
        args.parse().map_err(raised)
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
    find_by_name("property", property, MethodProperty::TABLE).map(MethodProperty::methods).map_err(raised)
}
