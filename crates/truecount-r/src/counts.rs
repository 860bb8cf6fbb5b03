//! Prevalences from counts of positive tests and published error rates.

use crate::compare::{GroupReference, group_differences_value};
use crate::error::{CallResult, RError, respond};
use crate::request::RequestList;
use crate::result_list;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, TypedSexp, savvy};
use truecount::Error;
use truecount::counts::Rate;
use truecount_analysis::compare::count_differences;
use truecount_analysis::counts::{CountedGroup, count_rows, with_denominator};
use truecount_analysis::groups::TextNames;
use truecount_analysis::request::CountsRequest;
use truecount_analysis::results::{count_notes, count_table};

/// Estimates the prevalence of each row, and of all rows together if a total is requested. All columns
/// have the same length. Counts are whole numbers; rates are shares, or texts such as `90/100`.
#[savvy]
pub fn estimate_counts(columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let request: CountsRequest = RequestList::from(request).read()?;
        let output = request.run(TextNames::none(), &groups(&columns.into())?, &[])?;
        let table = count_table(&output.rows);
        let mut list = result_list::from_tables(&table, &table);
        list.push(("groups".to_owned(), Value::indices(0..output.groups().len())));
        let notes = count_notes(&output.rows, output.interval, output.target);
        list.push(("notes".to_owned(), result_list::notes(&notes)));
        list.push(("title".to_owned(), Value::text(output.interval.title())));
        Ok(Value::List(list))
    })
}

/// Compares the prevalences of the rows, which are groups in order, with other groups of their level.
#[savvy]
pub fn compare_counts(columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let list = RequestList::from(request);
        let (interval, options) = list.read::<CountsRequest>()?.interval_options()?;
        let rows = count_rows(&groups(&columns.into())?, &[], interval, &options)?;
        let GroupReference { names, levels, reference } = GroupReference::parse(&list)?;
        let reference_groups = levels.resolve_group_reference(&reference, &names)?;
        let differences = count_differences(&rows, &names, (&levels, &reference_groups), interval, &options)?;
        Ok(group_differences_value(differences, &names, &reference_groups))
    })
}

fn groups(columns: &RequestList) -> CallResult<Vec<CountedGroup>> {
    let counts = |name: &str| Ok::<_, RError>(columns.counts(name)?.unwrap_or_default());
    let (sensitivity, specificity) = (rates(columns, "sensitivity")?, rates(columns, "specificity")?);
    let rates = sensitivity.into_iter().zip(specificity);
    let groups = counts("positives")?
        .into_iter()
        .zip(counts("tested")?)
        .zip(rates)
        .map(|((positives, tested), (sensitivity, specificity))| CountedGroup {
            positives,
            tested,
            sensitivity,
            specificity,
        })
        .collect();
    Ok(groups)
}

/// Returns a column of rates, with their denominators if these have a column of their own.
fn rates(columns: &RequestList, name: &'static str) -> CallResult<Vec<Rate>> {
    let parsed: Vec<std::result::Result<Rate, Error>> = match columns.get(name) {
        Some(TypedSexp::Real(shares)) => shares.as_slice().iter().map(|share| Ok(Rate::Exact(*share))).collect(),
        Some(TypedSexp::String(texts)) => texts.iter().map(str::parse).collect(),
        _ => return Err(savvy::Error::new("a column of rates is wanted").into()),
    };
    let denominators = columns.counts(&format!("{name}_of"))?;
    let rate = |(row, rate): (usize, std::result::Result<Rate, Error>)| {
        let rate = match &denominators {
            Some(counts) => rate.and_then(|rate| with_denominator(rate, counts[row]).map_err(Error::from)),
            None => rate,
        };
        rate.map_err(|error| RError::Column(name, error.at_row(row)))
    };
    parsed.into_iter().enumerate().map(rate).collect()
}
