//! The choices that have names: the library's tables.

use crate::error::{raised, value_error};
use pyo3::prelude::*;
use truecount::{IntervalOptions, Settings};
use truecount_analysis::options::{self, IntervalArgs, SettingsArgs};

/// Level, target and kind of the intervals, what misfit does to them, and the size of a finite population, as they come from Python.
#[derive(FromPyObject)]
pub struct AskedReporting(f64, String, String, String, Option<f64>);

impl AskedReporting {
    pub fn get(&self) -> PyResult<IntervalOptions> {
        let Self(level, target, interval, misfit, population) = self;
        let asked = IntervalArgs { level: *level, target, interval, misfit, population: *population };
        asked.parse().map_err(raised)
    }
}

/// What to fit, as it comes from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AskedSettings {
    methods: Vec<String>,
    threshold: Option<f64>,
    family: Option<String>,
    transform: Option<String>,
    rates: Option<String>,
    cutoff: Option<f64>,
}

impl AskedSettings {
    pub fn get(&self) -> PyResult<Settings> {
        let asked = SettingsArgs {
            methods: &self.methods,
            threshold: self.threshold,
            family: self.family.as_deref(),
            transform: self.transform.as_deref(),
            rates: self.rates.as_deref(),
            cutoff: self.cutoff,
        };
        asked.parse().map_err(raised)
    }
}

/// The names of a table, each with what it is.
#[pyfunction]
pub fn names(table: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    options::names(table).ok_or_else(|| value_error(format!("there is no table '{table}'")))
}

/// The names of the methods for which it holds.
#[pyfunction]
pub fn methods_that(hold: &str) -> PyResult<Vec<&'static str>> {
    options::methods_that(hold).ok_or_else(|| value_error(format!("nothing is known of methods that {hold}")))
}
