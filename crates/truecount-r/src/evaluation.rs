//! Evaluation of methods on samples whose prevalence is known.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::NewDataColumns;
use crate::value::Value;
use savvy::{ListSexp, LogicalSexp, Result, Sexp, savvy};
use truecount::Estimate;
use truecount::Warning;
use truecount::error::Condition;
use truecount::evaluation::SamplingProtocol;
use truecount_analysis::advice::describe_warning;
use truecount_analysis::evaluation::{LabelledPool, PoolEvaluation, PoolResult, describe_sampling, overlap_warning};
use truecount_analysis::request::EvaluateRequest;
use truecount_analysis::results::{Note, ResultTable};
use truecount_analysis::spelling::Interface;

/// Evaluates the methods of named models on samples of a pool, and compares them with a reference
/// method. Each model has its own columns of the pool.
#[savvy]
pub fn evaluate_models(
    models: ListSexp,
    columns: ListSexp,
    positive: LogicalSexp,
    request: ListSexp,
    threads: i32,
) -> Result<Sexp> {
    let models: Vec<(&str, &Model)> =
        models.iter().map(|(name, model)| Ok((name, <&Model>::try_from(model)?))).collect::<Result<_>>()?;
    let columns = columns.values_iter().map(|columns| NewDataColumns::new(&ListSexp::try_from(columns)?.into()));
    let columns: Vec<NewDataColumns> = columns.collect::<Result<_>>()?;
    let positive: Vec<bool> = positive.iter().collect();
    respond(|| evaluate(&models, &columns, &positive, &request.into(), threads))
}

fn evaluate(
    models: &[(&str, &Model)],
    columns: &[NewDataColumns],
    positive: &[bool],
    request: &RequestList,
    threads: i32,
) -> CallResult {
    let models: Vec<(&str, &truecount::Model)> =
        models.iter().map(|(name, model)| (*name, model.fitted.model())).collect();
    let mut sets = Vec::with_capacity(columns.len());
    for columns in columns {
        sets.extend(columns.sets()?.sets);
    }
    let request: EvaluateRequest = request.read()?;
    let protocol: SamplingProtocol = request.protocol.parse()?;
    let pool = LabelledPool { positive, sets };
    let result = PoolEvaluation::new(&models, &pool, &request)?.run(&RThreads::all(threads))?;
    let evaluation = request.evaluation(std::slice::from_ref(&result.evaluated))?;
    let mut list =
        result_list::from_tables(&ResultTable::new(&evaluation.methods).without("class"), &evaluation.errors());
    if evaluation.methods.len() > 1 {
        let comparison = evaluation.comparisons();
        list.push(("comparison".to_owned(), Value::List(result_list::from_tables(&comparison, &comparison))));
    }
    let positives = positive.iter().filter(|positive| **positive).count();
    let classes = [positives, positive.len() - positives];
    let sampling_note = describe_sampling(evaluation.samples, request.size, classes, "the pool", protocol);
    let notes: Vec<Note> = [sampling_note].into_iter().chain(evaluation.notes()).map(Note::new).collect();
    list.retain(|(name, _)| name != "warnings");
    list.extend([
        ("notes".to_owned(), result_list::notes(&notes)),
        ("warnings".to_owned(), warnings_value(&result)),
        ("overlap".to_owned(), overlap_warning(classes, protocol, request.size).map_or(Value::Null, Value::text)),
        ("samples".to_owned(), estimates_value(&result)),
    ]);
    Ok(Value::List(list))
}

/// Returns each method's warnings, each kind once with the samples that have it.
fn warnings_value(result: &PoolResult) -> Value {
    let warnings = result.warnings();
    let message =
        |(_, warning, place): &(usize, &Warning, String)| format!("{place}{}", describe_warning(warning, Interface::R));
    Value::named([
        ("row", Value::indices(warnings.iter().map(|(method, ..)| *method))),
        ("code", Value::texts(warnings.iter().map(|(_, warning, _)| warning.code()))),
        ("severity", Value::texts(warnings.iter().map(|(_, warning, _)| warning.severity().to_string()))),
        ("message", Value::texts(warnings.iter().map(message))),
    ])
}

/// Returns all estimates, sample by sample.
fn estimates_value(PoolResult { evaluated, estimates }: &PoolResult) -> Value {
    let samples = || evaluated.samples.iter().zip(estimates).enumerate();
    let rows = || {
        samples().flat_map(|(index, (sample, estimates))| {
            estimates.iter().zip(&evaluated.methods).map(move |row| (index, sample, row))
        })
    };
    let uncertainty = |number: fn(&Estimate) -> Option<f64>| {
        Value::Numbers(rows().map(|(_, _, (estimate, _))| number(estimate)).collect())
    };
    Value::named([
        ("sample", Value::indices(rows().map(|(index, ..)| index))),
        ("method", Value::texts(rows().map(|(_, _, (_, method))| method.name.as_str()))),
        ("truth", Value::numbers(rows().map(|(_, sample, _)| sample.truth))),
        ("n", Value::Counts(rows().map(|(_, _, (estimate, _))| estimate.n).collect())),
        ("prevalence", Value::numbers(rows().map(|(_, _, (estimate, _))| estimate.prevalence))),
        ("raw", Value::numbers(rows().map(|(_, _, (estimate, _))| estimate.raw))),
        ("se", uncertainty(|estimate| estimate.std_error)),
        ("lower", uncertainty(|estimate| estimate.interval.map(|ends| ends.lower))),
        ("upper", uncertainty(|estimate| estimate.interval.map(|ends| ends.upper))),
    ])
}
