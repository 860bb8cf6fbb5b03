//! Shares of several classes.

use crate::error::{new_warning, raised};
use crate::executor::detached;
use crate::options::Options;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use truecount::model::TestStrata;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassEstimate};
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::rows::GroupCells;

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

    /// Estimates the shares in each group. `units` has the cluster and the stratum of each row, and the treatment
    /// of strata with a single unit.
    ///
    /// Returns the `prevalence`, `lower` and `upper` of each class, their `covariance` as a list of rows, and the
    /// `warnings`.
    #[pyo3(signature = (probabilities, weights, groups, units, options))]
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        probabilities: PyReadonlyArray2<f64>,
        weights: Option<PyReadonlyArray1<f64>>,
        groups: (PyReadonlyArray1<u32>, usize),
        units: (Option<PyReadonlyArray1<u32>>, Option<PyReadonlyArray1<u32>>, Option<&str>),
        options: Options,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let weights = weights.map(|weights| weights.to_vec()).transpose()?;
        let (clusters, strata, lonely) = units;
        let mut request: EstimateRequest = options.read()?;
        request.weight = weights.as_ref().map(|_| "weights".to_owned());
        request.stratum = strata.as_ref().map(|_| "strata".to_owned());
        request.check().map_err(raised)?;
        let rows = class_probabilities(&probabilities)?.with_weights(weights).map_err(raised)?;
        let [clusters, strata] = [clusters, strata].map(|units| units.map(|units| units.to_vec()).transpose());
        let (clusters, strata, number) = (clusters?, strata?, rows.len());
        let unit = |units: &Option<Vec<u32>>, row: usize| units.as_ref().map_or(0, |units| units[row]);
        let mut cells: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
        for (row, group) in groups.0.as_slice()?.iter().enumerate() {
            cells.entry([*group, unit(&strata, row), unit(&clusters, row)]).or_default().push(row);
        }
        let [groups_of_cells, strata_of_cells, clusters_of_cells] =
            [0, 1, 2].map(|place| cells.keys().map(|key| key[place]).collect::<Vec<u32>>());
        let clusters = clusters.map(|_| clusters_of_cells);
        let lonely = lonely.map(str::parse).transpose().map_err(raised)?.unwrap_or_default();
        let strata = strata.map_or_else(Vec::new, |_| strata_of_cells);
        let design = TestStrata { strata, clusters, lonely, ..TestStrata::default() }.into();
        let contents = cells.values().map(|cell| rows.select(cell)).collect();
        let names = TextNames::new(Vec::new(), vec![Vec::new(); groups.1]);
        let cells = GroupCells {
            groups: groups_of_cells,
            design,
            ..GroupCells::from_groups(NamedGroups { keys: names, contents, shift_total: None })
        };
        let estimates = detached(py, number, |threads| request.run_classes(threads, &self.0, cells))?;
        estimates.contents.into_iter().map(|estimate| share_columns(py, estimate)).collect()
    }
}

/// Returns an estimate as columns.
fn share_columns(py: Python<'_>, estimate: MulticlassEstimate) -> PyResult<Bound<'_, PyDict>> {
    let ends = |end: fn(&truecount::Interval) -> f64| estimate.intervals.iter().map(end).collect::<Vec<_>>();
    let result = PyDict::new(py);
    result.set_item("n", estimate.n)?;
    result.set_item("lower", ends(|interval| interval.lower).into_pyarray(py))?;
    result.set_item("upper", ends(|interval| interval.upper).into_pyarray(py))?;
    let warnings =
        estimate.warnings.iter().map(|warning| new_warning(py, warning.to_string(), warning.severity(), warning));
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    result.set_item("prevalence", estimate.shares.into_pyarray(py))?;
    result.set_item("covariance", estimate.covariance)?;
    Ok(result)
}

fn class_probabilities(rows: &PyReadonlyArray2<f64>) -> PyResult<ClassProbabilities> {
    ClassProbabilities::new(rows.as_slice()?, rows.shape()[1]).map_err(raised)
}
