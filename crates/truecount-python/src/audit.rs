//! Audits: estimates from a labelled random sample of the test rows.

use crate::error::raised;
use crate::estimates::columns;
use crate::model::Model;
use crate::options::PyIntervalOptions;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::Estimates;
use truecount::audit::AuditedRows;
use truecount_analysis::audit as analysis;
use truecount_analysis::results::explain_recommendation;

/// The estimate from one source: its name, the raw and the clipped prevalence, the standard error,
/// both ends of the interval, and a weight.
type EvidenceTuple = (String, f64, f64, f64, (f64, f64), Option<f64>);

/// The difference of the external estimate from the audit's estimate, with standard error and
/// p-value; with a margin, its interval and the verdict.
type TransportTuple = (f64, f64, f64, Option<(f64, f64)>, Option<String>);

/// The result of an audit: the numbers of all and of audited rows; the estimate from each source;
/// the external estimate as columns; its comparison with the audit; the recommended source, and the
/// reason.
type AuditTuple<'py> =
    (u64, u64, Vec<EvidenceTuple>, Option<Bound<'py, PyDict>>, Option<TransportTuple>, String, String);

/// Estimates a prevalence from audited rows and all scores; `audit_outside_test` says that the
/// scores are those of the other rows only.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as in Python
pub fn audit<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    scores: PyReadonlyArray1<f64>,
    audited: (PyReadonlyArray1<f64>, PyReadonlyArray1<bool>, Option<PyReadonlyArray1<f64>>),
    audit_outside_test: bool,
    margin: Option<f64>,
    options: PyIntervalOptions,
) -> PyResult<AuditTuple<'py>> {
    let options = options.parse()?;
    margin.map_or(Ok(()), analysis::check_margin).map_err(raised)?;
    let weights = audited.2.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (scores, rows) = (scores.as_slice()?, (audited.0.as_slice()?, audited.1.as_slice()?));
    let rows = AuditedRows { scores: rows.0, positive: rows.1, weights, ..AuditedRows::default() };
    let model = model.map(Model::inner);
    let result = py.detach(|| analysis::audit(model, scores, &rows, audit_outside_test, &options)).map_err(raised)?;
    let evidence = result.estimates.iter().map(|evidence| {
        let ends = (evidence.interval.lower, evidence.interval.upper);
        let source = evidence.source.to_string();
        (source, evidence.raw, evidence.prevalence, evidence.std_error, ends, evidence.weight)
    });
    let external = result.external.iter().cloned().collect::<Estimates>();
    let external = if external.is_empty() { None } else { Some(columns(py, &[external])?) };
    let transport = result.transport.map(|test| {
        let interval = margin.map(|_| (test.interval.lower, test.interval.upper));
        let verdict = margin.map(|margin| test.equivalence(margin).to_string());
        (test.difference, test.se, test.p_value, interval, verdict)
    });
    let (recommended, reason) = (result.recommended.to_string(), explain_recommendation(&result));
    Ok((result.n, result.audited, evidence.collect(), external, transport, recommended, reason))
}
