//! Estimates of test scores.

use crate::asked::Asked;
use crate::failure::{Failure, answer};
use crate::listed;
use crate::model::Model;
use crate::tested::{Tested, reporting};
use crate::value::Value;
use crate::workers::Threads;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::Estimates;
use truecount_io::held::{self, Finished, Summed};
use truecount_io::results::EstimateRow;
use truecount_io::tally::MergedTallies;

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
    let threads = Threads::new(threads, sets.scores());
    let (groups, total) = if summed.total || summed.weights.is_some() || summed.populations.is_some() {
        let contents = held::tallied(&threads, model.fitted.model(), &sets)?;
        let tallied = MergedTallies { contents, together: None };
        let Finished { groups, total, .. } = held::finish(&threads, (&model.fitted, check), &tallied, &summed)?;
        (groups, total)
    } else {
        (held::estimates(&threads, model.fitted.checked_if(check), &sets, &reporting)?, None)
    };
    let mut found = listed::rows(&rows(groups, false));
    if let Some(total) = total {
        found.push(("total".to_owned(), Value::List(listed::rows(&rows(vec![total], false)))));
    }
    Ok(Value::List(found))
}

/// Set by set, and within it method by method.
fn rows(estimates: Vec<Estimates>, is_total: bool) -> Vec<EstimateRow> {
    let of =
        |(group, of): (usize, Estimates)| of.into_iter().map(move |estimate| EstimateRow { group, is_total, estimate });
    estimates.into_iter().enumerate().flat_map(of).collect()
}
