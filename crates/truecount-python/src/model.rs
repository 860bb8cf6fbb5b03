//! A fitted model.

use crate::error::{WarningCache, exception, raised, value_error};
use crate::estimates::{self, TestColumns};
use crate::executor::detached;
use crate::keys::KeyColumn;
use crate::options::Options;
use crate::request::{PyRequest, PySource};
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pythonize::pythonize;
use truecount::LabelledScores;
use truecount::sql::{Query, QueryOutput};
use truecount_analysis::estimates::{FittedModel, tally_sets};
use truecount_analysis::notes::variance_of;
use truecount_analysis::options::SettingsArgs;
use truecount_analysis::totals::GroupEstimates;

/// Labelled scores with the quantifiers that were fitted to them.
#[pyclass(frozen)]
pub struct Model(FittedModel);

/// Weights, clusters and strata of labelled rows.
pub type DesignColumns<'py> =
    (Option<PyReadonlyArray1<'py, f64>>, Option<PyReadonlyArray1<'py, u32>>, Option<PyReadonlyArray1<'py, u32>>);

/// Returns labelled scores from columns.
pub fn labelled(
    scores: &PyReadonlyArray1<f64>,
    probabilities: Option<&PyReadonlyArray1<f64>>,
    positive: &PyReadonlyArray1<bool>,
    (weights, clusters, strata): &DesignColumns,
) -> PyResult<LabelledScores> {
    let rows = LabelledScores::builder(scores.as_slice()?, positive.as_slice()?)
        .probabilities(probabilities.map(|column| column.as_slice()).transpose()?)
        .weights(weights.as_ref().map(|weights| weights.as_slice()).transpose()?)
        .clusters(clusters.as_ref().map(|clusters| clusters.as_slice()).transpose()?)
        .strata(strata.as_ref().map(|strata| strata.as_slice()).transpose()?);
    rows.build().map_err(raised)
}

/// Columns of labelled scores, positives first: scores, flags of the positives, and probabilities.
type LabelledColumns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Option<Bound<'py, PyArray1<f64>>>);

impl Model {
    fn new(model: truecount::Model) -> Self {
        Self(FittedModel::new(model))
    }

    pub fn inner(&self) -> &truecount::Model {
        self.0.model()
    }

    pub fn fitted(&self) -> &FittedModel {
        &self.0
    }
}

#[pymethods]
impl Model {
    /// Fits the methods that the labelled scores allow, and returns the names of the others with
    /// the exceptions that say why. Raises an exception if the scores allow no method.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        scores: PyReadonlyArray1<f64>,
        positive: PyReadonlyArray1<bool>,
        probabilities: Option<PyReadonlyArray1<f64>>,
        design: DesignColumns,
        settings: Options,
    ) -> PyResult<(Self, Vec<(String, Py<PyAny>)>)> {
        let settings: SettingsArgs = settings.read()?;
        let labelled = labelled(&scores, probabilities.as_ref(), &positive, &design)?;
        let model = py.detach(|| settings.fit(&labelled)).map_err(raised)?;
        let failed = model.omitted().to_vec().into_iter();
        let failed = failed.map(|omitted| Ok((omitted.method.to_string(), exception(py, &omitted.error)?.unbind())));
        Ok((Self::new(model), failed.collect::<PyResult<_>>()?))
    }

    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| truecount::Model::from_json(text)).map(Self::new).map_err(raised)
    }

    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner().to_json())
    }

    #[getter]
    fn fingerprint(&self) -> String {
        self.inner().fingerprint()
    }

    /// The label of the positive class.
    #[getter]
    fn positive<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pythonize(py, &self.inner().positive()).map_err(value_error)
    }

    /// The methods, in the order of their estimates.
    #[getter]
    fn methods(&self) -> Vec<String> {
        self.inner().quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect()
    }

    /// Returns what each method's standard error and interval account for: by formula, or from a
    /// bootstrap with this number of resamples.
    fn variances(&self, resamples: Option<u64>) -> Vec<Option<String>> {
        self.inner().quantifiers().iter().map(|quantifier| variance_of(quantifier, resamples)).collect()
    }

    /// Fitted parameters, thresholds, regions and rates, as JSON text.
    #[getter]
    fn parameters(&self) -> String {
        self.inner().parameters_json()
    }

    /// The labelled scores, flags of the positives, and the probabilities.
    #[getter]
    fn labelled<'py>(&self, py: Python<'py>) -> LabelledColumns<'py> {
        let (scores, probabilities) = (self.inner().labelled().scores(), self.inner().labelled().probabilities());
        let positive: Vec<bool> = [vec![true; scores.positive.len()], vec![false; scores.negative.len()]].concat();
        let concat = |column: &truecount::scores::PerClass<Vec<f64>>| {
            [column.positive.as_slice(), column.negative.as_slice()].concat().into_pyarray(py)
        };
        (concat(scores), positive.into_pyarray(py), probabilities.map(concat))
    }

    /// Returns the estimates of each group, as columns; the estimates of their total, if requested;
    /// and the shift check's warning about all groups together, if they are checked so.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        source: PySource<'py>,
        request: PyRequest<'py>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, Option<Bound<'py, PyAny>>)> {
        let mut estimates = request.estimate(py, &self.0, &source)?;
        let total = estimates.take_total();
        let GroupEstimates { groups, warning, publication_rule: rule, .. } = estimates;
        let warning = warning.map(|warning| WarningCache::new(py).get(&warning)).transpose()?;
        let total = total.map(|total| estimates::columns(py, &[total], rule)).transpose()?;
        Ok((estimates::columns(py, &groups, rule)?, total, warning))
    }

    /// Returns the estimate of one group by a model's only method, as plain values.
    fn estimate_one<'py>(
        &self,
        py: Python<'py>,
        source: PySource<'py>,
        request: PyRequest<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let groups = request.estimate(py, &self.0, &source)?.groups;
        let [estimates] = groups.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let [estimate] = &estimates[..] else { return Err(value_error("one method is wanted")) };
        estimates::row(py, estimate)
    }

    /// Tallies every set; the random number identifies the tally.
    fn tally(&self, py: Python<'_>, columns: TestColumns<'_>, number: u64) -> PyResult<Tally> {
        let (sets, model) = (columns.sets()?, self.inner());
        let contents = detached(py, sets.number_of_scores(), |threads| tally_sets(threads, model, &sets))?;
        Ok(Tally::new(contents, number))
    }

    /// Returns a tally file of groups with these values.
    fn write_tally<'py>(
        &self,
        py: Python<'py>,
        tally: &Tally,
        columns: Vec<KeyColumn<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        tally.write(py, self.inner(), &columns)
    }

    /// Returns the values of the groups in a tally file, and their tallies.
    fn read_tally<'py>(&self, py: Python<'py>, content: Vec<u8>) -> PyResult<(Vec<KeyColumn<'py>>, Tally)> {
        Tally::read(py, self.inner(), content)
    }

    /// Returns the influence of each test score on the estimate of the method with this index.
    fn influence<'py>(
        &self,
        py: Python<'py>,
        method: usize,
        columns: TestColumns<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let sets = columns.sets()?;
        let [set] = sets.sets.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let values = py.detach(|| set.batch().and_then(|batch| self.inner().influence(method, batch)));
        Ok(values.map_err(|error| raised(sets.map_row(error.in_set(0))))?.into_pyarray(py))
    }

    /// Returns a query of estimates or counts.
    ///
    /// `source` is the table's name in parts, the columns of scores and probabilities, the grouping
    /// columns, and the period that replaces the dates of the last one. Without level and target the
    /// query returns counts, with weights from a column.
    fn sql(
        &self,
        source: (Vec<String>, String, Option<String>, Vec<String>, Option<String>),
        dialect: &str,
        options: Option<Options>,
        weight: Option<String>,
    ) -> PyResult<String> {
        let (table, score, probability, by, every) = source;
        let output = match options {
            Some(options) => {
                let options = options.intervals()?;
                QueryOutput::Estimates { level: options.level(), target: options.target() }
            }
            None => QueryOutput::Counts { weight },
        };
        let mut query = Query::new(table, score, output);
        (query.probability, query.by, query.dialect) = (probability, by, dialect.parse().map_err(raised)?);
        query.every = every.map(|every| every.parse()).transpose().map_err(raised)?;
        self.inner().sql(&query).map_err(raised)
    }
}
