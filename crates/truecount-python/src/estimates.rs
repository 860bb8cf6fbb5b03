//! Many test sets at once: tallied on all threads, with the same bits on any number of them.

use crate::error::{Caveats, at_row, raised_of_set, value_error};
use crate::parallel::each;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::quantifier::Keeps;
use truecount::{Batch, Error, Estimate, Estimates, Model, Reporting, Tallies};
use truecount_io::input::Numbers;

/// Scores that are tallied in one go. Where a set is cut does not depend on the threads.
const PIECE: usize = 1 << 17;

/// The columns of test sets as they come from Python: an array for each set, or one array that is cut at the starts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Columns<'py> {
    scores: Vec<Bound<'py, PyArray1<f64>>>,
    probabilities: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    weights: Option<Vec<Bound<'py, PyArray1<f64>>>>,
    starts: Option<PyReadonlyArray1<'py, i64>>,
    /// Where the sets are groups of rows: the group of each row, in the order in which the caller has them.
    groups: Option<PyReadonlyArray1<'py, u32>>,
}

/// One test set.
#[derive(Clone, Copy)]
pub struct Set<'a> {
    scores: &'a [f64],
    probabilities: Option<&'a [f64]>,
    weights: Option<&'a [f64]>,
}

impl Columns<'_> {
    pub fn sets(&self) -> PyResult<Vec<Set<'_>>> {
        let scores = self.cut(&self.scores)?;
        let probabilities = self.probabilities.as_ref().map(|arrays| self.cut(arrays)).transpose()?;
        let weights = self.weights.as_ref().map(|arrays| self.cut(arrays)).transpose()?;
        let of = |column: &Option<Vec<_>>, set: usize| column.as_ref().and_then(|column| column.get(set).copied());
        let set = |(set, scores)| Set { scores, probabilities: of(&probabilities, set), weights: of(&weights, set) };
        Ok(scores.into_iter().enumerate().map(set).collect())
    }

    /// The exception for an error of a set; its row is that of the caller.
    pub fn raised(&self, (set, error): (usize, Error)) -> PyErr {
        let Some(Ok(groups)) = self.groups.as_ref().map(|groups| groups.as_slice()) else {
            return raised_of_set(set, error);
        };
        let mut rows = (0..).zip(groups).filter(|(_, group)| **group as usize == set).map(|(row, _)| row);
        raised_of_set(set, at_row(error, |row| rows.nth(row).unwrap_or(row)))
    }

    #[allow(unsafe_code)]
    fn cut<'a>(&self, arrays: &'a [Bound<'_, PyArray1<f64>>]) -> PyResult<Vec<&'a [f64]>> {
        // SAFETY: the arrays are only read, and live as long as the slices. That nobody writes to them meanwhile is up to the caller, as for
        // every function of numpy. The guards that rust-numpy has for that know Rust's own writers alone, of which there are none here, and
        // take quadratic time for many parts of one array.
        let slice = |array: &'a Bound<'_, PyArray1<f64>>| unsafe { array.as_slice() };
        let arrays = arrays.iter().map(slice).collect::<Result<Vec<_>, _>>()?;
        let Some(starts) = &self.starts else { return Ok(arrays) };
        let starts = starts.as_slice()?;
        let rows = |ends: &[i64]| {
            let range = usize::try_from(ends[0]).ok()?..usize::try_from(ends[1]).ok()?;
            arrays.first()?.get(range)
        };
        let sets = starts.windows(2).map(rows).collect::<Option<_>>();
        sets.ok_or_else(|| value_error("the starts lie outside the column"))
    }
}

impl<'a> Set<'a> {
    pub fn batch(&self) -> Result<Batch<'a>, Error> {
        let batch = match self.probabilities {
            Some(probabilities) => Batch::with_probabilities(self.scores, probabilities)?,
            None => self.scores.into(),
        };
        self.weights.map_or(Ok(batch), |weights| batch.with_weights(weights))
    }

    pub fn scores(&self) -> &'a [f64] {
        self.scores
    }

    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// The same as a copy of its own.
    pub fn numbers(&self) -> Numbers<Vec<f64>> {
        let of = |column: Option<&[f64]>| column.map(<[f64]>::to_vec);
        Numbers { scores: self.scores.to_vec(), probabilities: of(self.probabilities), weights: of(self.weights) }
    }

    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    fn pieces(&self) -> usize {
        self.scores.len().div_ceil(PIECE)
    }

    fn piece(&self, number: usize) -> Self {
        let rows = number * PIECE..self.scores.len().min((number + 1) * PIECE);
        let of = |column: Option<&'a [f64]>| column.map(|column| &column[rows.clone()]);
        Self { scores: &self.scores[rows.clone()], probabilities: of(self.probabilities), weights: of(self.weights) }
    }
}

