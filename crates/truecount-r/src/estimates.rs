//! Estimates of test scores.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::groups::{estimate_request, memory_rows, stratum_models};
use crate::model::{self, Model};
use crate::request::{RequestList, to_size};
use crate::result_list::from_tables;
use crate::test_columns::{NewDataColumns, interval_options};
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, StringSexp, savvy};
use truecount::compare::JointErrors;
use truecount::error::{Operation, Problem};
use truecount::scores::PerClass;
use truecount::{Error, Estimate, Estimates, Method};
use truecount_analysis::compare::covariances;
use truecount_analysis::notes::{fit_notes, strata_note, variance_notes};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{EstimateRow, OPTIONAL_COLUMNS, PublicationRule};
use truecount_analysis::strata::{SmallStrata, Strata};
use truecount_analysis::totals::GroupEstimates;

/// Estimates of groups, kept in Rust for their covariances. With strata, the joint errors of each
/// method are kept too.
#[savvy]
pub struct EstimateSet {
    groups: Vec<Estimates>,
    strata_errors: Option<Vec<(Method, JointErrors)>>,
}

impl EstimateSet {
    pub fn new(groups: Vec<Estimates>) -> Self {
        Self { groups, strata_errors: None }
    }
}

/// Estimates each group and, if requested, the total of all groups. There are several models if
/// there is one for each stratum.
#[savvy]
pub fn estimate_scores(models: ListSexp, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| estimate(&model::model_refs(&models)?, &NewDataColumns::new(&columns.into())?, &request.into(), threads))
}

/// Returns the influence of each row on the estimate of its group by a method, in the order of the groups, and
/// each group's standard error from the labelled scores. Both are empty for a method without such values.
#[savvy]
pub fn influence_on_estimates(model: &Model, estimates: &EstimateSet, method: &str, columns: ListSexp) -> Result<Sexp> {
    respond(|| {
        let (method, columns): (Method, _) = (method.parse()?, NewDataColumns::new(&columns.into())?);
        let (mut values, mut errors) = (Vec::with_capacity(columns.number_of_rows()), Vec::new());
        if Operation::Influence.is_supported_by(method) && estimates.strata_errors.is_none() {
            for (set, group) in columns.sets()?.sets.iter().zip(&estimates.groups) {
                let (model, estimate) = (model.fitted.model(), group.by_method(method));
                let estimate = estimate.expect("an estimate by the method");
                values.extend(model.influence_on(estimate, set.batch()?)?);
                errors.push(model.labelled_variance(estimate)?.sqrt());
            }
        }
        Ok(Value::named([("values", Value::numbers(values)), ("se_labels", Value::numbers(errors))]))
    })
}

/// Returns the covariances of the groups' estimates by a method.
#[savvy]
pub fn estimate_covariances(model: &Model, estimates: &EstimateSet, method: &str, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let method: Method = method.parse()?;
        let mut strata_errors = estimates.strata_errors.iter().flatten();
        let model_errors;
        let joint = if let Some((_, joint)) = strata_errors.find(|(name, _)| *name == method) {
            joint
        } else {
            model_errors = JointErrors::new(model.fitted.model(), method)?;
            &model_errors
        };
        let estimates: Vec<&Estimate> = estimates.groups.iter().filter_map(|group| group.by_method(method)).collect();
        Ok(Value::numbers(covariances(joint, &estimates, &interval_options(&request.into())?)?))
    })
}

/// Returns the index of each stratum's model. Strata with few positive or negative labelled scores
/// share a model if `pool` is true.
#[savvy]
pub fn assign_strata_models(
    column: &str,
    names: StringSexp,
    positive: RealSexp,
    negative: RealSexp,
    pool: bool,
) -> Result<Sexp> {
    respond(|| {
        let class_sizes = |(positive, negative): (&f64, &f64)| PerClass {
            positive: to_size(*positive),
            negative: to_size(*negative),
        };
        let sizes: Vec<_> = positive.as_slice().iter().zip(negative.as_slice()).map(class_sizes).collect();
        let small = if pool { SmallStrata::Pool } else { SmallStrata::Reject };
        let strata = Strata::new(column, &names.to_vec(), &sizes, small)?;
        Ok(Value::indices(strata.block_of))
    })
}

