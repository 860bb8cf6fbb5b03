//! The numbers of scores that a precision requires.

use crate::error::{CallResult, error_value, respond};
use crate::executor::RThreads;
use crate::model::Model;
use crate::multiclass;
use crate::request::RequestList;
use crate::result_list;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount_analysis::plan::{Pilot, Plans};
use truecount_analysis::request::PlanRequest;
use truecount_analysis::results::PlanRow;
use truecount_analysis::spelling::Interface;

/// Plans the sizes for each method of a model, for several classes from their labelled rows, or with published rates.
/// The result says why a method or a split is left out.
#[savvy]
pub fn plan_sizes(request: ListSexp, threads: i32, model: Option<&Model>, labelled: Option<ListSexp>) -> Result<Sexp> {
    respond(|| {
        let classes = labelled.map(|labelled| multiclass::fit(&labelled.into())).transpose()?;
        let pilot = match (model, &classes) {
            (Some(model), _) => Pilot::Scores(model.fitted.model()),
            (None, Some(classes)) => Pilot::Classes(classes),
            (None, None) => Pilot::Rates,
        };
        Ok(plans_value(plans(pilot, &request.into(), threads)?))
    })
}

/// Returns the numbers of labelled and unlabelled scores that reach the goal, by method. The list is
/// empty if a method cannot reach the goal.
#[savvy]
pub fn plan_curves(model: &Model, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let plans = plans(Pilot::Scores(model.fitted.model()), &request.into(), threads)?;
        let curves = plans.curves().unwrap_or_default().into_iter().map(|(method, (unlabelled, labelled))| {
            (method, Value::named([("unlabelled", Value::numbers(unlabelled)), ("labelled", Value::numbers(labelled))]))
        });
        Ok(Value::named(curves))
    })
}

fn plans<'a>(pilot: Pilot<'a>, list: &RequestList, threads: i32) -> CallResult<Plans<'a>> {
    Ok(list.read::<PlanRequest>()?.run(&RThreads::all(threads), pilot)?)
}

fn plans_value(plans: Plans) -> Value {
    let warnings = plans.warnings(Interface::R);
    // A warning is about all rows of its method or class; the first of these rows shows it.
    let is_about = |row: &PlanRow, name: &str| row.class.as_deref().unwrap_or(row.method) == name;
    let first_row = |name: &str| plans.rows.iter().position(|row| is_about(row, name)).unwrap_or(0);
    let warnings: Vec<_> = warnings
        .iter()
        .map(|(name, severity, message, warning)| (first_row(name), *severity, message.clone(), &**warning))
        .collect();
    let mut list = result_list::from_tables(&plans.table(), &plans.table());
    list.retain(|(name, _)| name != "warnings");
    list.push(("warnings".to_owned(), result_list::warnings(&warnings)));
    let notes = plans.notes(Interface::R, false).into_iter().map(|note| note.sentence().to_owned());
    list.push(("notes".to_owned(), Value::texts(notes.chain(plans.small_pilot()))));
    let left_out = plans.omitted.into_iter().map(|(name, error)| (name, error_value(error)));
    list.push(("left_out".to_owned(), Value::List(left_out.collect())));
    Value::List(list)
}
