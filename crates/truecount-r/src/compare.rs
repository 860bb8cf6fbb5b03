//! Differences between groups, between methods, and between samples of one or two models.

use crate::error::{CallResult, RError, respond};
use crate::executor::RThreads;
use crate::groups::{group_names, memory_rows, stratum_models, tally_groups, total_options};
use crate::model::{self, Model};
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::{NewDataColumns, interval_options};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::compare::{LabelRelation, Overlap, Reference};
use truecount::{Estimates, IntervalOptions};
use truecount_analysis::compare::{
    ComparisonSets, DifferenceResult, ReferenceOption, SampleRelation, method_differences, sample_differences,
};
use truecount_analysis::estimates::tally_sets;
use truecount_analysis::groups::TextNames;
use truecount_analysis::results::percent;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{estimate_each, estimate_groups};

/// Groups in order, divided into levels, and the reference that they are compared with.
pub struct GroupReference {
    pub names: TextNames,
    pub levels: ComparisonSets,
    pub reference: ReferenceOption,
}

impl GroupReference {
    /// Reads the names of the groups, the starts of the levels, and the reference.
    pub fn parse(request: &RequestList) -> CallResult<Self> {
        let starts: Vec<usize> =
            request.indices("starts")?.unwrap_or_default().into_iter().map(|start| start as usize).collect();
        let order: Vec<usize> = (0..starts.last().copied().unwrap_or_default()).collect();
        let reference = request.text("reference")?.map_or(ReferenceOption::Auto, |text| ReferenceOption::parse(&text));
        Ok(Self { names: group_names(request)?, levels: ComparisonSets::from_starts(order, &starts), reference })
    }
}

/// Compares groups, which are in order, with other groups of their level, or with the total or the
/// rest of the level. There are several models if there is one for each stratum.
#[savvy]
pub fn compare_groups(models: ListSexp, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        group_differences(
            &model::model_refs(&models)?,
            &NewDataColumns::new(&columns.into())?,
            &request.into(),
            threads,
        )
    })
}

fn group_differences(models: &[&Model], columns: &NewDataColumns, request: &RequestList, threads: i32) -> CallResult {
    let GroupReference { names, levels, reference } = GroupReference::parse(request)?;
    let reference_groups = levels.resolve_reference(&reference, &names)?;
    let threads = RThreads::new(threads, columns.number_of_rows());
    let (options, comparison) = (total_options(request)?, Some((&levels, &reference_groups)));
    let estimates = if let Some(strata) = stratum_models(models, request)? {
        let rows = memory_rows(columns, request)?;
        let groups = strata.groups(&threads, &rows, &options.interval_options)?;
        estimate_groups(&threads, &groups, &options, comparison)?
    } else {
        let model = models[0].fitted.select(request.flag("check")?);
        let tallied = tally_groups(&threads, models[0], columns, request)?;
        estimate_groups(&threads, &tallied.tallied_groups(model)?, &options, comparison)?
    };
    let differences = estimates.differences.expect("a comparison was requested").named(&names);
    Ok(group_differences_value(differences, &names, &reference_groups))
}

/// Converts differences between groups to a list for R.
pub fn group_differences_value(differences: DifferenceResult, names: &TextNames, reference: &Reference) -> Value {
    let differences = sorted_by_group(differences);
    let reference_text = match reference {
        Reference::Group(_) => differences.rows.first().map_or("", |row| row.reference.as_str()),
        other => Reference::WORDS
            .into_iter()
            .find(|(_, known, _)| known == other)
            .map_or("", |(.., description)| description),
    };
    differences_value(&differences, names, &format!("differences from {reference_text}"))
}

/// Compares each method with the first one, on the same scores.
#[savvy]
pub fn compare_methods(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let (columns, request) = (NewDataColumns::new(&columns.into())?, RequestList::from(request));
        let (selected, options) = (model.fitted.select(request.flag("check")?), interval_options(&request)?);
        let groups = estimate_groups_by(model, selected, &columns, threads, &options)?;
        let differences = sorted_by_group(method_differences(selected, &groups, &options)?);
        let reference = differences.rows.first().map_or_else(String::new, |row| row.reference.clone());
        let title = format!("differences from {reference} on the same scores");
        Ok(differences_value(&differences, &group_names(&request)?, &title))
    })
}

