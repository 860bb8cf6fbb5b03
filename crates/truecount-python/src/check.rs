//! The check for prior probability shift, and the fit of the families.

use crate::error::value_error;
use crate::estimates::TestColumns;
use crate::executor::{PyThreads, detached};
use crate::model::{DesignColumns, Model, labelled};
use crate::options::Options;
use crate::tables::result_dict;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::LabelledScores;
use truecount::scores::PerClass;
use truecount::shift_test::{AdjustedCountAt, ShiftVerdict};
use truecount_analysis::family_test::{FAMILIES_SHOWN, describe_fits, omitted_families};
use truecount_analysis::request::CheckRequest;
use truecount_analysis::results::{CheckRow, ContaminationRow, ResultTable};
use truecount_analysis::shift_test::{CheckResult, describe_causes, describe_folds, split_by_class};
use truecount_analysis::spelling::Interface;

/// Labelled rows from Python, or those of a model.
#[derive(FromPyObject)]
pub enum LabelledArrays<'py> {
    Model(Bound<'py, Model>),
    Rows(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, bool>, DesignColumns<'py>),
}

impl LabelledArrays<'_> {
    fn scores(&self) -> PyResult<LabelledScores> {
        match self {
            Self::Model(model) => Ok(model.get().inner().labelled().clone()),
            Self::Rows(scores, positive, design) => labelled(scores, None, positive, design),
        }
    }

    fn folds(&self, numbers: &[u32]) -> PyResult<PerClass<Vec<u32>>> {
        let Self::Rows(_, positive, _) = self else { return Err(value_error("a model does not know its rows")) };
        Ok(split_by_class(numbers, positive.as_slice()?))
    }
}

/// Checks every set for prior probability shift, in this order.
///
/// Returns a result table with these entries in addition: the `curves`, which are Adjusted Count at
/// every threshold; the `meaning` of the verdicts and the `causes` in words; the comparison of the
/// `folds`; and, with a contamination, the result table of what it changes, two rows for each set.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    labelled: LabelledArrays<'py>,
    columns: TestColumns<'py>,
    order: Vec<usize>,
    folds: Option<PyReadonlyArray1<'py, u32>>,
    options: Options<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let folds = folds.map(|numbers| labelled.folds(numbers.as_slice()?)).transpose()?;
    let (labelled, sets) = (labelled.scores()?, columns.sets()?);
    let request: CheckRequest = options.read()?;
    let work = |threads: &PyThreads| request.run(threads, &labelled, folds.as_ref(), &sets, &order);
    let shift = detached(py, sets.number_of_scores(), work)?;
    let result = result_dict(py, &shift.table(), &shift.readable_table())?;
    let CheckResult { rows, folds, contamination } = shift;
    let curve = |row: &CheckRow| {
        let column = |field: fn(&AdjustedCountAt) -> f64| {
            row.result.adjusted_counts.iter().map(field).collect::<Vec<_>>().into_pyarray(py)
        };
        (column(|point| point.theta), column(|point| point.prevalence), column(|point| point.std_error))
    };
    result.set_item("curves", rows.iter().map(curve).collect::<Vec<_>>())?;
    result.set_item("meaning", ShiftVerdict::meaning(rows.iter().map(|row| &row.result)))?;
    result.set_item("causes", describe_causes(&rows))?;
    let folds = folds.map(|folds| (folds.folds, folds.statistic, folds.p_value, describe_folds(&folds)));
    result.set_item("folds", folds)?;
    let contamination = contamination.map(|rows| {
        let table = result_dict(py, &ResultTable::new(&rows), &ResultTable::new(&rows))?;
        table.set_item("title", rows.first().map(ContaminationRow::title))?;
        Ok::<_, PyErr>(table)
    });
    result.set_item("contamination", contamination.transpose()?)?;
    Ok(result)
}

/// Tests how well every family fits each class after a transform.
///
/// Returns a result table, with p-values if a number of resamples and a seed are given; the reasons why
/// families are left out or have no p-value; and a sentence about which families fit.
#[pyfunction]
pub fn family_test<'py>(
    py: Python<'py>,
    labelled: LabelledArrays<'py>,
    options: Options<'py>,
) -> PyResult<(Bound<'py, PyDict>, Vec<String>, String)> {
    let (request, labelled): (CheckRequest, _) = (options.read()?, labelled.scores()?);
    let scores = labelled.scores().positive.len() + labelled.scores().negative.len();
    let rows = detached(py, scores, |threads| request.families(threads, &labelled))?;
    let (reasons, sentence) = (omitted_families(&rows, Interface::Python), describe_fits(&rows, Interface::Python));
    let shown = ResultTable::new(&rows).view(&FAMILIES_SHOWN);
    Ok((result_dict(py, &ResultTable::new(&rows), &shown)?, reasons, sentence))
}
