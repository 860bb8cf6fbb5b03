//! Sample sizes for a precision.

use crate::error::{WarningCache, exception};
use crate::executor::detached;
use crate::model::Model;
use crate::options::Options;
use crate::tables::result_dict;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount_analysis::plan::PlanCurve;
use truecount_analysis::request::PlanRequest;
use truecount_analysis::spelling::Interface;

/// Returns a result table of plans, with `warnings` (methods and texts), the `notes` below the table
/// and about a small pilot, and the methods and splits without a plan (`left_out`) with the exceptions that
/// say why.
#[pyfunction]
pub fn plan<'py>(py: Python<'py>, model: Option<PyRef<Model>>, options: Options<'py>) -> PyResult<Bound<'py, PyDict>> {
    let request: PlanRequest = options.read()?;
    // Any number suffices for the pool: the resamples of the pilot take longest.
    let model = model.as_deref().map(Model::inner);
    let plans = detached(py, usize::MAX, |threads| request.run(threads, model))?;
    let result = result_dict(py, &plans.table(), &plans.table())?;
    let mut cache = WarningCache::new(py);
    let warnings = plans.warnings().map(|(method, warning)| Ok((method, cache.get(&warning)?)));
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    let notes = plans.notes(Interface::Python).into_iter().map(|note| note.sentence().to_owned());
    result.set_item("notes", notes.chain(plans.small_pilot()).collect::<Vec<_>>())?;
    let left_out = plans.omitted.into_iter().map(|(name, error)| Ok((name, exception(py, &error)?)));
    result.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}

/// Returns the curves of sizes that reach the goal, by method: unlabelled and labelled scores.
#[pyfunction]
pub fn plan_curves(py: Python<'_>, model: PyRef<Model>, options: Options) -> PyResult<Vec<PlanCurve>> {
    let (request, model) = (options.read::<PlanRequest>()?, model.inner());
    Ok(detached(py, usize::MAX, |threads| request.run(threads, Some(model)))?.curves().unwrap_or_default())
}
