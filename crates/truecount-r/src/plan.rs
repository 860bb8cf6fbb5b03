//! The numbers of scores that a precision requires.

use crate::error::{CallResult, error_value, respond};
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::result_list;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount_analysis::plan::Plans;
use truecount_analysis::request::PlanRequest;
use truecount_analysis::spelling::Interface;

/// Plans the sizes for each method of a model. The result says why a method or a split is left out.
#[savvy]
pub fn plan_sizes(model: &Model, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| Ok(plans_value(plans(Some(model), &request.into(), threads)?)))
}

/// Plans the number of tests with published rates.
#[savvy]
pub fn plan_tests(request: ListSexp) -> Result<Sexp> {
    respond(|| Ok(plans_value(plans(None, &request.into(), 1)?)))
}

/// Returns the numbers of labelled and unlabelled scores that reach the goal, by method. The list is
/// empty if a method cannot reach the goal.
#[savvy]
pub fn plan_curves(model: &Model, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let plans = plans(Some(model), &request.into(), threads)?;
        let curves = plans.curves().unwrap_or_default().into_iter().map(|(method, (unlabelled, labelled))| {
            (method, Value::named([("unlabelled", Value::numbers(unlabelled)), ("labelled", Value::numbers(labelled))]))
        });
        Ok(Value::named(curves))
    })
}

fn plans<'a>(model: Option<&'a Model>, list: &RequestList, threads: i32) -> CallResult<Plans<'a>> {
    let request: PlanRequest = list.read()?;
    Ok(request.run(&RThreads::all(threads), model.map(|model| model.fitted.model()))?)
}

fn plans_value(plans: Plans) -> Value {
    let warnings: Vec<_> = plans.warnings().collect();
    // A warning is about all rows of its method; the first of these rows shows it.
    let first_row = |method: &str| plans.rows.iter().position(|row| row.method == method).unwrap_or(0);
    let warnings: Vec<_> = warnings.iter().map(|(method, warning)| (first_row(method), warning)).collect();
    let mut list = result_list::with_warnings(result_list::from_tables(&plans.table(), &plans.table()), &warnings);
    let notes = plans.notes(Interface::R).into_iter().map(|note| note.sentence().to_owned());
    list.push(("notes".to_owned(), Value::texts(notes.chain(plans.small_pilot()))));
    let left_out = plans.omitted.into_iter().map(|(name, error)| (name, error_value(error)));
    list.push(("left_out".to_owned(), Value::List(left_out.collect())));
    Value::List(list)
}
