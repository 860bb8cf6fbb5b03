//! The sizes that a precision needs.

use crate::asked::{RequestList, size};
use crate::failure::{RError, answer, described};
use crate::listed;
use crate::model::Model;
use crate::tested::reporting;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::PerClass;
use truecount_analysis::plan::{LabelledCounts, OmittedPlan, PlanQuestion, Plans};

/// Plans for the methods of a model; and what cannot be planned for, and why.
#[savvy]
pub fn plan_sizes(model: &Model, asked: ListSexp) -> Result<Sexp> {
    answer(|| Ok(told(plans(model, &asked.into())?)))
}

/// The labelled scores that the goal requires for each number of unlabelled ones, by method; nothing where none reach it.
#[savvy]
pub fn plan_curves(model: &Model, asked: ListSexp) -> Result<Sexp> {
    answer(|| {
        let plans = plans(model, &asked.into())?;
        let curves = plans.question.goal().and_then(|goal| plans.curves(goal)).unwrap_or_default();
        let of = |curve: &[(f64, f64)]| {
            let each = |which: fn(&(f64, f64)) -> f64| Value::numbers(curve.iter().map(which));
            Value::named([("unlabelled", each(|at| at.0)), ("labelled", each(|at| at.1))])
        };
        let methods = plans.planners.iter().map(|(quantifier, _)| quantifier.method().to_string());
        Ok(Value::named(methods.zip(curves.iter().map(|curve| of(curve)))))
    })
}

fn plans<'a>(model: &'a Model, asked: &RequestList) -> std::result::Result<Plans<'a>, RError> {
    let labelled = asked.vector("labelled")?.map(|labelled| match labelled.as_slice() {
        [positive, negative] => {
            LabelledCounts::PerClass(PerClass { positive: size(*positive) as u64, negative: size(*negative) as u64 })
        }
        in_all => LabelledCounts::Total(in_all.first().map_or(0, |number| size(*number) as u64)),
    });
    let unlabelled = asked.number("unlabelled")?.map(|number| size(number) as u64);
    let question = PlanQuestion::new(asked.number("se")?, asked.number("half_width")?, unlabelled, labelled)?
        .ok_or_else(|| savvy::Error::new("a goal, sizes, or one of both is wanted"))?;
    Ok(Plans::new(model.fitted.model(), question, asked.number("prevalence")?, &reporting(asked)?)?)
}

fn told(plans: Plans) -> Value {
    let warnings: Vec<_> = plans.warnings().collect();
    // A warning is about all rows of its method, and stands with the first of them.
    let first = |method| plans.rows.iter().position(|row| row.method == method).unwrap_or(0);
    let warnings: Vec<_> = warnings.iter().map(|(method, warning)| (first(*method), warning)).collect();
    let mut found = listed::warned(listed::tables(&plans.table(), &plans.table()), &warnings);
    let splits = plans.splits().map(|(name, meaning)| format!("{name}: {meaning}"));
    found
        .extend([("splits".to_owned(), Value::texts(splits)), ("pilot".to_owned(), Value::texts(plans.small_pilot()))]);
    let left_out = plans.left_out.into_iter().map(|left_out| match left_out {
        OmittedPlan::Method(method, error) => (method.to_string(), described(error)),
        OmittedPlan::Split(split, error) => (split.to_owned(), described(error)),
    });
    found.push(("left_out".to_owned(), Value::List(left_out.collect())));
    Value::List(found)
}
