//! The report: one self-contained HTML page.

use crate::audited_rows::{ParsedRows, PyAuditedRows};
use crate::error::raised;
use crate::estimates::TestColumns;
use crate::executor::installed;
use crate::keys::{self, KeyColumn};
use crate::model::Model;
use crate::request::PyRequest;
use pyo3::prelude::*;
use truecount_analysis::audit::pooled_weights;
use truecount_analysis::results::Sort;
use truecount_analysis::rows::{GroupCells, MemoryRows};
use truecount_analysis::spelling::Interface;
use truecount_report::drawing::FigureSize;
use truecount_report::{AuditData, Figures, Origin, Provenance, ReportData, ReportModels, Words, page};
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::parallel::AllThreads;

/// Returns an HTML page about the scores of groups with these values. `words` name the items, in
/// the plural, and the positives. Audited rows, if there are any, are followed by whether they are to be
/// added to the scores.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as in Python
pub fn report(
    py: Python<'_>,
    model: &Model,
    columns: TestColumns<'_>,
    by: Vec<KeyColumn<'_>>,
    sort: bool,
    request: PyRequest<'_>,
    words: (String, String),
    audited: Option<(PyAuditedRows<'_>, bool)>,
) -> PyResult<String> {
    let sets = columns.sets()?;
    let keys = if by.is_empty() { Keys::single_group() } else { keys::keys(&by, sets.sets.len())? };
    let sort = (!by.is_empty()).then_some(if sort { Sort::Groups } else { Sort::Appearance });
    let mut contents: Vec<_> = sets.sets.iter().map(|set| set.map(|column| column.to_vec())).collect();
    let (weighted, request) = (sets.are_weighted(), request.parse(sets.are_weighted())?);
    let interval_options = request.interval_options().map_err(raised)?;
    let words = Words::new(&words.0, &words.1, interval_options.target(), Interface::Python);
    let model = model.inner();
    let audit_outside_test = audited.as_ref().is_some_and(|(_, outside)| *outside);
    let parsed = audited.as_ref().map(|(rows, _)| rows.parse()).transpose()?;
    let audited = parsed.as_ref().map(ParsedRows::rows).map(|rows| {
        let groups = rows.groups.unwrap_or_default();
        if audit_outside_test {
            rows.scores.iter().zip(groups).for_each(|(score, group)| contents[*group as usize].scores.push(*score));
        }
        let sizes: Vec<usize> = contents.iter().map(|rows| rows.scores.len()).collect();
        (rows, pooled_weights(groups, rows.weights, &sizes))
    });
    let render = || -> Result<String, truecount::Error> {
        let models = ReportModels::new(model.clone(), weighted, true)?;
        let rows = Groups { keys, contents, shift_total: None }.with_shift_total(&AllThreads, &models.extended)?;
        let audit = audited.as_ref().map(|(audited, pooled)| {
            AuditData::new(&models.requested, (audited, pooled.as_deref()), &rows, &interval_options)
        });
        let (rows, audit) = (MemoryRows::new(GroupCells::from_groups(rows)), audit.transpose()?);
        let data = ReportData::new(&AllThreads, &models, &rows, audit, sort.as_ref(), &request)?;
        Ok(page(&data, &Figures::new(&data, &words, FigureSize::Page), &words, &Provenance::today(Origin::InMemory)))
    };
    // Always on this process's pool: the library's own threads would not survive a fork.
    installed(py, render)?.map_err(raised)
}