fn estimate(models: &[&Model], columns: &NewDataColumns, list: &RequestList, threads: i32) -> CallResult {
    let rows = memory_rows(columns, list)?;
    let apparent = rows.parts.sizes.standard.is_none() && rows.parts.sizes.populations.is_none();
    let request = EstimateRequest { apparent, ..estimate_request(columns.are_weighted(), list)? };
    let threads_for_scores = RThreads::new(threads, columns.number_of_rows());
    if let Some(strata) = stratum_models(models, list)? {
        let ((_, mut estimates), joint) = request.run_by_stratum(&threads_for_scores, &rows, &strata)?;
        let total = estimates.take_total();
        let set = EstimateSet { groups: estimates.groups, strata_errors: Some(joint) };
        return estimates_value(models, set, (total, estimates.notes), list, None);
    }
    let model = models[0].fitted.select(list.flag("check")?);
    let Some(resampling) = request.resampling()? else {
        let (_, mut estimates) = request.run(&threads_for_scores, &rows, model)?;
        let total = estimates.take_total();
        let GroupEstimates { groups, notes, .. } = estimates;
        return estimates_value(models, EstimateSet::new(groups), (total, notes), list, None);
    };
    let threads = RThreads::all(threads);
    // The bootstrap of the total takes the rows in their own order.
    let of_groups = EstimateRequest { total: false, ..request.clone() };
    let (_, GroupEstimates { groups, notes, .. }) = of_groups.run(&threads, &rows, model)?;
    let mut total = None;
    if request.total {
        let options = request.interval_options()?;
        total = resampling.estimates(&threads, model, &columns.whole(), &options)?.pop();
    }
    estimates_value(models, EstimateSet::new(groups), (total, notes), list, request.resamples)
}

/// Returns the estimates of groups and of their total as a list for R, with the notes below them, which
/// include those on whose shares the estimates are.
pub fn estimates_value(
    models: &[&Model],
    estimates: EstimateSet,
    (total, target_notes): (Option<Estimates>, Vec<String>),
    request: &RequestList,
    resamples: Option<u64>,
) -> CallResult {
    let model = models[0].fitted.model();
    let (number_of_groups, methods) = (estimates.groups.len(), model.quantifiers().len());
    let total_rows = total.into_iter().flat_map(|total| rows(vec![total], true));
    let mut rows: Vec<EstimateRow> = rows(estimates.groups.clone(), false).chain(total_rows).collect();
    let mut extra_columns = request.texts("columns")?;
    if let Some(unknown) = extra_columns.iter().find(|name| !OPTIONAL_COLUMNS.contains(&name.as_str())) {
        return Err(Error::from(Problem::UnknownChoice {
            name: "columns",
            value: unknown.clone(),
            known: OPTIONAL_COLUMNS.to_vec(),
        })
        .into());
    }
    if rows.iter().any(|row| row.estimate.effective_n.is_some()) {
        extra_columns.push(OPTIONAL_COLUMNS[0].to_owned());
    }
    let rule = request.text("publish")?.map(|name| name.parse::<PublicationRule>()).transpose()?;
    if let Some(rule) = rule {
        rule.apply(&mut rows);
    }
    let level = request.number("level")?.unwrap_or(f64::NAN);
    let printed = EstimateRow::hide_unused_columns(&rows, &extra_columns, methods, level);
    let mut list = from_tables(&EstimateRow::table(&rows), &printed);
    list.push(("estimates".to_owned(), Value::pointer(estimates)));
    let groups = (0..number_of_groups).flat_map(|group| std::iter::repeat_n(group, methods));
    list.push(("groups".to_owned(), Value::indices(groups)));
    let notes = variance_notes(model.quantifiers().iter(), resamples, "interval = \"bootstrap\"");
    let strata = request.texts("model_names")?;
    let fit_notes = match request.text("stratum_column")? {
        Some(column) => {
            let each = strata.iter().map(String::as_str).zip(models.iter().map(|model| model.fitted.model()));
            vec![strata_note(&column, each)]
        }
        None => fit_notes(model),
    };
    let notes = EstimateRow::target_note(&rows).into_iter().chain(notes);
    let citation = rule.map(|rule| format!("publish: {}", rule.citation()));
    let notes = notes.map(|note| note.sentence().to_owned()).chain(citation).chain(target_notes).chain(fit_notes);
    list.push(("notes".to_owned(), Value::texts(notes)));
    Ok(Value::List(list))
}

/// Returns the rows of test sets, set by set and method by method.
fn rows(estimates: Vec<Estimates>, is_total: bool) -> impl Iterator<Item = EstimateRow> {
    estimates.into_iter().enumerate().flat_map(move |(group, estimates)| {
        estimates.into_iter().map(move |estimate| EstimateRow { is_total, ..EstimateRow::new(group, estimate) })
    })
}
