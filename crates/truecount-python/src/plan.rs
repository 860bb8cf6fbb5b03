//! Sample sizes for a precision.

use crate::error::{WarningCache, exception, raised, value_error};
use crate::model::Model;
use crate::options::PyIntervalOptions;
use crate::tables::result_dict;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::scores::PerClass;
use truecount_analysis::plan::{LabelledCounts, OmittedPlan, PlanQuestion, Plans};

/// A question to a plan from Python: the largest standard error or half-width, the prevalence, the
/// numbers of unlabelled and of labelled scores, and the design effect.
#[derive(FromPyObject)]
pub struct PlanRequest(Option<f64>, Option<f64>, Option<f64>, Option<u64>, Option<PyLabelledCounts>, f64);

/// Numbers of labelled scores: in all, or of positives and of negatives.
#[derive(FromPyObject)]
pub enum PyLabelledCounts {
    Total(u64),
    PerClass(u64, u64),
}

impl PlanRequest {
    fn question(self) -> PyResult<PlanQuestion> {
        let Self(se, half_width, _, unlabelled, labelled, _) = self;
        let labelled = labelled.map(|counts| match counts {
            PyLabelledCounts::Total(total) => LabelledCounts::Total(total),
            PyLabelledCounts::PerClass(positive, negative) => LabelledCounts::PerClass(PerClass { positive, negative }),
        });
        let question = PlanQuestion::new(se, half_width, unlabelled, labelled).map_err(raised)?;
        question.ok_or_else(|| value_error("a goal, sizes, or one of both is wanted"))
    }
}

/// Returns a result table of plans, with `splits` (names and meanings), `warnings` (methods and
/// texts), sentences about a small `pilot`, and the methods and splits without a plan (`left_out`)
/// with the exceptions that say why.
#[pyfunction]
pub fn plan<'py>(
    py: Python<'py>,
    model: &Model,
    request: PlanRequest,
    options: PyIntervalOptions,
) -> PyResult<Bound<'py, PyDict>> {
    let (prevalence, design_effect, options) = (request.2, request.5, options.parse()?);
    let question = request.question()?;
    let plans =
        py.detach(|| Plans::new(model.inner(), question, prevalence, design_effect, &options)).map_err(raised)?;
    let result = result_dict(py, &plans.table(), &plans.table())?;
    let mut cache = WarningCache::new(py);
    let warnings = plans.warnings().map(|(method, warning)| Ok((method.to_string(), cache.get(&warning)?)));
    result.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    result.set_item("splits", plans.splits().collect::<Vec<_>>())?;
    result.set_item("pilot", plans.small_pilot().collect::<Vec<_>>())?;
    let left_out = plans.omitted.into_iter().map(|left_out| match left_out {
        OmittedPlan::Method(method, error) => Ok((method.to_string(), exception(py, &error)?)),
        OmittedPlan::Split(split, error) => Ok((split.to_owned(), exception(py, &error)?)),
    });
    result.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(result)
}
