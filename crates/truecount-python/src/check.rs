//! Is prior probability shift plausible, and if not, why; and do the families fit?

use crate::described::described;
use crate::error::{raised, value_error};
use crate::estimates::EstimateDict;
use crate::executor::{PyThreads, detached};
use crate::model::{DesignColumns, Model, labelled};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::check::{AdjustedCountAt, ShiftVerdict};
use truecount::{LabelledScores, PerClass, Transform};
use truecount_analysis::family_test::{FAMILIES_SHOWN, FitResampling, describe_fits, family_test};
use truecount_analysis::results::{CheckRow, ContaminationRow, ResultTable};
use truecount_analysis::shift_test::{ShiftTestResult, describe_causes, describe_folds, shift_test, split_by_class};

/// What is compared with the test scores: labelled rows, or those of a model.
#[derive(FromPyObject)]
pub enum LabelledArrays<'py> {
    Model(Bound<'py, Model>),
    Rows(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, bool>, DesignColumns<'py>),
}

impl LabelledArrays<'_> {
    fn get(&self) -> PyResult<LabelledScores> {
        match self {
            Self::Model(model) => Ok(model.get().inner().labelled().clone()),
            Self::Rows(scores, positive, drawn) => labelled(scores, None, positive, drawn),
        }
    }

    /// The folds of each class, of rows in their order.
    fn folds(&self, numbers: &[u32]) -> PyResult<PerClass<Vec<u32>>> {
        let Self::Rows(_, positive, _) = self else { return Err(value_error("a model does not know its rows")) };
        Ok(split_by_class(numbers, positive.as_slice()?))
    }
}

/// What the check says of every set, in this order, as described rows; and besides the `curves`, Adjusted Count at every threshold, of each;
/// its `meaning` and the `causes` in words; the `folds` among themselves; and with a share the rows of what is `supposed`, two of each set.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    learnt: LabelledArrays<'py>,
    columns: EstimateDict<'py>,
    order: Vec<usize>,
    folds: Option<PyReadonlyArray1<'py, u32>>,
    contamination: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let labelled = learnt.get()?;
    let folds = folds.map(|numbers| learnt.folds(numbers.as_slice()?)).transpose()?;
    let sets = columns.sets()?;
    let work = |threads: &PyThreads| shift_test(threads, &labelled, folds.as_ref(), &sets, &order, contamination);
    let shift = detached(py, sets.number_of_scores(), work)?;
    let found = described(py, &shift.table(), &shift.readable_table())?;
    let ShiftTestResult { rows, folds, contamination } = shift;
    let curve = |row: &CheckRow| {
        let of = |which: fn(&AdjustedCountAt) -> f64| {
            row.result.curve.iter().map(which).collect::<Vec<_>>().into_pyarray(py)
        };
        (of(|at| at.theta), of(|at| at.prevalence), of(|at| at.se))
    };
    found.set_item("curves", rows.iter().map(curve).collect::<Vec<_>>())?;
    found.set_item("meaning", ShiftVerdict::meaning(rows.iter().map(|row| &row.result)))?;
    found.set_item("causes", describe_causes(&rows))?;
    let folds = folds.map(|folds| (folds.folds, folds.statistic, folds.p_value, describe_folds(&folds)));
    found.set_item("folds", folds)?;
    let supposed = contamination.map(|rows| {
        let found = described(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
        found.set_item("title", rows.first().map(ContaminationRow::title))?;
        Ok::<_, PyErr>(found)
    });
    found.set_item("supposed", supposed.transpose()?)?;
    Ok(found)
}

/// How well every family fits each class, after a transformation, as described rows; with p-values from so many samples drawn from each fit,
/// if they are asked for. And which families fit, in words, with what to do if none does.
#[pyfunction]
pub fn families<'py>(
    py: Python<'py>,
    learnt: LabelledArrays<'py>,
    transform: &str,
    drawing: Option<(u32, u64)>,
    advice: &str,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let transform: Transform = transform.parse().map_err(raised)?;
    let labelled = learnt.get()?;
    let scores = labelled.scores().positive.len() + labelled.scores().negative.len();
    let resampling = drawing.map(|(resamples, seed)| FitResampling { resamples, seed });
    let rows = detached(py, scores, |threads| family_test(threads, &labelled, transform, resampling))?;
    let words = describe_fits(&rows, advice);
    let shown = ResultTable::new(&rows).view(&FAMILIES_SHOWN);
    Ok((described(py, &ResultTable::new(&rows), &shown)?, words))
}
