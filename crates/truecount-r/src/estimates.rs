//! Estimates of test scores.

use crate::asked::{RequestList, size};
use crate::executor::RThreads;
use crate::failure::{RError, answer};
use crate::grouped::{GroupedTallies, strata, summed};
use crate::listed::tables;
use crate::model::{self, Model};
use crate::tested::{TestColumns, reporting};
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, StringSexp, savvy};
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimate, Estimates, JointErrors, Method, PerClass, Problem, Resamples};
use truecount_analysis::compare::covariances;
use truecount_analysis::estimates::{self, Resampling};
use truecount_analysis::notes::{fit_notes, strata_note, variance_notes};
use truecount_analysis::results::{EstimateRow, ON_REQUEST, ResultTable};
use truecount_analysis::strata::{SmallStrata, Strata};
use truecount_analysis::totals::{GroupEstimates, estimate_groups};

/// Estimates of groups, for what is asked of them later; and the methods where models of strata have learnt apart.
#[savvy]
pub struct EstimateSet {
    groups: Vec<Estimates>,
    strata: Option<Vec<(Method, JointErrors)>>,
}

/// The estimates of each group, and, where asked for, of all together; by these models if there is one for each stratum.
#[savvy]
pub fn estimate_scores(models: ListSexp, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| estimated(&model::all(&models)?, &TestColumns::new(&columns.into())?, &asked.into(), threads))
}

/// The covariances of the groups' estimates by a method.
#[savvy]
pub fn estimates_covary(model: &Model, found: &EstimateSet, method: &str, reporting: ListSexp) -> Result<Sexp> {
    answer(|| {
        let method: Method = method.parse()?;
        let of_strata = found.strata.as_ref().and_then(|strata| strata.iter().find(|(of, _)| *of == method));
        let own;
        let together = if let Some((_, together)) = of_strata {
            together
        } else {
            own = JointErrors::new(model.fitted.model(), method)?;
            &own
        };
        let estimates: Vec<&Estimate> = found.groups.iter().filter_map(|group| group.by_method(method)).collect();
        Ok(Value::numbers(covariances(together, &estimates, &self::reporting(&reporting.into())?)?))
    })
}

/// Which strata of the labelled scores have a model together, by their numbers of positive and negative ones.
#[savvy]
pub fn share_models(
    column: &str,
    names: StringSexp,
    positive: RealSexp,
    negative: RealSexp,
    pool: bool,
) -> Result<Sexp> {
    answer(|| {
        let of = |(positive, negative): (&f64, &f64)| PerClass { positive: size(*positive), negative: size(*negative) };
        let sizes: Vec<_> = positive.as_slice().iter().zip(negative.as_slice()).map(of).collect();
        let small = if pool { SmallStrata::Pool } else { SmallStrata::Reject };
        let strata = Strata::new(column, &names.to_vec(), &sizes, small)?;
        Ok(Value::places(strata.block_of))
    })
}

fn estimated(
    models: &[&Model],
    tested: &TestColumns,
    asked: &RequestList,
    threads: i32,
) -> std::result::Result<Value, RError> {
    let (reporting, check) = (reporting(asked)?, asked.flag("check")?);
    let summed = summed(asked)?;
    let sets = tested.sets()?;
    let many = RThreads::new(threads, sets.number_of_scores());
    let first = models[0];
    let model = first.fitted.select(check);
    if let Some(strata) = strata(&many, models, &sets, asked)? {
        let GroupEstimates { groups, total, .. } = estimate_groups(&many, &strata, &summed, None)?;
        return listed(models, EstimateSet { groups, strata: Some(strata.into_joint_errors()) }, total, asked, None);
    }
    if let Some(resamples) = asked.number("resamples")? {
        let (resamples, seed) = (size(resamples) as u64, asked.count("seed")? as u64);
        let all = RThreads::all(threads);
        let resampling = Resampling { resamples: Resamples::new(resamples, sets.are_weighted(), &reporting)?, seed };
        let groups = resampling.estimates(&all, model, &sets, &reporting)?;
        let mut total = None;
        if summed.total {
            total = resampling.estimates(&all, model, &tested.whole(), &reporting)?.pop();
        }
        return listed(models, EstimateSet { groups, strata: None }, total, asked, Some(resamples));
    }
    if TestColumns::parts(asked)?.is_none() && !summed.total && summed.weights.is_none() && summed.populations.is_none()
    {
        let groups = estimates::estimate_sets(&many, model, &sets, &reporting)?;
        return listed(models, EstimateSet { groups, strata: None }, None, asked, None);
    }
    let tallied = GroupedTallies::new(&many, first, &sets, asked)?;
    let GroupEstimates { groups, total, .. } = estimate_groups(&many, &tallied.groups(model), &summed, None)?;
    listed(models, EstimateSet { groups, strata: None }, total, asked, None)
}

/// What R shows of estimates, of groups and of all together, and the notes below them.
fn listed(
    models: &[&Model],
    found: EstimateSet,
    total: Option<Estimates>,
    asked: &RequestList,
    resamples: Option<u64>,
) -> std::result::Result<Value, RError> {
    let model = models[0].fitted.model();
    let (number, methods) = (found.groups.len(), model.quantifiers().len());
    let rows: Vec<EstimateRow> =
        rows(found.groups.clone(), false).chain(total.into_iter().flat_map(|total| rows(vec![total], true))).collect();
    let mut shown = asked.texts("columns")?;
    if let Some(other) = shown.iter().find(|name| !ON_REQUEST.contains(&name.as_str())) {
        return Err(Error::from(Problem::UnknownChoice {
            name: "columns",
            value: other.clone(),
            known: ON_REQUEST.to_vec(),
        })
        .into());
    }
    if rows.iter().any(|row| row.estimate.effective_n.is_some()) {
        shown.push(ON_REQUEST[0].to_owned());
    }
    let level = asked.number("level")?.unwrap_or(f64::NAN);
    let people = EstimateRow::hide_unused_columns(ResultTable::new(&rows), &rows, &shown, methods, level);
    let mut told = tables(&ResultTable::new(&rows), &people);
    told.push(("found".to_owned(), Value::held(found)));
    let groups = (0..number).flat_map(|group| std::iter::repeat_n(group, methods));
    told.push(("groups".to_owned(), Value::places(groups)));
    let variance_of = |quantifier: &Quantifier| match resamples {
        Some(resamples) => Some(quantifier.method().variance_of_bootstrap(resamples)),
        None => quantifier.variance_of().map(str::to_owned),
    };
    let notes = variance_notes(model.quantifiers().iter(), variance_of, "interval = \"bootstrap\"");
    let strata = asked.texts("strata")?;
    let source = match asked.text("stratum")? {
        Some(column) => {
            let each = strata.iter().map(String::as_str).zip(models.iter().map(|model| model.fitted.model()));
            vec![strata_note(&column, each)]
        }
        None => fit_notes(model),
    };
    let notes = notes.iter().map(|note| note.sentence().to_owned()).chain(source);
    told.push(("notes".to_owned(), Value::texts(notes)));
    Ok(Value::List(told))
}

/// Set by set, and within it method by method.
fn rows(estimates: Vec<Estimates>, is_total: bool) -> impl Iterator<Item = EstimateRow> {
    let row = move |group, estimate| EstimateRow { group, is_total, estimate };
    let of = move |(group, of): (usize, Estimates)| of.into_iter().map(move |estimate| row(group, estimate));
    estimates.into_iter().enumerate().flat_map(of)
}
