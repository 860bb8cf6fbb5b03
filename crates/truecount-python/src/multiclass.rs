//! Shares of several classes.

use crate::differences::{Differences, PyLevels, PyNames, PyReference, group_differences};
use crate::error::{new_warning, raised};
use crate::executor::detached;
use crate::options::Options;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use truecount::model::TestStrata;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassEstimate, MulticlassModel as Model};
use truecount_analysis::design_tallies::CellDesign;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::request::{EstimateRequest, Sizes};
use truecount_analysis::rows::GroupCells;
use truecount_analysis::standard::{GroupSizes, Standard};

/// A method for several classes, fitted to labelled rows.
#[pyclass(frozen, name = "MulticlassModel")]
pub struct PyMulticlassModel(Model);

type PyClassCells = GroupCells<ClassProbabilities, TextNames>;

impl PyMulticlassModel {
    pub fn inner(&self) -> &Model {
        &self.0
    }
}

#[pymethods]
impl PyMulticlassModel {
    /// Fits a method to rows of probabilities or decision values, shape (n, K), with the index of each row's class, and
    /// perhaps weights and clusters.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        names: Vec<String>,
        probabilities: PyReadonlyArray2<f64>,
        labels: PyReadonlyArray1<i64>,
        method: &str,
        weights: Option<PyReadonlyArray1<f64>>,
        clusters: Option<PyReadonlyArray1<u32>>,
    ) -> PyResult<Self> {
        let (values, classes) = (probabilities.as_slice()?, probabilities.shape()[1]);
        let are_decision_values = ClassProbabilities::are_decision_values(values, classes);
        let rows = ClassProbabilities::from_scores(values, classes, are_decision_values).map_err(raised)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // indices of classes
        let labels: Vec<usize> = labels.as_slice()?.iter().map(|label| *label as usize).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let method = method.parse().map_err(raised)?;
        let weights = weights.map(|weights| weights.to_vec()).transpose()?;
        let clusters = clusters.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        let labelled = rows
            .with_weights(weights)
            .and_then(|rows| LabelledProbabilities::with_units(&names, rows, &labels, [clusters, None]));
        let labelled = labelled.map_err(raised)?;
        py.detach(|| Model::fit(&labelled, method)).map(Self).map_err(raised)
    }

    /// Estimates the shares in each group.
    ///
    /// Returns the `prevalence`, `lower` and `upper` of each class, their `covariance` as a list of rows, and the
    /// `warnings`; and the same for the total of all groups, or `None` without one.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        rows: PyClassRows<'py>,
        options: Options<'py>,
    ) -> PyResult<(Vec<Bound<'py, PyDict>>, Option<Bound<'py, PyDict>>)> {
        let (request, cells) = rows.parse(&options, &self.0)?;
        let number = cells.contents.iter().map(ClassProbabilities::len).sum();
        let (_, mut estimates) = detached(py, number, |threads| request.run_classes(threads, &self.0, cells))?;
        let total = estimates.take_total().map(|total| share_columns(py, total)).transpose()?;
        let groups = estimates.groups.into_iter().map(|estimate| share_columns(py, estimate));
        Ok((groups.collect::<PyResult<_>>()?, total))
    }

    /// Compares the groups with a reference.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        rows: PyClassRows<'py>,
        options: Options<'py>,
        levels: PyLevels<'py>,
        reference: PyReference,
        names: PyNames,
    ) -> PyResult<Differences<'py>> {
        let (request, cells) = rows.parse(&options, &self.0)?;
        let (levels, reference, names) = (levels.parse()?, reference.parse()?, TextNames::from_columns(names));
        let number = cells.contents.iter().map(ClassProbabilities::len).sum();
        let result =
            detached(py, number, |threads| request.compare_classes(threads, &self.0, &cells, (&levels, &reference)))?;
        group_differences(py, &result.named(&names), &names)
    }
}