/// Compares groups with the groups of another sample, pair by pair. The other sample may have
/// another model.
#[savvy]
pub fn compare_samples(
    models: ListSexp,
    columns: ListSexp,
    other_columns: ListSexp,
    request: ListSexp,
    threads: i32,
) -> Result<Sexp> {
    respond(|| {
        let models = model::model_refs(&models)?;
        let (first, second, request) = (models[0], models.get(1).copied(), RequestList::from(request));
        let (check, options) = (request.flag("check")?, interval_options(&request)?);
        let (own, other) = (first.fitted.select(check), second.map(|model| model.fitted.select(check)));
        let columns = NewDataColumns::new(&columns.into())?;
        let groups = estimate_groups_by(first, own, &columns, threads, &options)?;
        let columns = NewDataColumns::new(&other_columns.into())?;
        let other_groups =
            estimate_groups_by(second.unwrap_or(first), other.unwrap_or(own), &columns, threads, &options)?;
        let relation = SampleRelation {
            labelled: if request.flag("paired")? { LabelRelation::Paired } else { LabelRelation::Independent },
            overlap: if request.flag("same")? { Overlap::All } else { Overlap::None },
        };
        let indices = |name: &str| Ok::<_, RError>(request.indices(name)?.unwrap_or_default());
        let pairs: Vec<(usize, usize)> = indices("own_groups")?
            .into_iter()
            .zip(indices("other_groups")?)
            .map(|(own, other)| (own as usize, other as usize))
            .collect();
        let name = request.text("other_name")?.unwrap_or_default();
        let differences =
            sample_differences((own, &groups), (other, &other_groups), &pairs, relation, &name, &options)?;
        Ok(differences_value(
            &sorted_by_group(differences),
            &group_names(&request)?,
            &format!("differences from {name}"),
        ))
    })
}

/// Estimates each group by `selected`, which is `model` with or without the shift check.
fn estimate_groups_by(
    model: &Model,
    selected: &truecount::Model,
    columns: &NewDataColumns,
    threads: i32,
    options: &IntervalOptions,
) -> CallResult<Vec<Estimates>> {
    let sets = columns.sets()?;
    let tallies = tally_sets(&RThreads::new(threads, sets.number_of_scores()), model.fitted.model(), &sets)?;
    let groups = TalliedGroups::new(selected, &tallies, None);
    Ok(estimate_each(&RThreads::all(threads), &groups, |_| *options)?)
}

fn sorted_by_group(mut differences: DifferenceResult) -> DifferenceResult {
    let mut rows: Vec<_> = differences.rows.into_iter().zip(differences.references).collect();
    rows.sort_by_key(|(row, _)| row.group);
    (differences.rows, differences.references) = rows.into_iter().unzip();
    differences
}

fn differences_value(differences: &DifferenceResult, names: &TextNames, title: &str) -> Value {
    let DifferenceResult { rows, references, .. } = differences;
    let table = || differences.plain_table();
    let mut methods: Vec<String> = rows.iter().map(|row| row.method.clone()).collect();
    methods.dedup();
    let without_shares = table().hidden("prevalence").hidden("prevalence_reference");
    let printed = if methods.len() > 1 { without_shares } else { without_shares.hidden("method") };
    let mut list = result_list::from_grouped(rows, &table(), &printed);
    let title = rows.first().map(|row| format!("{title}, with {} % intervals", percent(row.level)));
    let only_method = (methods.len() == 1).then(|| format!("method: {}", methods[0]));
    let notes = differences.notes(names);
    let notes = notes.iter().map(|note| note.sentence().to_owned());
    list.push(("notes".to_owned(), Value::texts(title.into_iter().chain(only_method).chain(notes))));
    if let Some(groups) = references.iter().copied().collect::<Option<Vec<_>>>() {
        list.push(("reference_groups".to_owned(), Value::indices(groups)));
    }
    Value::List(list)
}
