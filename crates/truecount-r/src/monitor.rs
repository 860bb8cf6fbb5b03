//! Monitoring of a prevalence over time.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::groups::{estimate_request, memory_rows};
use crate::model::Model;
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::NewDataColumns;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::monitor::alarm_threshold;
use truecount_analysis::monitor::{MonitorRequest, monitor};
use truecount_analysis::results::ResultTable;

/// Monitors groups, which are periods, by the only method of a model.
#[savvy]
pub fn monitor_groups(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| series(model, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

fn series(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let request_options = estimate_request(columns.are_weighted(), request)?;
    let (rows, options) = (memory_rows(columns, request)?, request_options.interval_options()?);
    let (bound, baseline) = request.read::<MonitorRequest>()?.parse()?;
    let threads = RThreads::new(threads, columns.number_of_rows());
    let model = model.fitted.select(request.flag("check")?);
    let (_, series) = monitor(&threads, &request_options, &rows, model, bound, baseline.as_ref())?;
    let mut list = result_list::from_grouped(&series.rows, &ResultTable::new(&series.rows), &series.table());
    let sentences = [series.conclusion(&options)].into_iter().chain(series.explain_columns(&options));
    list.extend([
        ("notes".to_owned(), Value::texts(sentences.chain(series.describe_omissions()))),
        ("conclusion".to_owned(), Value::text(series.conclusion(&options))),
        ("alarm_at".to_owned(), series.alarm_row.map_or(Value::Null, |row| Value::text(series.names[row].as_str()))),
        ("alarm_threshold".to_owned(), Value::number(alarm_threshold(&options))),
        ("drift".to_owned(), Value::number(series.drift)),
        ("smooths".to_owned(), Value::json(series.smooths().into())),
        ("unit".to_owned(), Value::text(series.form.unit_name())),
        ("baseline".to_owned(), Value::texts(series.baseline)),
    ]);
    Ok(Value::List(list))
}
