//! Sample sizes for a precision.

use crate::error::{WarningCache, exception};
use crate::executor::detached;
use crate::model::Model;
use crate::tables::result_dict;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount_analysis::plan::{LabelledCounts, OmittedPlan};
use truecount_analysis::request::PlanRequest;
use truecount_analysis::spelling::Interface;

/// Numbers of labelled scores: in all, or of positives and of negatives.
#[derive(FromPyObject)]
enum PyLabelledCounts {
    Total(u64),
    PerClass(u64, u64),
}

/// Reads a request from a dictionary with the names of `PlanRequest`.
fn plan_request(options: &Bound<PyDict>) -> PyResult<PlanRequest> {
    let get = |name: &str| options.get_item(name).map(|value| value.filter(|value| !value.is_none()));
    let number = |name: &str| get(name)?.map(|value| value.extract::<f64>()).transpose();
    let text = |name: &str| get(name)?.map(|value| value.extract::<String>()).transpose();
    let default = PlanRequest::default();
    let labelled = get("labelled")?.map(|value| value.extract()).transpose()?.map(|counts| match counts {
        PyLabelledCounts::Total(total) => LabelledCounts::Total(total),
        PyLabelledCounts::PerClass(positive, negative) => LabelledCounts::PerClass(positive, negative),
    });
    Ok(PlanRequest {
        se: number("se")?,
        half_width: number("half_width")?,
        difference: number("difference")?,
        power: number("power")?,
        separate_labels: get("separate_labels")?.map_or(Ok(false), |value| value.extract())?,
        above: number("above")?,
        below: number("below")?,
        sensitivity: text("sensitivity")?,
        specificity: text("specificity")?,
        prevalence: number("prevalence")?,
        unlabelled: get("unlabelled")?.map(|value| value.extract()).transpose()?,
        labelled,
        assurance: number("assurance")?,
        design_effect: number("design_effect")?.unwrap_or(default.design_effect),
        level: number("level")?.unwrap_or(default.level),
        target: text("target")?.unwrap_or(default.target),
        interval: text("interval")?.unwrap_or(default.interval),
    })
}

/// Returns a result table of plans, with `warnings` (methods and texts), the `notes` below the table
/// and about a small pilot, and the methods and splits without a plan (`left_out`) with the exceptions
/// that say why.
#[pyfunction]
pub fn plan<'py>(
    py: Python<'py>,
    model: Option<PyRef<Model>>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = plan_request(options)?;
    // Any number suffices for the pool: the resamples of the pilot take longest.
    let model = model.as_deref().map(Model::inner);
    let plans = detached(py, usize::MAX, |threads| request.run(threads, model))?;
    let result = result_dict(py, &plans.table(), &plans.table())?;
    let mut cache = WarningCache::new(py);
    let warnings = plans.warnings().map(|(method, warning)| Ok((method, cache.get(&warning)?)));
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    let notes = plans.notes(Interface::Python).into_iter().map(|note| note.sentence().to_owned());
    result.set_item("notes", notes.chain(plans.small_pilot()).collect::<Vec<_>>())?;
    let left_out = plans.omitted.into_iter().map(|left_out| match left_out {
        OmittedPlan::Method(method, error) => Ok((method.to_string(), exception(py, &error)?)),
        OmittedPlan::Split(split, error) => Ok((split.to_owned(), exception(py, &error)?)),
    });
    result.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}