/// Rows with probabilities, shape (n, K), and their weights.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PyClassRows<'py> {
    probabilities: PyReadonlyArray2<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    /// The group of each row.
    groups: PyReadonlyArray1<'py, u32>,
    number_of_groups: usize,
    clusters: Option<PyReadonlyArray1<'py, u32>>,
    strata: Option<PyReadonlyArray1<'py, u32>>,
    /// The treatment of strata with a single unit.
    lonely_psu: Option<String>,
    /// The sizes of the groups in the standard population.
    standardise: Option<PyReadonlyArray1<'py, f64>>,
    /// The sizes of the groups' own populations.
    populations: Option<PyReadonlyArray1<'py, f64>>,
    /// Columns of replicate weights, and their kind.
    replicates: Option<(Vec<PyReadonlyArray1<'py, f64>>, String)>,
}

impl PyClassRows<'_> {
    /// Returns the request with these options, and the rows by group, stratum and cluster.
    fn parse(&self, options: &Options, model: &Model) -> PyResult<(EstimateRequest, PyClassCells)> {
        let units = |units: &Option<PyReadonlyArray1<u32>>| units.as_ref().map(|units| units.to_vec()).transpose();
        let (clusters, strata) = (units(&self.clusters)?, units(&self.strata)?);
        let weights = self.weights.as_ref().map(|weights| weights.to_vec()).transpose()?;
        let mut request: EstimateRequest = options.read()?;
        request.weight = weights.as_ref().map(|_| "weights".to_owned());
        request.stratum = strata.as_ref().map(|_| "strata".to_owned());
        request.cluster = clusters.as_ref().map(|_| "clusters".to_owned());
        let replicates = self.replicates.as_ref().map_or(&[][..], |(columns, kind)| {
            request.replicates = Some("replicate_weights".to_owned());
            request.replicate_type = Some(kind.clone());
            columns
        });
        if self.populations.is_some() {
            request.population = Some(Sizes::Column("population".to_owned()));
        }
        request.check().map_err(raised)?;
        let (values, classes) = (self.probabilities.as_slice()?, self.probabilities.shape()[1]);
        let rows = ClassProbabilities::from_scores(values, classes, model.takes_decision_values());
        let mut rows = rows.and_then(|rows| rows.with_weights(weights)).map_err(raised)?;
        for column in replicates {
            rows = rows.with_replicate(column.to_vec()?).map_err(raised)?;
        }
        let unit = |units: &Option<Vec<u32>>, row: usize| units.as_ref().map_or(0, |units| units[row]);
        let mut cells: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
        for (row, group) in self.groups.as_slice()?.iter().enumerate() {
            cells.entry([*group, unit(&strata, row), unit(&clusters, row)]).or_default().push(row);
        }
        let [groups, strata_of_cells, clusters_of_cells] =
            [0, 1, 2].map(|place| cells.keys().map(|key| key[place]).collect::<Vec<u32>>());
        let clusters = clusters.map(|_| clusters_of_cells);
        let lonely = self.lonely_psu.as_deref().map(str::parse).transpose().map_err(raised)?.unwrap_or_default();
        let strata = strata.map_or_else(Vec::new, |_| strata_of_cells);
        let mut design = TestStrata { strata, clusters, lonely, ..TestStrata::default() }.into();
        let contents: Vec<_> = cells.values().map(|cell| rows.select(cell)).collect();
        if !replicates.is_empty() {
            let kind = request.replicate_kind().map_err(|problem| raised(truecount::Error::from(problem)))?;
            design = CellDesign::with_row_replicates(&contents, replicates.len(), kind).map_err(raised)?;
        }
        let keys = TextNames::new(Vec::new(), vec![Vec::new(); self.number_of_groups]);
        let [standard, populations] =
            [&self.standardise, &self.populations].map(|sizes| sizes.as_ref().map(|sizes| sizes.to_vec()).transpose());
        let sizes = GroupSizes { standard: standard?.map(Standard::single_set), populations: populations? };
        let cells = GroupCells::from_groups(NamedGroups { keys, contents, shift_total: None });
        Ok((request, GroupCells { groups, design, sizes, ..cells }))
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
