//! Prevalences from counts of positive tests and published error rates.

use crate::compare::{GroupReference, group_differences_value};
use crate::error::{CallResult, RError, respond};
use crate::request::RequestList;
use crate::result_list;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, TypedSexp, savvy};
use truecount::counts::{Rate, RateInterval};
use truecount::{Error, IntervalOptions, Target};
use truecount_analysis::compare::count_differences;
use truecount_analysis::counts::{CountedGroup, count_rows, count_total};
use truecount_analysis::results::{CountRow, count_notes, count_table};
use truecount_analysis::with_denominator;

/// Estimates the prevalence of each row, and of all rows together if a total is requested. All columns
/// have the same length. Counts are whole numbers; rates are shares, or texts such as `90/100`.
#[savvy]
pub fn estimate_counts(columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let request = RequestList::from(request);
        let (interval, options) = parse_options(&request)?;
        let mut rows = rows(&columns.into(), interval, &options)?;
        let groups = rows.len();
        if request.flag("total")? {
            rows.push(count_total(&rows, interval, &options)?);
        }
        let mut list = result_list::from_tables(&count_table(&rows), &count_table(&rows));
        list.push(("groups".to_owned(), Value::indices(0..groups)));
        list.push(("notes".to_owned(), result_list::notes(&count_notes(&rows, interval, options.target()))));
        list.push(("title".to_owned(), Value::text(interval.title())));
        Ok(Value::List(list))
    })
}

/// Compares the prevalences of the rows, which are groups in order, with other groups of their level.
#[savvy]
pub fn compare_counts(columns: ListSexp, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let request = RequestList::from(request);
        let (interval, options) = parse_options(&request)?;
        let rows = rows(&columns.into(), interval, &options)?;
        let GroupReference { names, levels, reference } = GroupReference::parse(&request)?;
        let reference_groups = levels.resolve_group_reference(&reference, &names)?;
        let differences = count_differences(&rows, &names, (&levels, &reference_groups), interval, &options)?;
        Ok(group_differences_value(differences, &names, &reference_groups))
    })
}

fn parse_options(request: &RequestList) -> CallResult<(RateInterval, IntervalOptions)> {
    let text = |name: &str| Ok::<_, RError>(request.text(name)?.unwrap_or_default());
    let target: Target = text("target")?.parse()?;
    let options = IntervalOptions::new(request.number("level")?.unwrap_or(f64::NAN), target)?;
    Ok((text("interval")?.parse()?, options))
}

fn rows(columns: &RequestList, interval: RateInterval, options: &IntervalOptions) -> CallResult<Vec<CountRow>> {
    let counts = |name: &str| Ok::<_, RError>(columns.counts(name)?.unwrap_or_default());
    let (sensitivity, specificity) = (rates(columns, "sensitivity")?, rates(columns, "specificity")?);
    let rates = sensitivity.into_iter().zip(specificity);
    let groups: Vec<CountedGroup> = counts("positives")?
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
    Ok(count_rows(&groups, interval, options)?)
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
