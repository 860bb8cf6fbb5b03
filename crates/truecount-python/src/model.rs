//! A fitted model.

use crate::error::{Caveats, exception, raised, raised_of_method, raised_of_set, value_error};
use crate::estimates::{self, Columns, Set};
use crate::keys::KeyColumn;
use crate::named::{AskedReporting, AskedSettings};
use crate::parallel::{detached, each, numbered};
use crate::summed::AskedSummed;
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use truecount::quantifier::Quantifier;
use truecount::{Bootstrap, Dialect, Estimates, Label, LabelledRows, LabelledScores, Query, Resamples};
use truecount_io::tally::MergedTallies;

/// Bootstrap replicates between two looks at Ctrl-C.
const BLOCK: u64 = 64;

/// Labelled scores with the quantifiers that were fitted to them.
#[pyclass(frozen)]
pub struct Model {
    model: truecount::Model,
    /// The same without the check of prior probability shift.
    unchecked: truecount::Model,
}

/// A label as Python has it.
#[derive(FromPyObject, IntoPyObject)]
pub enum OfClass {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl From<OfClass> for Label {
    fn from(label: OfClass) -> Self {
        match label {
            OfClass::Flag(flag) => Self::Flag(flag),
            OfClass::Whole(number) => Self::Whole(number),
            OfClass::Number(number) => Self::Number(number),
            OfClass::Text(text) => Self::Text(text),
        }
    }
}

impl From<Label> for OfClass {
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
pub type Drawn<'py> = (Option<PyReadonlyArray1<'py, f64>>, Option<PyReadonlyArray1<'py, u32>>);

/// Labelled scores from columns.
pub fn labelled(
    scores: &PyReadonlyArray1<f64>,
    probabilities: Option<&PyReadonlyArray1<f64>>,
    positive: &PyReadonlyArray1<bool>,
    (weights, clusters): &Drawn,
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
type Labelled<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Option<Bound<'py, PyArray1<f64>>>);

impl Model {
    fn new(model: truecount::Model) -> Self {
        Self { unchecked: model.clone().without_check(), model }
    }

    pub fn inner(&self) -> &truecount::Model {
        &self.model
    }

    /// The estimates of every set.
    fn estimated(
        &self,
        py: Python<'_>,
        columns: &Columns,
        reporting: &AskedReporting,
        check: bool,
    ) -> PyResult<Vec<Estimates>> {
        let (sets, reporting, model) = (columns.sets()?, reporting.get()?, self.checked_if(check));
        let found = detached(py, estimates::scores(&sets), || estimates::estimates(model, &sets, &reporting))?;
        found.map_err(|at| columns.raised(at))
    }

    pub fn checked_if(&self, check: bool) -> &truecount::Model {
        if check { &self.model } else { &self.unchecked }
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
        drawn: Drawn,
        settings: AskedSettings,
        label: Option<OfClass>,
    ) -> PyResult<(Self, Vec<(String, Py<PyAny>)>)> {
        let settings = settings.get()?;
        let labelled = labelled(&scores, probabilities.as_ref(), &positive, &drawn)?;
        let (model, refused) =
            py.detach(|| truecount::Model::fit_telling(&labelled, &settings)).map_err(raised_of_method)?;
        let refused =
            refused.into_iter().map(|(method, error)| Ok((method.to_string(), exception(py, error)?.unbind())));
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
        py.detach(|| self.model.to_json())
    }

    #[getter]
    fn fingerprint(&self) -> String {
        self.model.fingerprint()
    }

    /// The label of the class that is counted.
    #[getter]
    fn positive(&self) -> Option<OfClass> {
        self.model.positive().cloned().map(OfClass::from)
    }

    /// The methods, in the order of their estimates.
    #[getter]
    fn methods(&self) -> Vec<String> {
        self.model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect()
    }

    /// What the standard error and interval of each method account for: by formula, or from a bootstrap of so many resamples.
    fn variances(&self, resamples: Option<u64>) -> Vec<Option<String>> {
        let of = |quantifier: &Quantifier| match resamples {
            Some(resamples) => Some(quantifier.method().variance_of_bootstrap(resamples)),
            None => quantifier.variance_of().map(str::to_owned),
        };
        self.model.quantifiers().iter().map(of).collect()
    }

    /// Parameters, thresholds, regions and rates, as JSON text.
    #[getter]
    fn learnt(&self) -> String {
        self.model.learnt_json()
    }

    /// The labelled scores, which of them are positive, and their probabilities.
    #[getter]
    fn labelled<'py>(&self, py: Python<'py>) -> Labelled<'py> {
        let (scores, probabilities) = (self.model.labelled().scores(), self.model.labelled().probabilities());
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
        columns: Columns<'py>,
        reporting: AskedReporting,
        check: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        estimates::columns(py, &self.estimated(py, &columns, &reporting, check)?)
    }

