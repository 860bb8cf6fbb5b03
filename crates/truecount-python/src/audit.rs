//! Audits: estimates from a labelled random sample of the test rows.

use crate::audited_rows::{AgreementTables, PyAuditedRows, PyTarget, agreement_tables};
use crate::estimates::columns;
use crate::executor::detached;
use crate::model::Model;
use crate::options::PyIntervalOptions;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::Estimates;
use truecount_analysis::audit::{self as analysis, AuditOptions};
use truecount_analysis::results::explain_recommendation;

/// The estimate from one source: its name, the raw and the clipped prevalence, the standard error,
/// both ends of the interval, and a weight.
type EvidenceTuple = (String, f64, f64, f64, (f64, f64), Option<f64>);

/// The difference of the external estimate from the audit's estimate, with standard error and
/// p-value; with a margin, its interval and the verdict.
type TransportTuple = (f64, f64, f64, Option<(f64, f64)>, Option<String>);

/// The result of an audit: the numbers of all and of audited rows; the estimate from each source;
/// the external estimate as columns; its comparison with the audit; the recommended source, and the
/// reason; and the agreement of people.
type AuditTuple<'py> = (
    u64,
    u64,
    Vec<EvidenceTuple>,
    Option<Bound<'py, PyDict>>,
    Option<TransportTuple>,
    (String, String),
    AgreementTables<'py>,
);

/// Estimates a prevalence from audited rows and all scores; `audit_outside_test` says that the
/// scores are those of the other rows only. The last value has the agreement of the people who
/// labelled.
#[pyfunction]
pub fn audit<'py>(
    py: Python<'py>,
    model: Option<&Model>,
    target: PyTarget<'py>,
    audited: PyAuditedRows<'py>,
    audit_outside_test: bool,
    margin: Option<f64>,
    options: PyIntervalOptions,
) -> PyResult<AuditTuple<'py>> {
    let intervals = options.parse()?;
    let options = AuditOptions { audit_outside_test, total: false, margin, intervals: &intervals };
    let (model, target) = (model.map(Model::inner), target.parse()?);
    let (rows, sets) = (audited.parse()?, &target.0);
    let (audits, _) = detached(py, sets.number_of_scores(), |threads| {
        analysis::audit_groups(threads, model, (sets, &target.1), &rows.rows(), &options, &[0])
    })?;
    let result = &audits.summaries[0];
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
    let (recommended, reason) = (result.recommended.to_string(), explain_recommendation(result));
    let agreement = agreement_tables(py, &audits.agreement)?;
    Ok((result.n, result.audited, evidence.collect(), external, transport, (recommended, reason), agreement))
}
