//! Samples of known prevalence, and the errors of their estimates.

use crate::error::{raised, value_error};
use crate::tables::column_dict;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::evaluation::{Mean, Measure, SamplingProtocol};
use truecount_analysis::evaluation::{self as analysis, Evaluation, MethodEstimates, SampleEstimates, SampleTruth};
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::column_values;

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
    Ok((mean.value, mean.std_error))
}

/// A method: its name, its estimates, and the lower and upper ends of its intervals.
type PyMethod<'py> = (String, PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>);

/// Returns the columns of the errors of each method on samples with these true prevalences and
/// sizes, and of the comparison with the method at the index `reference`.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    truths: PyReadonlyArray1<'py, f64>,
    sizes: PyReadonlyArray1<'py, i64>,
    methods: Vec<PyMethod<'py>>,
    reference: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let samples = truths.as_slice()?.iter().zip(sizes.as_slice()?);
    let sample = |(truth, n): (&f64, &i64)| SampleTruth { id: String::new(), n: u64::try_from(*n).ok(), truth: *truth };
    let method = |(name, estimates, lower, upper): &PyMethod| {
        let intervals = lower.as_slice()?.iter().zip(upper.as_slice()?).map(|(lower, upper)| [*lower, *upper]);
        let intervals: Option<Vec<[f64; 2]>> =
            intervals.map(|ends| Some(ends).filter(|ends| !ends[0].is_nan())).collect();
        Ok(MethodEstimates { name: name.clone(), estimates: estimates.as_slice()?.to_vec(), intervals })
    };
    let (samples, methods) = (samples.map(sample).collect(), methods.iter().map(method).collect::<PyResult<_>>()?);
    let evaluated = SampleEstimates { class: None, samples, methods, design: None, checks: None };
    let evaluation = Evaluation::new(std::slice::from_ref(&evaluated), reference).map_err(raised)?;
    column_dict(py, column_values(&ResultTable::new(&evaluation.methods)).0)
}
