//! Estimates of samples whose prevalence is known.

use crate::asked::RequestList;
use crate::executor::RThreads;
use crate::failure::{RError, answer};
use crate::listed;
use crate::model::Model;
use crate::tested::TestColumns;
use crate::value::Value;
use savvy::{ListSexp, LogicalSexp, Result, Sexp, savvy};
use std::collections::BTreeMap;
use truecount::evaluation::SamplingProtocol;
use truecount::{Condition, Warning};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::evaluation::{
    Evaluation, LabelledPool, PoolEvaluation, PoolResult, SampleEstimates, SamplingOptions, describe_sampling,
    overlap_warning,
};
use truecount_analysis::results::{Note, ResultTable};

/// The errors of every method of models with names on samples of a pool, of which each reads columns of its own; the comparison with one of
/// them, and all estimates.
#[savvy]
pub fn evaluate_models(
    models: ListSexp,
    columns: ListSexp,
    positive: LogicalSexp,
    asked: ListSexp,
    threads: i32,
) -> Result<Sexp> {
    let models: Vec<(&str, &Model)> =
        models.iter().map(|(name, model)| Ok((name, <&Model>::try_from(model)?))).collect::<Result<_>>()?;
    let tested = columns.values_iter().map(|columns| TestColumns::new(&ListSexp::try_from(columns)?.into()));
    let tested: Vec<TestColumns> = tested.collect::<Result<_>>()?;
    let positive: Vec<bool> = positive.iter().collect();
    answer(|| evaluated(&models, &tested, &positive, &asked.into(), threads))
}

fn evaluated(
    models: &[(&str, &Model)],
    tested: &[TestColumns],
    positive: &[bool],
    asked: &RequestList,
    threads: i32,
) -> std::result::Result<Value, RError> {
    let models: Vec<(&str, &truecount::Model)> =
        models.iter().map(|(name, model)| (*name, model.fitted.model())).collect();
    let mut sets = Vec::with_capacity(tested.len());
    for of_model in tested {
        sets.extend(of_model.sets()?.sets);
    }
    let protocol: SamplingProtocol = asked.text("protocol")?.unwrap_or_default().parse()?;
    let samples = asked.number("samples")?.map(|_| asked.count("samples")).transpose()?;
    let drawing = SamplingOptions {
        protocol,
        samples: samples.map(|samples| u32::try_from(samples).unwrap_or(u32::MAX)),
        size: asked.count("size")?,
        seed: asked.count("seed")? as u64,
    };
    let level = asked.number("level")?.unwrap_or(f64::NAN);
    let pool = LabelledPool { positive, sets };
    let found = PoolEvaluation::new(&models, &pool, drawing, level)?.run(&RThreads::all(threads))?;
    let evaluation = Evaluation::new(&found.evaluated, reference(&found.evaluated, asked.text("reference")?)?)?;
    let mut listed = listed::tables(&ResultTable::new(&evaluation.methods), &evaluation.errors());
    if evaluation.methods.len() > 1 {
        let compared = evaluation.comparisons();
        listed.push(("comparison".to_owned(), Value::List(listed::tables(&compared, &compared))));
    }
    let positives = positive.iter().filter(|positive| **positive).count();
    let classes = [positives, positive.len() - positives];
    let what = describe_sampling(evaluation.samples, drawing.size, classes, "the pool", protocol);
    let notes: Vec<Note> = [what].into_iter().chain(evaluation.notes()).map(Note::new).collect();
    listed.retain(|(name, _)| name != "warnings");
    listed.extend([
        ("notes".to_owned(), listed::notes(&notes)),
        ("warnings".to_owned(), warnings(&found)),
        ("overlap".to_owned(), overlap_warning(classes, protocol, drawing.size).map_or(Value::Null, Value::text)),
        ("samples".to_owned(), every(&found)),
    ]);
    Ok(Value::List(listed))
}

/// The place of the method to compare with; the first if none is named.
fn reference(evaluated: &SampleEstimates, against: Option<String>) -> std::result::Result<usize, AnalysisProblem> {
    let Some(name) = against else { return Ok(0) };
    let known = || evaluated.methods.iter().map(|method| &method.name);
    known()
        .position(|known| *known == name)
        .ok_or_else(|| AnalysisProblem::NotEvaluated { name, known: known().cloned().collect() })
}

/// Of each method every warning once, with the number of the samples that have it.
fn warnings(PoolResult { evaluated, estimates }: &PoolResult) -> Value {
    let mut kinds: BTreeMap<(usize, &str), (&Warning, usize)> = BTreeMap::new();
    for sample in estimates {
        for (method, warning) in
            sample.iter().enumerate().flat_map(|(at, of)| of.warnings.iter().map(move |one| (at, one)))
        {
            kinds.entry((method, warning.code())).or_insert((warning, 0)).1 += 1;
        }
    }
    let samples = evaluated.samples.len();
    let message = |(warning, count): &(&Warning, usize)| format!("{warning} ({count} of {samples} samples)");
    Value::named([
        ("row", Value::places(kinds.keys().map(|(method, _)| *method))),
        ("code", Value::texts(kinds.keys().map(|(_, code)| *code))),
        ("severity", Value::texts(kinds.values().map(|(warning, _)| warning.severity().to_string()))),
        ("message", Value::texts(kinds.values().map(message))),
    ])
}

/// All estimates, sample by sample.
fn every(PoolResult { evaluated, estimates }: &PoolResult) -> Value {
    let each = || evaluated.samples.iter().zip(estimates).enumerate();
    let rows =
        || each().flat_map(|(at, (sample, of))| of.iter().zip(&evaluated.methods).map(move |row| (at, sample, row)));
    let known = |number: fn(&truecount::inference::IntervalEstimate) -> f64| {
        Value::Numbers(rows().map(|(_, _, (estimate, _))| estimate.uncertainty.as_ref().map(number)).collect())
    };
    Value::named([
        ("sample", Value::places(rows().map(|(at, ..)| at))),
        ("method", Value::texts(rows().map(|(_, _, (_, method))| method.name.as_str()))),
        ("truth", Value::numbers(rows().map(|(_, sample, _)| sample.truth))),
        ("n", Value::Wholes(rows().map(|(_, _, (estimate, _))| estimate.n).collect())),
        ("prevalence", Value::numbers(rows().map(|(_, _, (estimate, _))| estimate.prevalence))),
        ("raw", Value::numbers(rows().map(|(_, _, (estimate, _))| estimate.raw))),
        ("se", known(|found| found.se)),
        ("lower", known(|found| found.lower)),
        ("upper", known(|found| found.upper)),
    ])
}
