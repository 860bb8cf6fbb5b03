//! Samples of known prevalence, and how far estimates are off.

use crate::error::{raised, value_error};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount::evaluation::{self, Mean, Measure, PairedComparison, SamplingProtocol};
use truecount_analysis::evaluation as analysis;

/// The rows of the samples of these numbers, a sample a line, positives first; and the share of positives in each.
#[pyfunction]
pub fn rows_of_samples<'py>(
    py: Python<'py>,
    positive: PyReadonlyArray1<'py, bool>,
    samples: (String, usize, u64),
    numbers: (u64, u64),
) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>)> {
    let ((protocol, size, seed), (from, to)) = (samples, numbers);
    let positive = positive.as_slice()?;
    let protocol = protocol.parse::<SamplingProtocol>().map_err(value_error)?;
    let samples = (protocol, size, seed);
    let (rows, prevalences) = py.detach(|| analysis::draw_sample_rows(positive, samples, from..to)).map_err(raised)?;
    #[allow(clippy::cast_possible_wrap)] // row numbers
    let rows: Vec<i64> = rows.into_iter().map(|row| row as i64).collect();
    let rows = Array2::from_shape_vec((prevalences.len(), size), rows).map_err(value_error)?;
    Ok((rows.into_pyarray(py), prevalences.into_pyarray(py)))
}

/// The measure of each estimate; NaN where it needs sizes that are not known.
#[pyfunction]
pub fn errors<'py>(
    py: Python<'py>,
    measure: &str,
    truths: PyReadonlyArray1<'py, f64>,
    estimates: PyReadonlyArray1<'py, f64>,
    sizes: Option<PyReadonlyArray1<'py, i64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let measure = measure.parse::<Measure>().map_err(value_error)?;
    let sizes = sizes.as_ref().map(|sizes| sizes.as_slice()).transpose()?;
    let size = |row: usize| sizes.and_then(|sizes| sizes.get(row)).map(|n| u64::try_from(*n).unwrap_or(0));
    let errors = analysis::measure_errors(measure, truths.as_slice()?, estimates.as_slice()?, size).map_err(raised)?;
    Ok(errors.into_pyarray(py))
}

/// Mean and standard error.
#[pyfunction]
pub fn mean(values: PyReadonlyArray1<f64>) -> PyResult<(f64, Option<f64>)> {
    let mean = Mean::from_values(values.as_slice()?);
    Ok((mean.value, mean.se))
}

/// Holm's adjustment of these p-values, in their order.
#[pyfunction]
pub fn holm<'py>(py: Python<'py>, p_values: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(evaluation::holm(p_values.as_slice()?).into_pyarray(py))
}

/// How often one method is closer than the other, farther, and as close; the mean of what it is closer by with its standard error, and
/// Wilcoxon's p-value.
#[pyfunction]
pub fn compare(
    errors: PyReadonlyArray1<f64>,
    others: PyReadonlyArray1<f64>,
) -> PyResult<(usize, usize, usize, f64, Option<f64>, Option<f64>)> {
    let found = PairedComparison::new(errors.as_slice()?, others.as_slice()?).map_err(raised)?;
    Ok((found.wins, found.losses, found.ties, found.difference.value, found.difference.se, found.p_value))
}
