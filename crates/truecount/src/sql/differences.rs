//! How far groups are from the one before, or from all together: the formulas of `inference::difference` and `inference::mover`.
//!
//! What two estimates have in common through the labelled scores depends on which functions they are found by: a small table, with a row
//! for every two. An end of the estimates' intervals that is nowhere is NULL, and so is then the reach of the difference.

use super::interval::{Named, REST, column};
use super::names::number;
use super::rates::{Columns, Row, flushed};
use super::values::{TOTAL, groups, listed, named_groups};
use super::{Query, QueryRows};
use crate::inference::Target;
use crate::{Error, Model, Together};

/// The columns of an estimate that a difference is made of.
const EACH: [&str; 6] = ["place", "size", "estimate", "variance", "down", "up"];

/// The table of what the estimates by every two functions of a method have in common.
pub(super) fn table(model: &Model, rows: &[&Row], rates: Columns, query: &Query) -> Result<String, Error> {
    let mut selects: Vec<String> = Vec::new();
    for quantifier in model.quantifiers() {
        let together = Together::of(model, quantifier.method())?;
        let method = quantifier.method().to_string();
        let places: Vec<usize> = rows.iter().filter(|row| row.method == method).map(|row| row.place).collect();
        for (j, here) in places.iter().enumerate() {
            for (k, there) in places.iter().enumerate() {
                let common = together.common_of(j, k);
                let mut columns = vec![
                    ("of_method", format!("'{method}'")),
                    ("here", here.to_string()),
                    ("there", there.to_string()),
                    ("learnt_both_p", number(flushed(common.learnt.positive))),
                    ("learnt_both_n", number(flushed(common.learnt.negative))),
                ];
                if rates.clusters().is_some() {
                    columns.push(("learnt_pn", number(flushed(common.learnt.between))));
                    columns.push(("learnt_np", number(flushed(common.other_between))));
                }
                if query.rows == QueryRows::FromTotal {
                    columns.push(("test_both_p", number(flushed(common.test.positive))));
                    columns.push(("test_both_n", number(flushed(common.test.negative))));
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

/// The queries from the estimates in `before` and the table in `truecount_common` to the differences, names and texts, and the one that
/// reads the last of them.
pub(super) fn queries(before: &str, rates: Columns, query: &Query) -> (Vec<(String, String)>, String) {
    let named = |name: &str| format!("truecount_{name}");
    let mut queries = Vec::new();
    let mut add = |name: String, sql: String| queries.push((name, sql));
    let distinct = |columns: Named, from: &str, end: &str| {
        let columns: Vec<String> = columns.into_iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect();
        format!("SELECT DISTINCT *,{}\n  FROM {from}{end}", columns.join(","))
    };
    let ends = vec![
        column("down", "estimate - CASE WHEN low >= inner_low THEN inner_low ELSE low END"),
        column("up", "CASE WHEN high <= inner_high THEN inner_high ELSE high END - estimate"),
    ];
    // `estimate` knows of no groups without scores.
    add(named("ends"), distinct(ends, before, "\n  WHERE n > 0"));
    add(named("pairs"), pairs(query));
    let chosen = match query.rows {
        QueryRows::FromTotal => format!("{TOTAL} = 0 AND rows_of_level > 2"),
        _ => "number_in_level > 1".to_owned(),
    };
    add(
        named("both"),
        format!(
            "SELECT DISTINCT *\n  FROM truecount_pairs CROSS JOIN truecount_common\n  WHERE method = of_method AND place = here AND other_place = there AND {chosen}"
        ),
    );
    let mut from = named("both");
    for (k, columns) in steps(query, rates).into_iter().enumerate() {
        let name = named(&format!("difference_{}", k + 1));
        add(name.clone(), distinct(columns, &from, ""));
        from = name;
    }
    (queries, last(&from, query))
}

/// Each estimate beside the one that it is compared with, as far as there is one.
fn pairs(query: &Query) -> String {
    let groups = groups(query);
    let (compared, outer) = groups.split_last().expect("groups are compared");
    let level: Vec<&str> = ["method"].into_iter().chain(outer.iter().map(String::as_str)).collect();
    let level = format!("PARTITION BY {}", level.join(", "));
    let other = |sql: &dyn Fn(&str) -> String| EACH.map(|name| format!("\n    {} AS other_{name}", sql(name)));
    let more: Vec<String> = if query.rows == QueryRows::FromTotal {
        let of_total = |name: &str| format!("max(CASE WHEN {TOTAL} = 1 THEN {name} END) OVER ({level})");
        let level = [TOTAL.to_owned(), format!("\n    count(*) OVER ({level}) AS rows_of_level")];
        level.into_iter().chain(["\n    'total' AS against".to_owned()]).chain(other(&of_total)).collect()
    } else {
        let order = format!("{level} ORDER BY CASE WHEN {compared} IS NULL THEN 1 ELSE 0 END, {compared}");
        let before = |name: &str| format!("lag({name}) OVER ({order})");
        let first = [
            format!("\n    row_number() OVER ({order}) AS number_in_level"),
            format!("\n    {} AS against", before(compared)),
        ];
        first.into_iter().chain(other(&before)).collect()
    };
    let own = ["method"].into_iter().chain(EACH).map(str::to_owned);
    let columns: Vec<String> = groups.iter().cloned().chain(own).chain(more).collect();
    format!("SELECT {}\n  FROM truecount_ends", listed(&columns))
}

fn steps(query: &Query, rates: Columns) -> Vec<Named> {
    let learnt = format!(
        "estimate * other_estimate * learnt_both_p + {REST} * (1E0 - other_estimate) * learnt_both_n{}",
        if rates.clusters().is_some() {
            format!(" + estimate * (1E0 - other_estimate) * learnt_pn + {REST} * other_estimate * learnt_np")
        } else {
            String::new()
        }
    );
    // The group's scores are some of those of the total.
    let population = query.reporting.target() == Target::Population;
    let drawn = match query.reporting.size() {
        _ if !population => String::new(),
        None => " + middle * (1E0 - middle)".to_owned(),
        Some(size) => format!(" + middle * (1E0 - middle) * (1E0 - other_size / {})", number(size as f64)),
    };
    let shared = match query.rows {
        QueryRows::FromTotal => {
            format!(" + (middle * test_both_p + (1E0 - middle) * test_both_n{drawn}) / other_size")
        }
        _ => String::new(),
    };
    let reach = |name: &str, [x, x_back]: [&str; 2], [y, y_back]: [&str; 2]| {
        let apart = |x: &str, y: &str| format!("({x} - {y}) * ({x} - {y}) + 2E0 * (1E0 - correlation) * {x} * {y}");
        let when = |condition: String, square: String| format!("CASE WHEN {condition} THEN {square} ELSE 0E0 END");
        let larger = format!("CASE WHEN {x} > {y} THEN {x} ELSE {y} END");
        [
            column(format!("{name}_1"), format!("{larger} * {larger} * (1E0 - correlation * correlation)")),
            column(
                format!("{name}_2"),
                when(format!("{x} >= correlation * {y} AND {y} >= correlation * {x}"), apart(x, y)),
            ),
            column(format!("{name}_3"), when(format!("correlation * {x} > {y_back}"), apart(x, y_back))),
            column(format!("{name}_4"), when(format!("correlation * {y} > {x_back}"), apart(x_back, y))),
        ]
    };
    let below = reach("low", ["down", "up"], ["other_up", "other_down"]);
    let above = reach("high", ["up", "down"], ["other_down", "other_up"]);
    let larger = |name: &str, [a, b]: [&str; 2]| column(name, format!("CASE WHEN {a} > {b} THEN {a} ELSE {b} END"));
    let known = "down + up + other_down + other_up IS NOT NULL";
    let end = |name: &str| {
        let largest = format!("CASE WHEN {name}_12 > {name}_34 THEN {name}_12 ELSE {name}_34 END");
        column(format!("reach_{name}"), format!("CASE WHEN {known} THEN sqrt({largest}) END"))
    };
    vec![
        vec![
            column("middle", "5E-1 * (estimate + other_estimate)"),
            column("product", "sqrt(variance * other_variance)"),
        ],
        vec![column("covariance", format!("{learnt}{shared}"))],
        vec![
            column("raw_correlation", "CASE WHEN product > 0E0 THEN covariance / product ELSE 0E0 END"),
            column("square", "variance + other_variance - 2E0 * covariance"),
        ],
        vec![column(
            "correlation",
            "CASE WHEN raw_correlation > 1E0 THEN 1E0 WHEN raw_correlation < -1E0 THEN -1E0 ELSE raw_correlation END",
        )],
        below.into_iter().chain(above).collect(),
        vec![
            larger("low_12", ["low_1", "low_2"]),
            larger("low_34", ["low_3", "low_4"]),
            larger("high_12", ["high_1", "high_2"]),
            larger("high_34", ["high_3", "high_4"]),
        ],
        vec![end("low"), end("high")],
    ]
}

/// What reads the last of these.
fn last(from: &str, query: &Query) -> String {
    // By place: groups, method.
    let groups = query.by.len();
    let order: Vec<String> = (1..=groups).chain([groups + 2]).map(|place| place.to_string()).collect();
    format!("SELECT {}\nFROM {from}\nORDER BY {}", listed(&published(query)), order.join(", "))
}

fn published(query: &Query) -> Vec<String> {
    let published = [
        ("prevalence", "estimate"),
        ("prevalence_against", "other_estimate"),
        ("difference", "estimate - other_estimate"),
        ("se", "CASE WHEN square > 0E0 THEN sqrt(square) WHEN square <= 0E0 THEN 0E0 END"),
        (
            "lower",
            "CASE WHEN estimate - other_estimate - reach_low >= -1E0 THEN estimate - other_estimate - reach_low WHEN square IS NOT NULL THEN -1E0 END",
        ),
        (
            "upper",
            "CASE WHEN estimate - other_estimate + reach_high <= 1E0 THEN estimate - other_estimate + reach_high WHEN square IS NOT NULL THEN 1E0 END",
        ),
        ("ratio", "estimate / NULLIF(other_estimate, 0E0)"),
        ("correlation", "correlation"),
    ];
    let published = published.into_iter().map(|(name, sql)| format!("\n  {sql} AS {name}"));
    let level = format!("\n  {} AS level", number(query.reporting.level()));
    named_groups(query).into_iter().chain(["against, method".to_owned()]).chain(published).chain([level]).collect()
}
