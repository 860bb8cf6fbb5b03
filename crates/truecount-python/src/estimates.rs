//! Test sets from Python's columns, and their estimates as Python has them.

use crate::error::{Caveats, value_error};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::{Estimate, Estimates};
use truecount_analysis::ScoreValues;
use truecount_analysis::results::NUMBERS;
use truecount_analysis::sets::{TestSet, TestSets, split_at_starts};

/// The columns of test sets as they come from Python: an array for each set, or one array that is cut at the starts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct EstimateDict<'py> {
    scores: Vec<Bound<'py, PyArray1<f64>>>,
    probabilities: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    weights: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    starts: Option<PyReadonlyArray1<'py, i64>>,
    /// Where the sets are groups of rows: the group of each row, in the order in which the caller has them.
    groups: Option<PyReadonlyArray1<'py, u32>>,
}

impl EstimateDict<'_> {
    pub fn sets(&self) -> PyResult<TestSets<'_>> {
        let columns = ScoreValues {
            scores: slices(&self.scores)?,
            probabilities: self.probabilities.as_deref().map(slices).transpose()?,
            weights: self.weights.as_deref().map(slices).transpose()?,
        };
        let set = |place: usize| {
            let of = |column: &Option<Vec<_>>| column.as_ref().and_then(|column| column.get(place).copied());
            let scores = columns.scores.get(place).copied()?;
            Some(TestSet { scores, probabilities: of(&columns.probabilities), weights: of(&columns.weights) })
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
    // SAFETY: the arrays are only read, and live as long as the slices. That nobody writes to them meanwhile is up to the caller, as for
    // every function of numpy. The guards that rust-numpy has for that know Rust's own writers alone, of which there are none here, and
    // take quadratic time for many parts of one array.
    let slice = |array: &'a Bound<'_, PyArray1<f64>>| unsafe { array.as_slice() };
    Ok(arrays.iter().map(slice).collect::<Result<_, _>>()?)
}

/// Columns of all estimates, set by set and within it method by method. What there is not is NaN.
pub fn columns<'py>(py: Python<'py>, estimates: &[Estimates]) -> PyResult<Bound<'py, PyDict>> {
    let all = || estimates.iter().flatten();
    let columns = PyDict::new(py);
    #[allow(clippy::cast_possible_wrap)] // at most 2^53
    let n: Vec<i64> = all().map(|estimate| estimate.n as i64).collect();
    columns.set_item("n", n.into_pyarray(py))?;
    for (name, number) in NUMBERS {
        let numbers: Vec<f64> = all().map(|estimate| number(estimate).unwrap_or(f64::NAN)).collect();
        columns.set_item(name, numbers.into_pyarray(py))?;
    }
    let mut caveats = Caveats::new(py);
    let caveats = all().map(|estimate| caveats.all_of(&estimate.warnings)).collect::<PyResult<Vec<_>>>()?;
    columns.set_item("warnings", caveats)?;
    Ok(columns)
}

/// One estimate under the names of those columns, as plain values: of a small set, arrays take longer than the estimate. What there is
/// not is None.
pub fn row<'py>(py: Python<'py>, estimate: &Estimate) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("n", estimate.n)?;
    for (name, number) in NUMBERS {
        row.set_item(name, number(estimate))?;
    }
    row.set_item("warnings", Caveats::new(py).all_of(&estimate.warnings)?)?;
    Ok(row)
}
