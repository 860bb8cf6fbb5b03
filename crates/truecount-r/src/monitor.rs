//! Monitoring of a prevalence over time.

use crate::compare::group_names;
use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::groups::tally_groups;
use crate::model::Model;
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::{NewDataColumns, interval_options};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::compare::JointErrors;
use truecount::monitor::{Bound, alarm_threshold};
use truecount_analysis::estimates::estimate_each;
use truecount_analysis::groups::NamedGroups;
use truecount_analysis::monitor::{Baseline, monitor};
use truecount_analysis::results::ResultTable;

/// Monitors groups, which are periods, by the only method of a model.
#[savvy]
pub fn monitor_groups(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| series(model, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

fn series(model: &Model, columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let (sets, options) = (columns.sets()?, interval_options(request)?);
    let bound = match (request.number("above")?, request.number("below")?) {
        (Some(share), _) => Some(Bound::Above(share)),
        (None, share) => share.map(Bound::Below),
    };
    let baseline = request.text("baseline")?.map(|text| Baseline::from_option(&text)).transpose()?;
    let threads = RThreads::new(threads, sets.number_of_scores());
    let selected = model.fitted.select(request.flag("check")?);
    let tallied = tally_groups(&threads, model, columns, &sets, request)?;
    let contents = estimate_each(&threads, &tallied.groups(selected)?, |_| options)?;
    let joint = JointErrors::new(selected, selected.quantifiers()[0].method())?;
    let groups = NamedGroups { keys: group_names(request)?, contents, shift_total: None };
    let (_, series) = monitor(groups, &tallied.merged()?, &joint, bound, baseline.as_ref(), &options)?;
    let mut list = result_list::from_grouped(&series.rows, &ResultTable::new(&series.rows), &series.table());
    let sentences = [series.conclusion(&options)].into_iter().chain(series.explain_columns(&options));
    list.extend([
        ("notes".to_owned(), Value::texts(sentences.chain(series.describe_omissions()))),
        ("conclusion".to_owned(), Value::text(series.conclusion(&options))),
        ("alarm_at".to_owned(), series.alarm_row.map_or(Value::Null, |row| Value::text(series.names[row].as_str()))),
        ("alarm_threshold".to_owned(), Value::number(alarm_threshold(&options))),
        ("drift".to_owned(), Value::number(series.drift)),
        ("unit".to_owned(), Value::text(series.form.unit_name())),
        ("baseline".to_owned(), Value::texts(series.baseline)),
    ]);
    Ok(Value::List(list))
}
