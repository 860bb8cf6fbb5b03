//! A fitted model.

use crate::error::{Caveats, exception, raised, value_error};
use crate::estimates::{self, EstimateDict};
use crate::executor::{PyThreads, detached};
use crate::keys::KeyColumn;
use crate::named::{AskedReporting, AskedSettings};
use crate::summed::AskedSummed;
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use truecount::quantifier::Quantifier;
use truecount::{Dialect, Estimates, Label, LabelledRows, LabelledScores, Query, Resamples};
use truecount_analysis::estimates::{self as analysis, FittedModel, Resampling};
use truecount_analysis::totals::estimate_groups;

/// Labelled scores with the quantifiers that were fitted to them.
#[pyclass(frozen)]
pub struct Model(FittedModel);

/// A label as Python has it.
#[derive(FromPyObject, IntoPyObject)]
pub enum ClassSummary {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl From<ClassSummary> for Label {
    fn from(label: ClassSummary) -> Self {
        match label {
            ClassSummary::Flag(flag) => Self::Flag(flag),
            ClassSummary::Whole(number) => Self::Whole(number),
            ClassSummary::Number(number) => Self::Number(number),
            ClassSummary::Text(text) => Self::Text(text),
        }
    }
}

impl From<Label> for ClassSummary {
    fn from(label: Label) -> Self {
        match label {
            Label::Flag(flag) => Self::Flag(flag),
            Label::Whole(number) => Self::Whole(number),
            Label::Number(number) => Self::Number(number),
            Label::Text(text) => Self::Text(text),
        }
    }
}

/// Weights and clusters of labelled rows.
pub type DesignColumns<'py> = (Option<PyReadonlyArray1<'py, f64>>, Option<PyReadonlyArray1<'py, u32>>);

/// Labelled scores from columns.
pub fn labelled(
    scores: &PyReadonlyArray1<f64>,
    probabilities: Option<&PyReadonlyArray1<f64>>,
    positive: &PyReadonlyArray1<bool>,
    (weights, clusters): &DesignColumns,
) -> PyResult<LabelledScores> {
    let rows = LabelledRows {
        scores: scores.as_slice()?,
        positive: positive.as_slice()?,
        probabilities: probabilities.map(|given| given.as_slice()).transpose()?,
        weights: weights.as_ref().map(|weights| weights.as_slice()).transpose()?,
        clusters: clusters.as_ref().map(|clusters| clusters.as_slice()).transpose()?,
    };
    LabelledScores::from_rows(&rows).map_err(raised)
}

/// Columns of labelled scores, positives first, and which are positive.
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

    /// The estimates of every set.
    fn estimated(
        &self,
        py: Python<'_>,
        columns: &EstimateDict,
        reporting: &AskedReporting,
        check: bool,
    ) -> PyResult<Vec<Estimates>> {
        let (sets, reporting, model) = (columns.sets()?, reporting.get()?, self.0.select(check));
        detached(py, sets.number_of_scores(), |threads| analysis::estimate_sets(threads, model, &sets, &reporting))
    }
}

