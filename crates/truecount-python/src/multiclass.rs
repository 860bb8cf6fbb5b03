//! Shares of several classes.

use crate::error::{new_warning, raised};
use crate::options::Options;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities};

/// A method for several classes, fitted to labelled rows.
#[pyclass(frozen, name = "MulticlassModel")]
pub struct PyMulticlassModel(truecount::multiclass::MulticlassModel);

#[pymethods]
impl PyMulticlassModel {
    /// Fits a method to rows of probabilities, shape (n, K), with the index of each row's class.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        names: Vec<String>,
        probabilities: PyReadonlyArray2<f64>,
        labels: PyReadonlyArray1<i64>,
        method: &str,
    ) -> PyResult<Self> {
        let rows = class_probabilities(&probabilities)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // indices of classes
        let labels: Vec<usize> = labels.as_slice()?.iter().map(|label| *label as usize).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let method = method.parse().map_err(raised)?;
        let labelled = LabelledProbabilities::new(&names, rows, &labels).map_err(raised)?;
        py.detach(|| truecount::multiclass::MulticlassModel::fit(&labelled, method)).map(Self).map_err(raised)
    }

    /// Returns the `prevalence`, `lower` and `upper` of each class, their `covariance` as a list of
    /// rows, and the `warnings`.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        probabilities: PyReadonlyArray2<f64>,
        options: Options,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (rows, options) = (class_probabilities(&probabilities)?, options.intervals()?);
        let estimate = py.detach(|| self.0.estimate(&rows, &options)).map_err(raised)?;
        let ends = |end: fn(&truecount::Interval) -> f64| estimate.intervals.iter().map(end).collect::<Vec<_>>();
        let result = PyDict::new(py);
        result.set_item("lower", ends(|interval| interval.lower).into_pyarray(py))?;
        result.set_item("upper", ends(|interval| interval.upper).into_pyarray(py))?;
        let warnings =
            estimate.warnings.iter().map(|warning| new_warning(py, warning.to_string(), warning.severity(), warning));
        result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
        result.set_item("prevalence", estimate.shares.into_pyarray(py))?;
        result.set_item("covariance", estimate.covariance)?;
        Ok(result)
    }
}

fn class_probabilities(rows: &PyReadonlyArray2<f64>) -> PyResult<ClassProbabilities> {
    ClassProbabilities::new(rows.as_slice()?, rows.shape()[1]).map_err(raised)
}
