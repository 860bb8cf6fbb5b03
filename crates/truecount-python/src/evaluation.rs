//! Samples of known prevalence, and the errors of their estimates.

use crate::error::{raised, value_error};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount::evaluation::{self, Mean, Measure, PairedComparison, SamplingProtocol};
use truecount_analysis::evaluation as analysis;

/// Draws the samples in this range of numbers, and returns their rows, shape (n, size) with
/// positives first, and their prevalences.
///
/// `samples` is the name of the protocol, the size of a sample, and the seed.
#[pyfunction]
pub fn draw_samples<'py>(
    py: Python<'py>,
    positive: PyReadonlyArray1<'py, bool>,
    samples: (String, usize, u64),
    range: (u64, u64),
) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>)> {
    let ((protocol, size, seed), (start, end)) = (samples, range);
    let positive = positive.as_slice()?;
    let protocol = protocol.parse::<SamplingProtocol>().map_err(value_error)?;
    let samples = (protocol, size, seed);
    let (rows, prevalences) =
        py.detach(|| analysis::draw_sample_rows(positive, samples, start..end)).map_err(raised)?;
    #[allow(clippy::cast_possible_wrap)] // row numbers
    let rows: Vec<i64> = rows.into_iter().map(|row| row as i64).collect();
    let rows = Array2::from_shape_vec((prevalences.len(), size), rows).map_err(value_error)?;
    Ok((rows.into_pyarray(py), prevalences.into_pyarray(py)))
}

/// Returns the error of each estimate by this measure; NaN if the measure needs an unknown size.
#[pyfunction]
pub fn measure_errors<'py>(
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

/// Returns the mean of values and its standard error.
#[pyfunction]
pub fn mean(values: PyReadonlyArray1<f64>) -> PyResult<(f64, Option<f64>)> {
    let mean = Mean::from_values(values.as_slice()?);
    Ok((mean.value, mean.se))
}

/// Returns Holm's adjusted p-values, in the order of the p-values.
#[pyfunction]
pub fn holm<'py>(py: Python<'py>, p_values: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(evaluation::holm(p_values.as_slice()?).into_pyarray(py))
}

/// Compares the errors of two methods: returns the first method's wins, losses and ties, the mean
/// difference with its standard error, and Wilcoxon's p-value.
#[pyfunction]
pub fn compare_errors(
    errors: PyReadonlyArray1<f64>,
    others: PyReadonlyArray1<f64>,
) -> PyResult<(usize, usize, usize, f64, Option<f64>, Option<f64>)> {
    let result = PairedComparison::new(errors.as_slice()?, others.as_slice()?).map_err(raised)?;
    Ok((result.wins, result.losses, result.ties, result.difference.value, result.difference.se, result.p_value))
}
