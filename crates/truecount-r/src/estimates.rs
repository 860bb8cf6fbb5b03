//! Estimates of test scores.

use crate::asked::Asked;
use crate::failure::{Failure, answer};
use crate::listed::tables;
use crate::model::Model;
use crate::tested::{Tested, reporting};
use crate::value::Value;
use crate::workers::Threads;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::Estimates;
use truecount::quantifier::Quantifier;
use truecount_io::held::{self, Cells, Finished, Summed};
use truecount_io::results::{EstimateRow, ON_REQUEST, Table};
use truecount_io::tally::MergedTallies;
use truecount_io::told::{self, variances};

/// The estimates of each group, and, where asked for, of all together.
#[savvy]
pub fn estimate_scores(model: &Model, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| estimated(model, &Tested::new(&columns.into())?, &asked.into(), threads))
}

fn estimated(model: &Model, tested: &Tested, asked: &Asked, threads: i32) -> std::result::Result<Value, Failure> {
    let (reporting, check) = (reporting(asked)?, asked.flag("check")?);
    let (weights, populations) = (asked.vector("total_weights")?, asked.vector("populations")?);
    let summed = Summed { reporting, total: asked.flag("total")?, weights, populations };
    let sets = tested.sets()?;
    let fitted = (&model.fitted, check);
    if let Some(resamples) = asked.number("resamples")? {
        let (resamples, seed) = (whole(resamples), whole(asked.number("seed")?.unwrap_or(1.0)));
        let threads = Threads::all(threads);
        let groups = held::bootstrap(&threads, fitted, &sets, &reporting, resamples, seed)?;
        let total = if summed.total {
            Some(held::bootstrap(&threads, fitted, &tested.whole(), &reporting, resamples, seed)?.swap_remove(0))
        } else {
            None
        };
        return Ok(listed(model, groups, total, asked, Some(resamples))?);
    }
    let threads = Threads::new(threads, sets.scores());
    if !summed.total && summed.weights.is_none() && summed.populations.is_none() {
        let groups = held::estimates(&threads, model.fitted.checked_if(check), &sets, &reporting)?;
        return Ok(listed(model, groups, None, asked, None)?);
    }
    let contents = held::tallied(&threads, model.fitted.model(), &sets)?;
    let tallied = MergedTallies { contents, together: None };
    let Finished { groups, total, .. } = held::finish(&threads, fitted, &Cells::new(&tallied), &summed)?;
    Ok(listed(model, groups, total, asked, None)?)
}

/// What R shows of estimates, of groups and of all together, and the notes below them.
fn listed(
    model: &Model,
    groups: Vec<Estimates>,
    total: Option<Estimates>,
    asked: &Asked,
    resamples: Option<u64>,
) -> Result<Value> {
    let model = model.fitted.model();
    let (number, methods) = (groups.len(), model.quantifiers().len());
    let rows: Vec<EstimateRow> =
        rows(groups, false).chain(total.into_iter().flat_map(|total| rows(vec![total], true))).collect();
    let mut shown = asked.texts("columns")?;
    if rows.iter().any(|row| row.estimate.effective_n.is_some()) {
        shown.push(ON_REQUEST[0].to_owned());
    }
    let level = asked.number("level")?.unwrap_or(f64::NAN);
    let people = EstimateRow::narrowed(Table::new(&rows), &rows, &shown, methods, level);
    let mut found = tables(&Table::new(&rows), &people);
    let groups = (0..number).flat_map(|group| std::iter::repeat_n(group, methods));
    found.push(("groups".to_owned(), Value::places(groups)));
    let variance_of = |quantifier: &Quantifier| match resamples {
        Some(resamples) => Some(quantifier.method().variance_of_bootstrap(resamples)),
        None => quantifier.variance_of().map(str::to_owned),
    };
    let notes = variances(model.quantifiers().iter(), variance_of, "interval = \"bootstrap\"");
    let notes = notes.iter().map(|note| note.sentence().to_owned()).chain(told::fitted(model));
    found.push(("notes".to_owned(), Value::texts(notes)));
    Ok(Value::List(found))
}

/// Set by set, and within it method by method.
fn rows(estimates: Vec<Estimates>, is_total: bool) -> impl Iterator<Item = EstimateRow> {
    let row = move |group, estimate| EstimateRow { group, is_total, estimate };
    let of = move |(group, of): (usize, Estimates)| of.into_iter().map(move |estimate| row(group, estimate));
    estimates.into_iter().enumerate().flat_map(of)
}

/// A number of R's, which are doubles.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is negative or no number is 0
fn whole(number: f64) -> u64 {
    number as u64
}
