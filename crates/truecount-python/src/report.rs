//! A page to hand on.

use crate::error::value_error;
use crate::estimates::Columns;
use crate::executor::installed;
use crate::keys::{self, KeyColumn};
use crate::model::Model;
use crate::named::AskedReporting;
use pyo3::prelude::*;
use truecount_analysis::results::Sort;
use truecount_cli::InMemoryReport;
use truecount_tables::groups::{Groups, Keys};

/// One HTML page about scores of groups with these values; `words` are what an item is, in the plural, and what positives are.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    model: &Model,
    columns: Columns<'_>,
    by: Vec<KeyColumn<'_>>,
    sort: bool,
    asked: AskedReporting,
    words: (String, String),
) -> PyResult<String> {
    let sets = columns.sets()?;
    let keys = if by.is_empty() { Keys::none() } else { keys::keys(&by, sets.sets.len())? };
    let sort = (!by.is_empty()).then_some(if sort { Sort::Groups } else { Sort::Appearance });
    let contents = sets.sets.iter().map(|set| set.map(|column| column.to_vec())).collect();
    let (items, are) = (words.0.as_str(), words.1.as_str());
    let report = InMemoryReport {
        model: model.inner().clone(),
        rows: Groups { keys, contents, together: None },
        sort,
        reporting: asked.get()?,
        items,
        are,
    };
    // Its own threads would not survive a fork: on those of this process, however few the scores are.
    let page = installed(py, || report.page())?;
    // Scores that cannot be estimated have been refused before.
    page.map_err(value_error)
}
