//! Prevalences from counts and published error rates.

use crate::asked::RequestList;
use crate::failure::{RError, answer};
use crate::listed;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, TypedSexp, savvy};
use truecount::counts::{Rate, RateInterval};
use truecount::{Error, IntervalOptions, Target};
use truecount_analysis::counts::{CountedGroup, count_rows};
use truecount_analysis::results::{count_notes, count_table};
use truecount_analysis::with_denominator;

/// The prevalence of each row. Columns are of one length, and counts are whole numbers; rates are shares, or texts such as `90/100`.
#[savvy]
pub fn estimate_counts(columns: ListSexp, asked: ListSexp) -> Result<Sexp> {
    answer(|| estimated(&columns.into(), &asked.into()))
}

fn estimated(columns: &RequestList, asked: &RequestList) -> std::result::Result<Value, RError> {
    let word = |name: &str| Ok::<_, RError>(asked.text(name)?.unwrap_or_default());
    let interval: RateInterval = word("interval")?.parse()?;
    let target: Target = word("target")?.parse()?;
    let reporting = IntervalOptions::new(asked.number("level")?.unwrap_or(f64::NAN), target)?;
    let whole = |name: &str| Ok::<_, RError>(columns.wholes(name)?.unwrap_or_default());
    let (sensitivity, specificity) = (rates(columns, "sensitivity")?, rates(columns, "specificity")?);
    let counted = whole("positives")?.into_iter().zip(whole("tested")?).zip(sensitivity.into_iter().zip(specificity));
    let counted: Vec<CountedGroup> = counted
        .map(|((positives, tested), (sensitivity, specificity))| CountedGroup {
            positives,
            tested,
            sensitivity,
            specificity,
        })
        .collect();
    let rows = count_rows(&counted, interval, &reporting)?;
    let mut found = listed::of(&rows, &count_table(&rows), &count_table(&rows));
    let notes = count_notes(&rows, interval, target);
    found.push(("notes".to_owned(), listed::notes(&notes)));
    found.push(("title".to_owned(), Value::text(interval.title())));
    Ok(Value::List(found))
}

/// A column of rates, with the denominators that stand by themselves.
fn rates(columns: &RequestList, name: &'static str) -> std::result::Result<Vec<Rate>, RError> {
    let given: Vec<std::result::Result<Rate, Error>> = match columns.given(name) {
        Some(TypedSexp::Real(shares)) => shares.as_slice().iter().map(|share| Ok(Rate::Exact(*share))).collect(),
        Some(TypedSexp::String(texts)) => texts.iter().map(str::parse).collect(),
        _ => return Err(savvy::Error::new("a column of rates is wanted").into()),
    };
    let of = columns.wholes(&format!("{name}_of"))?;
    let rate = |(row, rate): (usize, std::result::Result<Rate, Error>)| {
        let found = match &of {
            Some(of) => rate.and_then(|rate| with_denominator(rate, of[row]).map_err(Error::from)),
            None => rate,
        };
        found.map_err(|error| RError::Column(name, error.at_row(row)))
    };
    given.into_iter().enumerate().map(rate).collect()
}
