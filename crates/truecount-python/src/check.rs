//! Is prior probability shift plausible, and if not, why; and do the families fit?

use crate::described::described;
use crate::error::{raised, refused, value_error};
use crate::estimates::{self, Columns, Set, first_error};
use crate::model::{Drawn, Model, labelled};
use crate::parallel::{detached, each, numbered};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::check::{AdjustedCountAt, Checked, Folds, Goodness, Look, Seen, ShiftCheck, ShiftTally};
use truecount::{Class, LabelledScores, PerClass, Subject, Transform};
use truecount_io::checked;
use truecount_io::results::{CheckRow, FitRow, SupposedRow, Table};

/// Replicates between two looks at Ctrl-C.
const BLOCK: u64 = 64;

/// What is compared with the test scores: labelled rows, or those of a model.
#[derive(FromPyObject)]
pub enum Labelled<'py> {
    Model(Bound<'py, Model>),
    Rows(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, bool>, Drawn<'py>),
}

impl Labelled<'_> {
    fn get(&self) -> PyResult<LabelledScores> {
        match self {
            Self::Model(model) => Ok(model.get().inner().labelled().clone()),
            Self::Rows(scores, positive, drawn) => labelled(scores, None, positive, drawn),
        }
    }

    /// The folds of each class, of rows in their order.
    fn folds(&self, numbers: &[u32]) -> PyResult<PerClass<Vec<u32>>> {
        let Self::Rows(_, positive, _) = self else { return Err(value_error("a model does not know its rows")) };
        let positive = positive.as_slice()?;
        let of = |class: bool| {
            let rows = numbers.iter().zip(positive).filter(|(_, flag)| **flag == class);
            rows.map(|(number, _)| *number).collect()
        };
        Ok(PerClass { positive: of(true), negative: of(false) })
    }
}

/// What the check says of every set, in this order, as described rows; and besides the `curves`, Adjusted Count at every threshold, of each;
/// its `meaning` and the `causes` in words; the `folds` among themselves; and with a share the rows of what is `supposed`, two of each set.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    learnt: Labelled<'py>,
    columns: Columns<'py>,
    order: Vec<usize>,
    folds: Option<PyReadonlyArray1<'py, u32>>,
    suppose: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let labelled = learnt.get()?;
    let check = ShiftCheck::new(&labelled).map_err(raised)?;
    let folds = folds.map(|numbers| compared(&check, &labelled, &learnt.folds(numbers.as_slice()?)?)).transpose()?;
    let look = Look::new(labelled.scores());
    let sets = columns.sets()?;
    let one = |set: &Set| {
        let (mut tally, mut seen) = (check.tally(), Seen::default());
        check.push(&mut tally, set.batch()?)?;
        look.see(&mut seen, set.scores(), set.weights());
        // Failing here rather than later tells which set is wrong.
        check.test(&tally).map(|_| (tally, seen))
    };
    let found = detached(py, estimates::scores(&sets), || {
        let found = first_error(each(&sets, one))?;
        let (tallies, seen): (Vec<ShiftTally>, Vec<Seen>) = found.into_iter().unzip();
        let of_first = |error| (0, error);
        let mut checked: Vec<Option<Checked>> =
            check.test_all(&tallies).map_err(of_first)?.into_iter().map(Some).collect();
        let row = |group: &usize| {
            let checked = checked[*group].take().expect("each set stands once in the order");
            let causes = check.causes(&checked, &tallies[*group], (&look, &seen[*group]), folds.as_ref())?;
            Ok(CheckRow { group: *group, checked, causes })
        };
        let rows = order.iter().map(row).collect::<Result<Vec<_>, _>>().map_err(of_first)?;
        let supposed = suppose.map(|share| SupposedRow::of_groups(share, &labelled, &rows, &tallies)).transpose();
        Ok((rows, supposed.map_err(of_first)?))
    })?;
    let (rows, supposed) = found.map_err(|at| columns.raised(at))?;
    let table = || Table::new(&rows);
    // Beside groups there is no room for the one, and of one group both are the same.
    let shown = if rows.len() > 1 { table().hidden("unexplained") } else { table().hidden("p_value_holm") };
    let found = described(py, &table(), &shown)?;
    let curve = |row: &CheckRow| {
        let of = |which: fn(&AdjustedCountAt) -> f64| {
            row.checked.curve.iter().map(which).collect::<Vec<_>>().into_pyarray(py)
        };
        (of(|at| at.theta), of(|at| at.prevalence), of(|at| at.se))
    };
    found.set_item("curves", rows.iter().map(curve).collect::<Vec<_>>())?;
    found.set_item("meaning", Checked::meaning(rows.iter().map(|row| &row.checked)))?;
    found.set_item("causes", checked::causes(&rows))?;
    let folds = folds.map(|folds| (folds.folds, folds.statistic, folds.p_value, checked::folds(&folds)));
    found.set_item("folds", folds)?;
    let supposed = supposed.map(|rows| {
        let found = described(py, &Table::new(&rows), &Table::new(&rows))?;
        found.set_item("title", rows.first().map(SupposedRow::title))?;
        Ok::<_, PyErr>(found)
    });
    found.set_item("supposed", supposed.transpose()?)?;
    Ok(found)
}

fn compared(check: &ShiftCheck, labelled: &LabelledScores, numbers: &PerClass<Vec<u32>>) -> PyResult<Folds> {
    check.folds(labelled.scores(), numbers).map_err(raised)?.ok_or_else(|| {
        let sentence = "fold: no class has rows of two folds, which could be compared; leave out fold";
        refused(Subject::Options, "option-invalid", sentence, &[("name", "fold")])
    })
}

/// How well every family fits each class, after a transformation, as described rows; with p-values from so many samples drawn from each fit,
/// if they are asked for. And which families fit, in words, with what to do if none does.
#[pyfunction]
pub fn families<'py>(
    py: Python<'py>,
    learnt: Labelled<'py>,
    transform: &str,
    drawing: Option<(u32, u64)>,
    advice: &str,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let transform: Transform = transform.parse().map_err(raised)?;
    let labelled = learnt.get()?;
    if !labelled.is_plain() {
        let sentence =
            "no family is fitted to labelled scores with weights or in clusters: check the test scores alone";
        return Err(refused(Subject::Options, "option-conflict", sentence, &[("name", "families")]));
    }
    let scores = transform.labelled(&labelled).map_err(raised)?;
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs: Vec<_> = classes.iter().flat_map(|of| FitRow::families().map(move |family| (family, *of))).collect();
    let mut rows = detached(py, scores.positive.len() + scores.negative.len(), || {
        each(&pairs, |(family, (class, scores))| FitRow::new(*family, *class, scores, Goodness::large_sample_p_value))
    })?;
    if let Some((resamples, seed)) = drawing {
        for (place, row) in rows.iter_mut().enumerate() {
            let Ok(found) = &mut row.found else { continue };
            let of = |number| found.goodness.replicate(seed, FitRow::stream(place, number));
            let replicates = numbered(py, u64::from(resamples), BLOCK, of)?;
            found.p_value = Some(found.goodness.p_value(&replicates));
        }
    }
    let words = checked::families(&rows, advice);
    let shown = Table::new(&rows).view(&["class", "family", "n", "statistic", "p_value"]);
    Ok((described(py, &Table::new(&rows), &shown)?, words))
}