#[pymethods]
impl Model {
    /// Fits the methods, and tells which of them the labelled scores do not allow, with the exceptions that say why; an error
    /// if they allow none.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        scores: PyReadonlyArray1<f64>,
        positive: PyReadonlyArray1<bool>,
        probabilities: Option<PyReadonlyArray1<f64>>,
        drawn: DesignColumns,
        settings: AskedSettings,
        label: Option<ClassSummary>,
    ) -> PyResult<(Self, Vec<(String, Py<PyAny>)>)> {
        let settings = settings.get()?;
        let labelled = labelled(&scores, probabilities.as_ref(), &positive, &drawn)?;
        let (model, refused) = py.detach(|| truecount::Model::fit_available(&labelled, &settings)).map_err(raised)?;
        let refused =
            refused.into_iter().map(|(method, error)| Ok((method.to_string(), exception(py, &error)?.unbind())));
        let model = match label {
            Some(label) => model.with_positive(label.into()),
            None => model,
        };
        Ok((Self::new(model), refused.collect::<PyResult<_>>()?))
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

    /// The label of the class that is counted.
    #[getter]
    fn positive(&self) -> Option<ClassSummary> {
        self.inner().positive().cloned().map(ClassSummary::from)
    }

    /// The methods, in the order of their estimates.
    #[getter]
    fn methods(&self) -> Vec<String> {
        self.inner().quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect()
    }

    /// What the standard error and interval of each method account for: by formula, or from a bootstrap of so many resamples.
    fn variances(&self, resamples: Option<u64>) -> Vec<Option<String>> {
        let of = |quantifier: &Quantifier| match resamples {
            Some(resamples) => Some(quantifier.method().variance_of_bootstrap(resamples)),
            None => quantifier.variance_of().map(str::to_owned),
        };
        self.inner().quantifiers().iter().map(of).collect()
    }

    /// Parameters, thresholds, regions and rates, as JSON text.
    #[getter]
    fn learnt(&self) -> String {
        self.inner().learnt_json()
    }

    /// The labelled scores, which of them are positive, and their probabilities.
    #[getter]
    fn labelled<'py>(&self, py: Python<'py>) -> LabelledColumns<'py> {
        let (scores, probabilities) = (self.inner().labelled().scores(), self.inner().labelled().probabilities());
        let positive: Vec<bool> = [vec![true; scores.positive.len()], vec![false; scores.negative.len()]].concat();
        let both = |column: &truecount::PerClass<Vec<f64>>| {
            [column.positive.as_slice(), column.negative.as_slice()].concat().into_pyarray(py)
        };
        (both(scores), positive.into_pyarray(py), probabilities.map(both))
    }

    /// Estimates of every set, as columns.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        columns: EstimateDict<'py>,
        reporting: AskedReporting,
        check: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        estimates::columns(py, &self.estimated(py, &columns, &reporting, check)?)
    }

    /// The estimate of one set by the only method, as plain values.
    fn estimate_one<'py>(
        &self,
        py: Python<'py>,
        columns: EstimateDict<'py>,
        reporting: AskedReporting,
        check: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = self.estimated(py, &columns, &reporting, check)?;
        let [estimates] = found.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let [estimate] = &estimates[..] else { return Err(value_error("one method is wanted")) };
        estimates::row(py, estimate)
    }

    /// The same with standard errors and intervals from a bootstrap.
    fn bootstrap<'py>(
        &self,
        py: Python<'py>,
        columns: EstimateDict<'py>,
        reporting: AskedReporting,
        check: bool,
        resamples: u64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (sets, reporting, model) = (columns.sets()?, reporting.get()?, self.0.select(check));
        let resamples = Resamples::new(resamples, sets.are_weighted(), &reporting).map_err(raised)?;
        let resampling = Resampling { resamples, seed };
        let work = |threads: &PyThreads| resampling.estimates(threads, model, &sets, &reporting);
        estimates::columns(py, &detached(py, sets.number_of_scores(), work)?)
    }

    /// A tally of every set; the random number tells them from all others.
    fn tally(&self, py: Python<'_>, columns: EstimateDict<'_>, number: u64) -> PyResult<Tally> {
        let (sets, model) = (columns.sets()?, self.inner());
        let contents = detached(py, sets.number_of_scores(), |threads| analysis::tally_sets(threads, model, &sets))?;
        Ok(Tally::new(contents, number))
    }

    /// A tally file of groups with these values.
    fn write_tally<'py>(
        &self,
        py: Python<'py>,
        tally: &Tally,
        columns: Vec<KeyColumn<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        tally.write(py, self.inner(), &columns)
    }

    /// The values of the groups of a tally file, and their tallies.
    fn read_tally<'py>(&self, py: Python<'py>, content: Vec<u8>) -> PyResult<(Vec<KeyColumn<'py>>, Tally)> {
        Tally::read(py, self.inner(), content)
    }

    /// Estimates from tallies, as columns; the same of all groups together, where they are asked for; and what the check says of all
    /// groups together, where it looks at them so.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        tally: &Tally,
        reporting: AskedReporting,
        check: bool,
        summed: AskedSummed<'py>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, Option<Bound<'py, PyAny>>)> {
        let (groups, options) = (tally.groups(self.0.select(check)), summed.get(&reporting)?);
        let found = detached(py, tally.work(), |threads| estimate_groups(threads, &groups, &options, None))?;
        let warning = found.warning.map(|warning| Caveats::new(py).of(&warning)).transpose()?;
        let total = found.total.map(|total| estimates::columns(py, &[total])).transpose()?;
        Ok((estimates::columns(py, &found.groups)?, total, warning))
    }

    /// What each score adds to the estimate of the method in that place.
    fn influence<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        columns: EstimateDict<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let sets = columns.sets()?;
        let [set] = sets.sets.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let each = py.detach(|| set.batch().and_then(|batch| self.inner().influence(place, batch)));
        Ok(each.map_err(|error| raised(sets.map_row(error.in_set(0))))?.into_pyarray(py))
    }

    /// The same of each labelled score, first of the positives, then of the negatives, where these test scores decide.
    fn influence_of_labelled<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        columns: EstimateDict<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let sets = columns.sets()?;
        let [set] = sets.sets.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let each = py.detach(|| set.batch().and_then(|batch| self.inner().influence_of_labelled(place, batch)));
        let each = each.map_err(|error| raised(sets.map_row(error.in_set(0))))?;
        Ok((each.positive.into_pyarray(py), each.negative.into_pyarray(py)))
    }

    /// A query that computes the estimates.
    fn sql(
        &self,
        read: (Vec<String>, String, Option<String>, Vec<String>),
        dialect: &str,
        reporting: AskedReporting,
    ) -> PyResult<String> {
        let (table, score, probability, by) = read;
        let (dialect, reporting) = (dialect.parse::<Dialect>().map_err(raised)?, reporting.get()?);
        let mut query = Query::new(table, score, reporting);
        (query.probability, query.by, query.dialect) = (probability, by, dialect);
        self.inner().sql(&query).map_err(raised)
    }
}
