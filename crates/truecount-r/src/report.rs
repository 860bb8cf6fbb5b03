//! The report: one HTML page without external files.

use crate::compare::group_names;
use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::{NewDataColumns, interval_options};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount_analysis::groups::NamedGroups;
use truecount_analysis::results::{Sort, escape_untrusted};
use truecount_report::{Figures, Origin, Provenance, ReportData, ReportModels, ReportOptions, Words, page};

/// Returns an HTML page about test scores and their groups, which are in order.
#[savvy]
pub fn report_page(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| report(model, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

fn report(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let sets = columns.sets()?;
    let threads = RThreads::new(threads, sets.number_of_scores());
    let keys = group_names(request)?;
    let sort = (!request.texts("by")?.is_empty()).then_some(Sort::Appearance);
    let options = ReportOptions { interval_options: interval_options(request)?, resampling: None };
    let models = ReportModels::new(model.fitted.model().clone(), sets.are_weighted())?;
    let contents = sets.sets.iter().map(|set| set.map(|column| column.to_vec())).collect();
    let rows = NamedGroups { keys, contents, shift_total: None }.with_shift_total(&threads, &models.extended)?;
    let data = ReportData::new(&threads, &models, &rows, None, sort.as_ref(), &options)?;
    let text =
        |name: &str| Ok::<_, savvy::Error>(escape_untrusted(&request.text(name)?.unwrap_or_default()).into_owned());
    let (items, positive_name) = (text("items")?, text("positive_name")?);
    let words = Words { items: &items, positive_name: &positive_name, target: options.interval_options.target() };
    Ok(Value::text(page(&data, &Figures::new(&data), &words, &Provenance::today(Origin::InMemory))))
}
