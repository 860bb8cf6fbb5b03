//! Sample sizes for a precision.

use crate::error::{exception, new_warning};
use crate::executor::detached;
use crate::model::Model;
use crate::multiclass::PyMulticlassModel;
use crate::options::Options;
use crate::tables::result_dict;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount_analysis::plan::{Pilot, PlanCurve};
use truecount_analysis::request::PlanRequest;
use truecount_analysis::spelling::Interface;

/// The labelled rows that plans are based on.
#[derive(FromPyObject)]
pub enum PyPilot<'py> {
    Scores(PyRef<'py, Model>),
    Classes(PyRef<'py, PyMulticlassModel>),
}

/// Returns a result table of plans, with `warnings` (methods or classes, and texts), the `notes` below the table
/// and about a small pilot, and the methods and splits without a plan (`left_out`) with the exceptions that
/// say why.
#[pyfunction]
pub fn plan<'py>(py: Python<'py>, pilot: Option<PyPilot<'py>>, options: Options<'py>) -> PyResult<Bound<'py, PyDict>> {
    let request: PlanRequest = options.read()?;
    // Any number suffices for the pool: the resamples of the pilot take longest.
    let pilot = match &pilot {
        Some(PyPilot::Scores(model)) => Pilot::Scores(model.inner()),
        Some(PyPilot::Classes(model)) => Pilot::Classes(model.inner()),
        None => Pilot::Rates,
    };
    let plans = detached(py, usize::MAX, |threads| request.run(threads, pilot))?;
    let result = result_dict(py, &plans.table(), &plans.table())?;
    let warnings = plans.warnings(Interface::Python).into_iter();
    let warnings =
        warnings.map(|(name, severity, text, warning)| Ok((name, new_warning(py, text, severity, &*warning)?)));
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    let notes = plans.notes(Interface::Python, false).into_iter().map(|note| note.sentence().to_owned());
    result.set_item("notes", notes.chain(plans.small_pilot()).collect::<Vec<_>>())?;
    let left_out = plans.omitted.into_iter().map(|(name, error)| Ok((name, exception(py, &error)?)));
    result.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}

/// Returns the curves of sizes that reach the goal, by method: unlabelled and labelled scores.
#[pyfunction]
pub fn plan_curves(py: Python<'_>, model: PyRef<Model>, options: Options) -> PyResult<Vec<PlanCurve>> {
    let (request, model) = (options.read::<PlanRequest>()?, model.inner());
    Ok(detached(py, usize::MAX, |threads| request.run(threads, Pilot::Scores(model)))?.curves().unwrap_or_default())
}
