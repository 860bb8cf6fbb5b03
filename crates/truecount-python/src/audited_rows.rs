//! Arguments of audits from Python, and the agreement of the people who labelled.

use crate::estimates::TestColumns;
use crate::tables::grouped_result;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::audit::AuditedRows;
use truecount_analysis::audit::TargetUnits;
use truecount_analysis::results::AgreementRows;
use truecount_analysis::sets::TestSets;

/// The rows of a target: their columns, and the numbers of their strata and clusters in the caller's
/// order.
#[derive(FromPyObject)]
pub struct PyTarget<'py>(TestColumns<'py>, Option<PyReadonlyArray1<'py, u32>>, Option<PyReadonlyArray1<'py, u32>>);

/// Audited rows: scores; the labels of each person, 1 for a positive and −1 for no label; sampling
/// weights; the weights in the target; and the numbers of groups, strata and clusters.
#[derive(FromPyObject)]
pub struct PyAuditedRows<'py>(
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray2<'py, i8>,
    Option<PyReadonlyArray1<'py, f64>>,
    Option<PyReadonlyArray1<'py, f64>>,
    Option<PyReadonlyArray1<'py, u32>>,
    Option<PyReadonlyArray1<'py, u32>>,
    Option<PyReadonlyArray1<'py, u32>>,
);

/// Audited rows with their labels in the form of the library.
pub struct ParsedRows<'a> {
    rows: AuditedRows<'a>,
    positive: Vec<bool>,
    people: Vec<Vec<Option<bool>>>,
}

/// Tables of the agreement of people and of the share if labels have errors, each with its `groups`.
pub type AgreementTables<'py> = Option<(Bound<'py, PyDict>, Bound<'py, PyDict>)>;

impl PyTarget<'_> {
    pub fn parse(&self) -> PyResult<(TestSets<'_>, TargetUnits<'_>)> {
        Ok((self.0.sets()?, TargetUnits { strata: slice(self.1.as_ref())?, clusters: slice(self.2.as_ref())? }))
    }
}

impl PyAuditedRows<'_> {
    pub fn parse(&self) -> PyResult<ParsedRows<'_>> {
        let Self(scores, labels, weights, item_weights, groups, strata, clusters) = self;
        let labels = labels.as_array();
        let label = |label: &i8| (*label >= 0).then_some(*label == 1);
        let mut people: Vec<Vec<Option<bool>>> =
            labels.rows().into_iter().map(|labels| labels.iter().map(label).collect()).collect();
        let mut positive = Vec::new();
        if let [only] = &people[..] {
            positive = only.iter().map(|label| *label == Some(true)).collect();
            people.clear();
        }
        let rows = AuditedRows {
            scores: scores.as_slice()?,
            weights: slice(weights.as_ref())?,
            item_weights: slice(item_weights.as_ref())?,
            groups: slice(groups.as_ref())?,
            strata: slice(strata.as_ref())?,
            clusters: slice(clusters.as_ref())?,
            ..AuditedRows::default()
        };
        Ok(ParsedRows { rows, positive, people })
    }
}

impl ParsedRows<'_> {
    pub fn rows(&self) -> AuditedRows<'_> {
        AuditedRows { positive: &self.positive, people: &self.people, ..self.rows }
    }
}

fn slice<'a, T: numpy::Element>(array: Option<&'a PyReadonlyArray1<'_, T>>) -> PyResult<Option<&'a [T]>> {
    Ok(array.map(|array| array.as_slice()).transpose()?)
}

/// Returns the agreement of the people who labelled; `None` unless several people labelled a row.
pub fn agreement_tables<'py>(py: Python<'py>, agreement: &AgreementRows) -> PyResult<AgreementTables<'py>> {
    let [agreements, errors] = &agreement.tables(None)[..] else { return Ok(None) };
    let agreements = grouped_result(py, &agreement.agreement, (agreements, agreements))?;
    Ok(Some((agreements, grouped_result(py, &agreement.errors, (errors, errors))?)))
}