    /// The estimate of one set by the only method, as plain values.
    fn estimate_one<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
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
        columns: Columns<'py>,
        reporting: AskedReporting,
        check: bool,
        resamples: u64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (sets, reporting) = (columns.sets()?, reporting.get()?);
        let weighted = sets.iter().any(Set::is_weighted);
        let resamples = Resamples::new(resamples, weighted, &reporting).map_err(raised)?;
        resamples.check_room(sets.len() * self.model.quantifiers().len()).map_err(raised)?;
        // The library's error does not tell of which set: each is tried.
        let (model, unchecked) = (self.checked_if(check), &self.unchecked);
        let formula = detached(py, estimates::scores(&sets), || estimates::estimates(unchecked, &sets, &reporting))?;
        formula.map_err(|at| columns.raised(at))?;
        let batches = sets.iter().map(Set::batch).collect::<Result<Vec<_>, _>>().map_err(raised)?;
        let bootstrap = Bootstrap::new(model, batches, seed).map_err(raised)?;
        let replicates = numbered(py, resamples.number(), BLOCK, |number| bootstrap.replicate(number))?;
        let found = bootstrap.finish(&replicates, &reporting.among(sets.len())).map_err(raised)?;
        estimates::columns(py, &found)
    }

    /// A tally of every set; the random number tells them from all others.
    fn tally(&self, py: Python<'_>, columns: Columns<'_>, number: u64) -> PyResult<Tally> {
        let (sets, model) = (columns.sets()?, &self.model);
        let found = detached(py, estimates::scores(&sets), || each(&sets, |set| estimates::tallies(model, set)))?;
        let contents = estimates::first_error(found).map_err(|at| columns.raised(at))?;
        Ok(Tally::new(contents, number))
    }

    /// A tally file of groups with these values.
    fn write_tally<'py>(
        &self,
        py: Python<'py>,
        tally: &Tally,
        columns: Vec<KeyColumn<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        tally.write(py, &self.model, &columns)
    }

    /// The values of the groups of a tally file, and their tallies.
    fn read_tally<'py>(&self, py: Python<'py>, content: Vec<u8>) -> PyResult<(Vec<KeyColumn<'py>>, Tally)> {
        Tally::read(py, &self.model, content)
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
        let MergedTallies { contents, together } = &tally.merged;
        let (model, summed) = (self.checked_if(check && together.is_none()), summed.get(&reporting)?);
        // To finish a tally takes as long as some dozens of scores.
        let work = 64 * contents.len();
        let found = detached(py, work, || {
            let found = summed.groups(model, contents)?;
            let total = summed.total(self.checked_if(check), contents, &found).map_err(|error| (None, error))?;
            Ok((found, total))
        })?;
        let (found, total) = found.map_err(|(group, error): (Option<usize>, _)| match group {
            Some(group) => raised_of_set(group, error),
            None => raised(error),
        })?;
        let warning = match (self.checked_if(check).check(), together) {
            (Some(check), Some(tally)) => check.warning(tally, 1).map_err(raised)?,
            _ => None,
        };
        let warning = warning.map(|warning| Caveats::new(py).of(&warning)).transpose()?;
        let total = total.map(|total| estimates::columns(py, &[total])).transpose()?;
        Ok((estimates::columns(py, &found)?, total, warning))
    }

    /// What each score adds to the estimate of the method in that place.
    fn influence<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        columns: Columns<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let sets = columns.sets()?;
        let [set] = sets.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let each = py.detach(|| set.batch().and_then(|batch| self.model.influence(place, batch)));
        Ok(each.map_err(|error| columns.raised((0, error)))?.into_pyarray(py))
    }

    /// The same of each labelled score, first of the positives, then of the negatives, where these test scores decide.
    fn influence_of_labelled<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        columns: Columns<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let sets = columns.sets()?;
        let [set] = sets.as_slice() else { return Err(value_error("one set of scores is wanted")) };
        let each = py.detach(|| set.batch().and_then(|batch| self.model.influence_of_labelled(place, batch)));
        let each = each.map_err(|error| columns.raised((0, error)))?;
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
        self.model.sql(&query).map_err(raised)
    }
}
