//! Tallies: mergeable summaries of test scores. R keeps the state of each group's tally as JSON.

use crate::error::{CallResult, RError, respond};
use crate::estimates::{EstimateSet, estimates_value};
use crate::executor::RThreads;
use crate::groups::total_options;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::NewDataColumns;
use crate::value::Value;
use savvy::{IntegerSexp, ListSexp, Result, Sexp, StringSexp, savvy};
use truecount::Tally;
use truecount_analysis::estimates::tally_sets;
use truecount_analysis::groups::MergedTallies;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{GroupEstimates, estimate_groups};

/// Returns the state of the tally of each group.
#[savvy]
pub fn tally_groups(model: &Model, columns: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let columns = NewDataColumns::new(&columns.into())?;
        let sets = columns.sets()?;
        let threads = RThreads::new(threads, sets.number_of_scores());
        states(&tally_sets(&threads, model.fitted.model(), &sets)?)
    })
}

/// Merges tallies of these groups, which are in ascending order and count from 1. Returns the state of
/// each group's tally.
#[savvy]
pub fn merge_tallies(model: &Model, texts: StringSexp, groups: IntegerSexp) -> Result<Sexp> {
    respond(|| {
        let mut merged = MergedTallies::default();
        let contents = tallies(model, &texts)?;
        let numbers: Vec<u32> = groups.iter().map(|group| group.unsigned_abs().wrapping_sub(1)).collect();
        merged.add(&numbers, MergedTallies { contents, shift_total: None })?;
        states(&merged.contents)
    })
}

/// Estimates each group and, if requested, the total of all groups.
#[savvy]
pub fn estimate_tallies(model: &Model, texts: StringSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let request = RequestList::from(request);
        let tallies = tallies(model, &texts)?;
        let groups = TalliedGroups::new(model.fitted.select(request.flag("check")?), &tallies, None);
        let GroupEstimates { groups, total, .. } =
            estimate_groups(&RThreads::all(threads), &groups, &total_options(&request)?, None)?;
        estimates_value(&[model], EstimateSet::new(groups), (total, Vec::new()), &request, None)
    })
}

fn states(tallies: &[Tally]) -> CallResult {
    let text = |tally: &Tally| serde_json::to_string(&tally.state());
    let texts = tallies.iter().map(text).collect::<std::result::Result<Vec<_>, _>>();
    Ok(Value::texts(texts.map_err(|error| savvy::Error::new(error.to_string()))?))
}

fn tallies(model: &Model, texts: &StringSexp) -> CallResult<Vec<Tally>> {
    let tally = |text: &str| {
        let state = serde_json::from_str(text).map_err(|error| savvy::Error::new(error.to_string()))?;
        Ok::<_, RError>(Tally::from_state(model.fitted.model(), state)?)
    };
    texts.iter().map(tally).collect()
}
