//! Queries for differences between groups, with the standard error of `inference::difference`.
//!
//! The covariance of two estimates through the labelled scores depends on the functions that both
//! estimates use. It is computed from a small table with a row for every pair of functions.

use super::Query;
use super::interval::{NEGATIVE_SHARE, NamedColumns, column, target_literal};
use super::names::format_number;
use super::rates::{RateColumns, RateRow, flush_to_zero};
use super::values::{group_aliases, join_columns, named_groups};
use crate::compare::JointErrors;
use crate::{Error, Model};

/// The columns of an estimate that a difference is computed from.
const ESTIMATE_COLUMNS: [&str; 3] = ["place", "estimate", "variance"];

/// Returns the table of covariance terms for every pair of functions of a method.
///
/// # Errors
/// Returns an error if the covariance of a method's estimates is unknown.
pub(super) fn common_table(model: &Model, rows: &[&RateRow], rates: RateColumns) -> Result<String, Error> {
    let mut selects: Vec<String> = Vec::new();
    for quantifier in model.quantifiers() {
        let joint_errors = JointErrors::new(model, quantifier.method())?;
        let method = quantifier.method().to_string();
        let places: Vec<usize> = rows.iter().filter(|row| row.method == method).map(|row| row.place).collect();
        for (j, first) in places.iter().enumerate() {
            for (k, second) in places.iter().enumerate() {
                let common = joint_errors.function_covariances(j, k);
                let mut columns = vec![
                    ("of_method", format!("'{method}'")),
                    ("here", first.to_string()),
                    ("there", second.to_string()),
                    ("training_both_p", format_number(flush_to_zero(common.learnt.positive))),
                    ("training_both_n", format_number(flush_to_zero(common.learnt.negative))),
                ];
                if rates.common_units().is_some() {
                    columns.push(("training_pn", format_number(flush_to_zero(common.learnt.between))));
                    columns.push(("training_np", format_number(flush_to_zero(common.other_between))));
                }
                let named = |(name, value): &(&str, String)| {
                    if selects.is_empty() { format!("{value} AS {name}") } else { value.clone() }
                };
                selects.push(format!("SELECT {}", columns.iter().map(named).collect::<Vec<_>>().join(", ")));
            }
        }
    }
    Ok(selects.join("\n  UNION ALL "))
}

/// Returns the queries (names and texts) from estimates to differences, and the final query.
///
/// They read the estimates in `before` and the covariance terms in `truecount_common`.
pub(super) fn queries(before: &str, rates: RateColumns, query: &Query) -> (Vec<(String, String)>, String) {
    let named = |name: &str| format!("truecount_{name}");
    let mut queries = Vec::new();
    let mut add = |name: String, sql: String| queries.push((name, sql));
    let distinct = |columns: NamedColumns, from: &str, end: &str| {
        let columns: Vec<String> = columns.into_iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect();
        format!("SELECT DISTINCT *,{}\n  FROM {from}{end}", columns.join(","))
    };
    // Groups without scores have no estimate to compare.
    add(named("nonempty"), format!("SELECT *\n  FROM {before}\n  WHERE n > 0"));
    add(named("pairs"), pairs(query));
    add(
        named("both"),
        "SELECT DISTINCT *\n  FROM truecount_pairs CROSS JOIN truecount_common\n  WHERE method = of_method AND \
             place = here AND other_place = there AND number_in_level > 1"
            .to_string(),
    );
    let mut from = named("both");
    for (k, columns) in steps(rates).into_iter().enumerate() {
        let name = named(&format!("difference_{}", k + 1));
        add(name.clone(), distinct(columns, &from, ""));
        from = name;
    }
    (queries, final_query(&from, query))
}

/// Returns the query that joins each estimate with the estimate of the group before.
fn pairs(query: &Query) -> String {
    let groups = group_aliases(query);
    let (compared, outer) = groups.split_last().expect("groups are compared");
    let level: Vec<&str> = ["method"].into_iter().chain(outer.iter().map(String::as_str)).collect();
    let level = format!("PARTITION BY {}", level.join(", "));
    let other =
        |sql: &dyn Fn(&str) -> String| ESTIMATE_COLUMNS.map(|name| format!("\n    {} AS other_{name}", sql(name)));
    let order = format!("{level} ORDER BY CASE WHEN {compared} IS NULL THEN 1 ELSE 0 END, {compared}");
    let before = |name: &str| format!("lag({name}) OVER ({order})");
    let first = [
        format!("\n    row_number() OVER ({order}) AS number_in_level"),
        format!("\n    {} AS reference", before(compared)),
    ];
    let more = first.into_iter().chain(other(&before));
    let own = ["method"].into_iter().chain(ESTIMATE_COLUMNS).map(str::to_owned);
    let columns: Vec<String> = groups.iter().cloned().chain(own).chain(more).collect();
    format!("SELECT {}\n  FROM truecount_nonempty", join_columns(&columns))
}

/// Returns the columns of each step from pairs of estimates to differences.
fn steps(rates: RateColumns) -> Vec<NamedColumns> {
    let covariance = format!(
        "estimate * other_estimate * training_both_p + {NEGATIVE_SHARE} * (1E0 - other_estimate) * training_both_n{}",
        if rates.common_units().is_some() {
            format!(
                " + estimate * (1E0 - other_estimate) * training_pn + {NEGATIVE_SHARE} * other_estimate * training_np"
            )
        } else {
            String::new()
        }
    );
    vec![
        vec![column("product", "sqrt(variance * other_variance)"), column("covariance", covariance)],
        vec![
            column("raw_correlation", "CASE WHEN product > 0E0 THEN covariance / product ELSE 0E0 END"),
            column("square", "variance + other_variance - 2E0 * covariance"),
        ],
        vec![column(
            "correlation",
            "CASE WHEN raw_correlation > 1E0 THEN 1E0 WHEN raw_correlation < -1E0 THEN -1E0 ELSE raw_correlation END",
        )],
    ]
}

/// Returns the final query, which reads the last step.
fn final_query(from: &str, query: &Query) -> String {
    // By column number: groups, method.
    let groups = query.by.len();
    let order: Vec<String> = (1..=groups).chain([groups + 2]).map(|column| column.to_string()).collect();
    format!("SELECT {}\nFROM {from}\nORDER BY {}", join_columns(&result_columns(query)), order.join(", "))
}

/// Returns the columns of the result.
fn result_columns(query: &Query) -> Vec<String> {
    let target = target_literal(&query.interval_options);
    let published = [
        ("prevalence", "estimate"),
        ("prevalence_reference", "other_estimate"),
        ("difference", "estimate - other_estimate"),
        ("se", "CASE WHEN square > 0E0 THEN sqrt(square) WHEN square <= 0E0 THEN 0E0 END"),
        ("ratio", "estimate / NULLIF(other_estimate, 0E0)"),
        ("correlation", "correlation"),
        ("target", &target),
    ];
    let published = published.into_iter().map(|(name, sql)| format!("\n  {sql} AS {name}"));
    named_groups(query).into_iter().chain(["reference, method".to_owned()]).chain(published).collect()
}
