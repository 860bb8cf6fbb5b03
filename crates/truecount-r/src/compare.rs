//! How far estimates are apart: groups, methods, and samples, which may be by another model.

use crate::asked::RequestList;
use crate::executor::RThreads;
use crate::failure::{RError, answer};
use crate::grouped::{GroupedTallies, strata, summed};
use crate::listed;
use crate::model::{self, Model};
use crate::tested::{TestColumns, reporting};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::{Estimates, IntervalOptions, LabelRelation, Overlap, Reference};
use truecount_analysis::compare::{
    DifferenceResult, Levels, ReferenceOption, SampleRelation, method_differences, sample_differences,
};
use truecount_analysis::estimates::{estimate_each, tally_sets};
use truecount_analysis::groups::TextNames;
use truecount_analysis::results::{DifferenceRow, ResultTable, percent};
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::estimate_groups;

type Compared = std::result::Result<Value, RError>;

/// Groups, which stand in their order, with others of their level, with all of them or with the rest; by these models if there is one for
/// each stratum.
#[savvy]
pub fn compare_groups(models: ListSexp, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| apart(&model::all(&models)?, &TestColumns::new(&columns.into())?, &asked.into(), threads))
}

fn apart(models: &[&Model], tested: &TestColumns, asked: &RequestList, threads: i32) -> Compared {
    let starts: Vec<usize> =
        asked.numbered("starts")?.unwrap_or_default().into_iter().map(|start| start as usize).collect();
    let order: Vec<usize> = (0..starts.last().copied().unwrap_or_default()).collect();
    let names = names(asked)?;
    let levels = Levels::from_starts(order, &starts);
    let reference = asked.text("reference")?.map_or(ReferenceOption::Usual, |text| ReferenceOption::parse(&text));
    let against = levels.resolve_reference(&reference, &names)?;
    let sets = tested.sets()?;
    let threads = RThreads::new(threads, sets.number_of_scores());
    let (options, comparison) = (summed(asked)?, Some((&levels, &against)));
    let found = if let Some(strata) = strata(&threads, models, &sets, asked)? {
        estimate_groups(&threads, &strata, &options, comparison)?
    } else {
        let model = models[0].fitted.select(asked.flag("check")?);
        let tallied = GroupedTallies::new(&threads, models[0], &sets, asked)?;
        estimate_groups(&threads, &tallied.groups(model), &options, comparison)?
    };
    let found = by_group(found.differences.expect("groups that are compared").named(&names));
    let from = match &against {
        Reference::Group(_) => found.rows.first().map_or("", |row| row.reference.as_str()),
        word => Reference::WORDS.into_iter().find(|(_, known, _)| known == word).map_or("", |(.., what)| what),
    };
    let title = format!("differences from {from}");
    Ok(listed(&found, &title))
}

/// Each method with the first one, on the same scores.
#[savvy]
pub fn compare_methods(model: &Model, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| {
        let (tested, asked) = (TestColumns::new(&columns.into())?, RequestList::from(asked));
        let (of, reporting) = (model.fitted.select(asked.flag("check")?), reporting(&asked)?);
        let groups = each(model, of, &tested, threads, &reporting)?;
        let found = by_group(method_differences(of, &groups, &reporting)?);
        let from = found.rows.first().map_or_else(String::new, |row| row.reference.clone());
        Ok(listed(&found, &format!("differences from {from} on the same scores")))
    })
}

/// Groups with those of other scores, pair by pair, which may be by another model.
#[savvy]
pub fn compare_samples(
    models: ListSexp,
    columns: ListSexp,
    other_columns: ListSexp,
    asked: ListSexp,
    threads: i32,
) -> Result<Sexp> {
    answer(|| {
        let models = model::all(&models)?;
        let (first, second, asked) = (models[0], models.get(1).copied(), RequestList::from(asked));
        let (check, reporting) = (asked.flag("check")?, reporting(&asked)?);
        let (own, other) = (first.fitted.select(check), second.map(|model| model.fitted.select(check)));
        let groups = each(first, own, &TestColumns::new(&columns.into())?, threads, &reporting)?;
        let of_others = (second.unwrap_or(first), other.unwrap_or(own));
        let others = each(of_others.0, of_others.1, &TestColumns::new(&other_columns.into())?, threads, &reporting)?;
        let relation = SampleRelation {
            labelled: if asked.flag("paired")? { LabelRelation::Paired } else { LabelRelation::Apart },
            overlap: if asked.flag("same")? { Overlap::All } else { Overlap::None },
        };
        let numbers = |name: &str| Ok::<_, RError>(asked.numbered(name)?.unwrap_or_default());
        let pairs: Vec<(usize, usize)> = numbers("own")?
            .into_iter()
            .zip(numbers("others")?)
            .map(|(of, other)| (of as usize, other as usize))
            .collect();
        let name = asked.text("other")?.unwrap_or_default();
        let found = sample_differences((own, &groups), (other, &others), &pairs, relation, &name, &reporting)?;
        Ok(listed(&by_group(found), &format!("differences from {name}")))
    })
}

/// The estimates of each group, by a model with the check or without.
fn each(
    model: &Model,
    checked: &truecount::Model,
    tested: &TestColumns,
    threads: i32,
    reporting: &IntervalOptions,
) -> std::result::Result<Vec<Estimates>, RError> {
    let sets = tested.sets()?;
    let tallies = tally_sets(&RThreads::new(threads, sets.number_of_scores()), model.fitted.model(), &sets)?;
    let groups = TalliedGroups::new(checked, &tallies, None);
    Ok(estimate_each(&RThreads::all(threads), &groups, |_| *reporting)?)
}

/// The names of the groups in the last grouping column.
fn names(asked: &RequestList) -> std::result::Result<TextNames, RError> {
    let names = asked.texts("names")?.into_iter().map(|name| vec![Some(name)]).collect();
    Ok(TextNames::new(vec![asked.text("column")?.unwrap_or_default()], names))
}

/// Differences in the groups' order.
fn by_group(mut differences: DifferenceResult) -> DifferenceResult {
    let mut found: Vec<_> = differences.rows.into_iter().zip(differences.references).collect();
    found.sort_by_key(|(row, _)| row.group);
    (differences.rows, differences.references) = found.into_iter().unzip();
    differences
}

fn listed(differences: &DifferenceResult, title: &str) -> Value {
    let DifferenceResult { rows, references, .. } = differences;
    let table = || ResultTable::new(rows);
    let mut methods: Vec<String> = rows.iter().map(|row| row.method.to_string()).collect();
    methods.dedup();
    let shown = if methods.len() > 1 { table() } else { table().hidden("method") };
    let mut found = listed::of(rows, &table(), &shown);
    let title = rows.first().map(|row| format!("{title}, with {} % intervals", percent(row.level)));
    let only = (methods.len() == 1).then(|| format!("method: {}", methods[0]));
    let note = DifferenceRow::note(rows).map(|note| note.sentence().to_owned());
    found.push(("notes".to_owned(), Value::texts(title.into_iter().chain(only).chain(note))));
    if let Some(others) = references.iter().copied().collect::<Option<Vec<_>>>() {
        found.push(("others".to_owned(), Value::places(others)));
    }
    Value::List(found)
}