/// How many scores all sets have.
pub fn scores(sets: &[Set]) -> usize {
    sets.iter().map(|set| set.scores.len()).sum()
}

/// The tallies of one set, piece by piece.
pub fn tallies(model: &Model, set: &Set) -> Result<Tallies, Error> {
    // Of different lengths, the columns could not be cut alike.
    set.batch()?;
    let empty = || if set.is_weighted() { model.weighted_tallies() } else { Ok(model.tallies()) };
    let one = |number: usize| {
        let mut tallies = empty()?;
        let batch = set.piece(number).batch()?;
        model.push(&mut tallies, batch).map_err(|error| at_row(error, |row| number * PIECE + row))?;
        Ok(tallies)
    };
    let numbers: Vec<usize> = (0..set.pieces()).collect();
    let pieces = each(&numbers, |number| one(*number));
    pieces.into_iter().try_fold(empty()?, |mut whole, piece| whole.merge(&piece?).map(|()| whole))
}

/// The estimates of each set; or the first error, with the number of its set.
pub fn estimates(model: &Model, sets: &[Set], reporting: &Reporting) -> Result<Vec<Estimates>, (usize, Error)> {
    // Methods that keep every score gain nothing from pieces: they would only be copied once more.
    let in_pieces = model.settings().methods.iter().all(|method| method.keeps() != Keeps::Scores);
    let reporting = reporting.among(sets.len());
    let one = |set: &Set| {
        if in_pieces && set.pieces() > 1 {
            return model.finish(&tallies(model, set)?, &reporting);
        }
        model.estimate(set.batch()?, &reporting)
    };
    first_error(each(sets, one))
}

/// What was found in all sets, or the first error, with the number of its set.
pub fn first_error<T>(found: Vec<Result<T, Error>>) -> Result<Vec<T>, (usize, Error)> {
    found.into_iter().enumerate().map(|(set, found)| found.map_err(|error| (set, error))).collect()
}

/// A number of an estimate, if there is one.
type Number = (&'static str, fn(&Estimate) -> Option<f64>);

/// The numbers of an estimate, by the names that they have in Python.
const NUMBERS: [Number; 9] = [
    ("n_eff", |estimate| estimate.effective_n),
    ("prevalence", |estimate| Some(estimate.prevalence)),
    ("raw", |estimate| Some(estimate.raw)),
    ("se", |estimate| estimate.uncertainty.map(|u| u.se)),
    ("lower", |estimate| estimate.uncertainty.map(|u| u.lower)),
    ("upper", |estimate| estimate.uncertainty.map(|u| u.upper)),
    ("misfit", |estimate| estimate.misfit.map(|misfit| misfit.scale)),
    ("unexplained", |estimate| estimate.misfit.map(|misfit| misfit.unexplained)),
    ("wider", |estimate| estimate.misfit.map(|misfit| misfit.more)),
];

/// Columns of all estimates, set by set and within it method by method. What there is not is NaN.
pub fn columns<'py>(py: Python<'py>, estimates: &[Estimates]) -> PyResult<Bound<'py, PyDict>> {
    let all = || estimates.iter().flatten();
    let columns = PyDict::new(py);
    #[allow(clippy::cast_possible_wrap)] // at most 2^53
    let n: Vec<i64> = all().map(|estimate| estimate.n as i64).collect();
    columns.set_item("n", n.into_pyarray(py))?;
    for (name, number) in NUMBERS {
        let numbers: Vec<f64> = all().map(|estimate| number(estimate).unwrap_or(f64::NAN)).collect();
        columns.set_item(name, numbers.into_pyarray(py))?;
    }
    let mut caveats = Caveats::new(py);
    let caveats = all().map(|estimate| caveats.all_of(&estimate.warnings)).collect::<PyResult<Vec<_>>>()?;
    columns.set_item("warnings", caveats)?;
    Ok(columns)
}

/// One estimate under the names of those columns, as plain values: of a small set, arrays take longer than the estimate. What there is
/// not is None.
pub fn row<'py>(py: Python<'py>, estimate: &Estimate) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("n", estimate.n)?;
    for (name, number) in NUMBERS {
        row.set_item(name, number(estimate))?;
    }
    row.set_item("warnings", Caveats::new(py).all_of(&estimate.warnings)?)?;
    Ok(row)
}
