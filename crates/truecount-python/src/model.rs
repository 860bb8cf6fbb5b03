//! A fitted model.

use crate::error::{exception, raised, raised_of_method, value_error};
use crate::estimates::{self, Columns, Set, Tallied};
use crate::named::{AskedReporting, AskedSettings};
use crate::parallel::{detached, each, numbered};
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::OnceLock;
use truecount::check::ShiftCheck;
use truecount::{Bootstrap, Dialect, Error, LabelledScores, Query, Resamples};

/// Bootstrap replicates between two looks at Ctrl-C.
const BLOCK: u64 = 64;

/// Labelled scores with the quantifiers that were fitted to them.
#[pyclass(frozen)]
pub struct Model {
    model: truecount::Model,
    /// Made when first asked for; labelled scores that it cannot use still give estimates.
    shift: OnceLock<Option<ShiftCheck>>,
}

/// Labelled scores from columns.
pub fn labelled(
    scores: &PyReadonlyArray1<f64>,
    probabilities: Option<&PyReadonlyArray1<f64>>,
    positive: &PyReadonlyArray1<bool>,
) -> PyResult<LabelledScores> {
    let (scores, positive) = (scores.as_slice()?, positive.as_slice()?);
    let labelled = match probabilities {
        None => LabelledScores::new(scores, positive),
        Some(probabilities) => LabelledScores::with_probabilities(scores, probabilities.as_slice()?, positive),
    };
    labelled.map_err(raised)
}

/// Columns of labelled scores, positives first, and which are positive.
type Labelled<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Option<Bound<'py, PyArray1<f64>>>);

impl Model {
    fn new(model: truecount::Model) -> Self {
        Self { model: model.without_check(), shift: OnceLock::new() }
    }

    pub fn inner(&self) -> &truecount::Model {
        &self.model
    }

    fn shift(&self, wanted: bool) -> Option<&ShiftCheck> {
        if wanted { self.shift.get_or_init(|| ShiftCheck::new(self.model.labelled()).ok()).as_ref() } else { None }
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
        settings: AskedSettings,
    ) -> PyResult<(Self, Vec<(String, Py<PyAny>)>)> {
        let settings = settings.get()?;
        let labelled = labelled(&scores, probabilities.as_ref(), &positive)?;
        let (model, refused) =
            py.detach(|| truecount::Model::fit_telling(&labelled, &settings)).map_err(raised_of_method)?;
        let refused =
            refused.into_iter().map(|(method, error)| Ok((method.to_string(), exception(py, error)?.unbind())));
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

    /// The methods, in the order of their estimates.
    #[getter]
    fn methods(&self) -> Vec<String> {
        self.model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect()
    }

    /// What the standard error of each method accounts for.
    #[getter]
    fn variances(&self) -> Vec<Option<&'static str>> {
        self.model.quantifiers().iter().map(truecount::quantifier::Quantifier::variance_of).collect()
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
        let (sets, reporting) = (columns.sets()?, reporting.get()?);
        let (model, check) = (&self.model, self.shift(check));
        let found = detached(py, estimates::scores(&sets), || estimates::estimates(model, check, &sets, &reporting))?;
        estimates::columns(py, &found.map_err(|at| columns.raised(at))?)
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
        // The library's error does not tell of which set: each is tried.
        let (model, check) = (&self.model, self.shift(check));
        let formula = detached(py, estimates::scores(&sets), || estimates::estimates(model, None, &sets, &reporting))?;
        formula.map_err(|at| columns.raised(at))?;
        let batches = sets.iter().map(Set::batch).collect::<Result<Vec<_>, _>>().map_err(raised)?;
        let bootstrap = Bootstrap::new(model, batches, seed).map_err(raised)?;
        let replicates = numbered(py, resamples.number(), BLOCK, |number| bootstrap.replicate(number))?;
        let found = bootstrap.finish(&replicates, &reporting).map_err(raised)?;
        let found = detached(py, estimates::scores(&sets), || {
            let shifts = each(&sets, |set| estimates::shift_tally(check, set));
            let found = found.into_iter().zip(shifts).map(|(estimates, shift)| Ok((estimates, shift?)));
            estimates::together(check, found.collect())
        })?;
        estimates::columns(py, &found.map_err(|at| columns.raised(at))?)
    }

    /// A tally of every set.
    fn tally(&self, py: Python<'_>, columns: Columns<'_>) -> PyResult<Vec<Tally>> {
        let sets = columns.sets()?;
        let (model, check) = (&self.model, self.shift(true));
        let found: Vec<Result<Tallied, Error>> =
            detached(py, estimates::scores(&sets), || each(&sets, |set| estimates::tally(model, check, set)))?;
        let tallied = found.into_iter().enumerate().map(|(set, tallied)| match tallied {
            Ok(tallied) => Ok(Tally::new(model, tallied)),
            Err(error) => Err(columns.raised((set, error))),
        });
        tallied.collect()
    }

    fn read_tally(&self, text: &str) -> PyResult<Tally> {
        Tally::read(text, &self.model, self.shift(true))
    }

    /// Estimates from tallies, as columns.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        tallies: Vec<Py<Tally>>,
        reporting: AskedReporting,
        check: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (model, reporting, check) = (&self.model, reporting.get()?, self.shift(check));
        let tallies: Vec<&Tally> = tallies.iter().map(Py::get).collect();
        let one = |tally: &&Tally| {
            let tallied = tally.of(model)?;
            Ok((model.finish(&tallied.tallies, &reporting)?, tallied.shift.clone()))
        };
        // To finish a tally takes as long as some dozens of scores.
        let work = 64 * tallies.len();
        let found = detached(py, work, || estimates::together(check, each(&tallies, one)))?;
        estimates::columns(py, &found.map_err(|(_, error)| raised(error))?)
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
