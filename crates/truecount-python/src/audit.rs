//! Labels inside the target.

use crate::error::raised;
use crate::estimates::columns;
use crate::model::Model;
use crate::named::AskedReporting;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::{AuditedRows, Estimates};
use truecount_analysis::audit as analysis;
use truecount_analysis::results::explain_recommendation;

/// What a source says: its name, the estimate as defined and inside [0, 1], its standard error, both ends, and a weight.
type EvidenceTuple = (String, f64, f64, f64, (f64, f64), Option<f64>);

/// What was found: how many there are and were audited; each source; the estimate from elsewhere as columns; how far it is from the audit's,
/// with its standard error and p-value; the answer, and why.
type AuditTuple<'py> =
    (u64, u64, Vec<EvidenceTuple>, Option<Bound<'py, PyDict>>, Option<(f64, f64, f64)>, String, String);

/// What audited rows say of a target, of which these are all scores; or, where the audited ones come besides, all others.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as in Python
pub fn audit<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    scores: PyReadonlyArray1<f64>,
    audited: (PyReadonlyArray1<f64>, PyReadonlyArray1<bool>, Option<PyReadonlyArray1<f64>>),
    audit_outside_test: bool,
    asked: AskedReporting,
) -> PyResult<AuditTuple<'py>> {
    let reporting = asked.get()?;
    let weights = audited.2.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (scores, rows) = (scores.as_slice()?, (audited.0.as_slice()?, audited.1.as_slice()?));
    let rows = AuditedRows { scores: rows.0, positive: rows.1, weights, groups: None };
    let model = model.map(Model::inner);
    let found = py.detach(|| analysis::audit(model, scores, &rows, audit_outside_test, &reporting)).map_err(raised)?;
    let evidence = found.evidence.iter().map(|of| {
        let ends = (of.uncertainty.lower, of.uncertainty.upper);
        (of.source.to_string(), of.raw, of.prevalence, of.uncertainty.se, ends, of.weight)
    });
    let elsewhere = found.elsewhere.iter().cloned().collect::<Estimates>();
    let elsewhere = if elsewhere.is_empty() { None } else { Some(columns(py, &[elsewhere])?) };
    let transport = found.transport.map(|test| (test.difference, test.se, test.p_value));
    let (answer, reason) = (found.answer.to_string(), explain_recommendation(&found));
    Ok((found.n, found.audited, evidence.collect(), elsewhere, transport, answer, reason))
}
