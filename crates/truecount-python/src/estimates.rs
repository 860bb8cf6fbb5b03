//! Test sets from Python's columns, and estimates as Python dicts.

use crate::error::{WarningCache, value_error};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::{Estimate, Estimates};
use truecount_analysis::ScoreValues;
use truecount_analysis::results::{NUMBERS, PublicationRule};
use truecount_analysis::sets::{TestSet, TestSets, split_at_starts};

/// Columns of test sets from Python: an array for each set, or one array that is split at the
/// starts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct TestColumns<'py> {
    scores: Vec<Bound<'py, PyArray1<f64>>>,
    probabilities: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    weights: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    starts: Option<PyReadonlyArray1<'py, i64>>,
    /// The group of each row in the caller's order, if the sets are groups of rows.
    groups: Option<PyReadonlyArray1<'py, u32>>,
}

impl TestColumns<'_> {
    pub fn are_weighted(&self) -> bool {
        self.weights.is_some()
    }

    pub fn sets(&self) -> PyResult<TestSets<'_>> {
        let columns = ScoreValues {
            scores: slices(&self.scores)?,
            probabilities: self.probabilities.as_deref().map(slices).transpose()?,
            weights: self.weights.as_deref().map(slices).transpose()?,
        };
        let set = |index: usize| {
            let array = |column: &Option<Vec<_>>| column.as_ref().and_then(|column| column.get(index).copied());
            let scores = columns.scores.get(index).copied()?;
            Some(TestSet { scores, probabilities: array(&columns.probabilities), weights: array(&columns.weights) })
        };
        let sets = match &self.starts {
            None => (0..columns.scores.len()).map(set).collect(),
            Some(starts) => {
                let starts = starts.as_slice()?.iter().map(|start| usize::try_from(*start));
                let starts: Option<Vec<usize>> = starts.collect::<Result<_, _>>().ok();
                set(0).zip(starts).and_then(|(whole, starts)| split_at_starts(whole, &starts))
            }
        };
        let outside = || value_error("the starts lie outside the column");
        let groups = self.groups.as_ref().and_then(|groups| groups.as_slice().ok());
        Ok(TestSets { sets: sets.ok_or_else(outside)?, groups })
    }
}

#[allow(unsafe_code)]
fn slices<'a>(arrays: &'a [Bound<'_, PyArray1<f64>>]) -> PyResult<Vec<&'a [f64]>> {
    // SAFETY: the arrays are only read, and live as long as the slices. As for every function of
    // numpy, the caller must not write to them meanwhile. rust-numpy's guards would only detect
    // writers in Rust, which do not exist here, and take quadratic time for many parts of one
    // array.
    let slice = |array: &'a Bound<'_, PyArray1<f64>>| unsafe { array.as_slice() };
    Ok(arrays.iter().map(slice).collect::<Result<_, _>>()?)
}

/// Returns the columns of all estimates, by set and then by method. Missing and suppressed numbers are NaN.
pub fn columns<'py>(
    py: Python<'py>,
    estimates: &[Estimates],
    rule: Option<PublicationRule>,
) -> PyResult<Bound<'py, PyDict>> {
    let judge = |estimate: &Estimate| rule.map(|rule| rule.judge(estimate));
    let shows = |estimate: &Estimate, name: &str| judge(estimate).is_none_or(|publication| publication.shows(name));
    let all = || estimates.iter().flatten();
    let columns = PyDict::new(py);
    #[allow(clippy::cast_possible_wrap)] // at most 2^53
    let n: Vec<i64> = all().map(|estimate| estimate.n as i64).collect();
    columns.set_item("n", n.into_pyarray(py))?;
    for (name, number) in NUMBERS {
        let numbers: Vec<f64> =
            all().map(|estimate| number(estimate).filter(|_| shows(estimate, name)).unwrap_or(f64::NAN)).collect();
        columns.set_item(name, numbers.into_pyarray(py))?;
    }
    columns.set_item("target", all().next().map(|estimate| estimate.target.to_string()))?;
    let mut cache = WarningCache::new(py);
    let shown =
        |estimate: &'_ Estimate| if shows(estimate, "warnings") { estimate.warnings.clone() } else { Vec::new() };
    let warnings = all().map(|estimate| cache.get_all(&shown(estimate))).collect::<PyResult<Vec<_>>>()?;
    columns.set_item("warnings", warnings)?;
    if let Some(rule) = rule {
        let flags = all().map(|estimate| rule.judge(estimate).flag).collect::<Vec<_>>();
        columns.set_item("publish", flags)?;
        columns.set_item("citation", rule.citation())?;
    }
    Ok(columns)
}

/// Returns one estimate as plain values under the names of those columns; for a small set, arrays
/// would take longer than the estimate. Missing numbers are None.
pub fn row<'py>(py: Python<'py>, estimate: &Estimate) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("n", estimate.n)?;
    for (name, number) in NUMBERS {
        row.set_item(name, number(estimate))?;
    }
    row.set_item("target", estimate.target.to_string())?;
    row.set_item("warnings", WarningCache::new(py).get_all(&estimate.warnings)?)?;
    Ok(row)
}
