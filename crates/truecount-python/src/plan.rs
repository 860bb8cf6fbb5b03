//! The sizes that a precision needs.

use crate::described::described;
use crate::error::{Caveats, exception, raised, value_error};
use crate::model::Model;
use crate::named::AskedReporting;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::PerClass;
use truecount_analysis::plan::{LabelledCounts, OmittedPlan, PlanQuestion, Plans};

/// What is asked: the largest standard error or half-width, the prevalence, unlabelled scores, and labelled ones in all or of each class.
#[derive(FromPyObject)]
pub struct PlanRequest(Option<f64>, Option<f64>, Option<f64>, Option<u64>, Option<AskedCounts>);

/// Numbers of labelled scores.
#[derive(FromPyObject)]
pub enum AskedCounts {
    InAll(u64),
    Each(u64, u64),
}

impl PlanRequest {
    fn question(self) -> PyResult<PlanQuestion> {
        let Self(se, half_width, _, unlabelled, labelled) = self;
        let labelled = labelled.map(|counts| match counts {
            AskedCounts::InAll(total) => LabelledCounts::Total(total),
            AskedCounts::Each(positive, negative) => LabelledCounts::PerClass(PerClass { positive, negative }),
        });
        let found = PlanQuestion::new(se, half_width, unlabelled, labelled).map_err(raised)?;
        found.ok_or_else(|| value_error("a goal, sizes, or one of both is wanted"))
    }
}

/// The plans as described rows, with `splits` (names and meanings), `warnings` (methods and texts), sentences about a small `pilot`, and
/// what is `left_out` and why.
#[pyfunction]
pub fn plan<'py>(
    py: Python<'py>,
    model: &Model,
    asked: PlanRequest,
    reporting: AskedReporting,
) -> PyResult<Bound<'py, PyDict>> {
    let (prevalence, reporting) = (asked.2, reporting.get()?);
    let question = asked.question()?;
    let plans = py.detach(|| Plans::new(model.inner(), question, prevalence, &reporting)).map_err(raised)?;
    let found = described(py, &plans.table(), &plans.table())?;
    let mut caveats = Caveats::new(py);
    let warnings = plans.warnings().map(|(method, warning)| Ok((method.to_string(), caveats.of(&warning)?)));
    found.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    found.set_item("splits", plans.splits().collect::<Vec<_>>())?;
    found.set_item("pilot", plans.small_pilot().collect::<Vec<_>>())?;
    let left_out = plans.left_out.into_iter().map(|left_out| match left_out {
        OmittedPlan::Method(method, error) => Ok((method.to_string(), exception(py, &error)?)),
        OmittedPlan::Split(split, error) => Ok((split.to_owned(), exception(py, &error)?)),
    });
    found.set_item("left_out", left_out.collect::<PyResult<Vec<_>>>()?)?;
    Ok(found)
}
