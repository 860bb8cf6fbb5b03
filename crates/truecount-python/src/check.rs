//! Is prior probability shift plausible?

use crate::error::raised;
use crate::estimates::{self, Columns, Set};
use crate::model::labelled;
use crate::parallel::{detached, each};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::Error;
use truecount::check::{Checked, ShiftCheck, ShiftTally, Verdict};

/// What the check says of every set, as columns, and what it means. The curve of each set is Adjusted Count at every
/// threshold.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    positive: PyReadonlyArray1<'py, bool>,
    columns: Columns<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let check = ShiftCheck::new(&labelled(&scores, None, &positive, &(None, None))?).map_err(raised)?;
    let sets = columns.sets()?;
    let one = |set: &Set| {
        let mut tally = check.tally();
        check.push(&mut tally, set.batch()?)?;
        // Failing here rather than later tells which set is wrong.
        check.test(&tally).map(|_| tally)
    };
    let checked = detached(py, estimates::scores(&sets), || {
        let found: Vec<Result<ShiftTally, Error>> = each(&sets, one);
        let tallies = found.into_iter().enumerate().map(|(set, tally)| tally.map_err(|error| (set, error)));
        let tallies = tallies.collect::<Result<Vec<_>, _>>()?;
        check.test_all(&tallies).map_err(|error| (0, error))
    })?;
    let checked = checked.map_err(|at| columns.raised(at))?;
    let doubles = |of: fn(&Checked) -> f64| checked.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
    let found = PyDict::new(py);
    #[allow(clippy::cast_possible_wrap)] // a number of scores in memory
    let n: Vec<i64> = checked.iter().map(|one| one.shift.n as i64).collect();
    found.set_item("n", n.into_pyarray(py))?;
    found.set_item("statistic", doubles(|one| one.shift.statistic))?;
    found.set_item("p_value", doubles(|one| one.shift.p_value))?;
    found.set_item("p_value_holm", doubles(|one| one.adjusted))?;
    found.set_item("prevalence", doubles(|one| one.shift.prevalence))?;
    found.set_item("from", doubles(|one| one.worst.from))?;
    found.set_item("to", doubles(|one| one.worst.to))?;
    found.set_item("share", doubles(|one| one.worst.share))?;
    found.set_item("se", doubles(|one| one.worst.se))?;
    let verdicts: Vec<&str> = checked.iter().map(|one| one.verdict().name()).collect();
    found.set_item("verdict", verdicts)?;
    found.set_item("unexplained", doubles(|one| one.shift.misfit.unexplained))?;
    let too_many = |one: &Checked| match one.verdict() {
        Verdict::Mixture => String::new(),
        Verdict::Doubtful | Verdict::NoMixture => one.worst.to_string(),
    };
    found.set_item("too_many", checked.iter().map(too_many).collect::<Vec<_>>())?;
    let curve = |one: &Checked| {
        let of = |which: fn(&truecount::check::AdjustedCountAt) -> f64| {
            one.curve.iter().map(which).collect::<Vec<_>>().into_pyarray(py)
        };
        (of(|at| at.theta), of(|at| at.prevalence), of(|at| at.se))
    };
    found.set_item("curves", checked.iter().map(curve).collect::<Vec<_>>())?;
    found.set_item("meaning", Checked::meaning(&checked))?;
    Ok(found)
}
