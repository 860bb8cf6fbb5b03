//! The report: one HTML page without external files.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::groups::{estimate_request, memory_rows};
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::NewDataColumns;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount_analysis::results::Sort;
use truecount_analysis::rows::TestRows;
use truecount_analysis::spelling::Interface;
use truecount_report::drawing::FigureSize;
use truecount_report::{Figures, Origin, Provenance, ReportData, ReportModels, Words, page};

/// Returns an HTML page about test scores and their groups, which are in order.
#[savvy]
pub fn report_page(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| report(model, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

fn report(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let (request_options, rows) = (estimate_request(columns.are_weighted(), request)?, memory_rows(columns, request)?);
    let threads = RThreads::new(threads, columns.number_of_rows());
    let sort = (!request.texts("group_columns")?.is_empty()).then_some(Sort::Appearance);
    let models = ReportModels::new(model.fitted.model().clone(), columns.are_weighted(), rows.is_simple())?;
    let data = ReportData::new(&threads, &models, &rows, None, sort.as_ref(), &request_options)?;
    let text = |name: &str| Ok::<_, savvy::Error>(request.text(name)?.unwrap_or_default());
    let (items, positive_name) = (text("items")?, text("positive_name")?);
    let words = Words::new(&items, &positive_name, request_options.interval_options()?.target(), Interface::R);
    Ok(Value::text(page(
        &data,
        &Figures::new(&data, &words, FigureSize::Page),
        &words,
        &Provenance::today(Origin::InMemory),
    )))
}
