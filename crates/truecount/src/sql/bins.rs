//! Queries that count scores in bins.
//!
//! For methods whose tallies are counts in bins, one query computes the tallies. For Efficient
//! Sweep on bins, queries count the scores with each weight by group, and compute the sums Σ n_b
//! ψ_b at every q from these counts. A bin's weight is its ψ at q = ½. At any other q, ψ is
//! weight/(1 + (q − ½) weight).

use super::names::format_term;
use super::values::{ONE, ValueColumns, group_aliases, join_columns, named_groups, with_queries};
use super::{Query, edges};
use crate::quantifier::Quantifier;
use crate::tally::InfluenceFunction;
use crate::training::InputKind;
use crate::{Error, Model};

/// Returns the query that computes tallies of counts in bins.
pub(super) fn tally_query(model: &Model, query: &Query) -> Result<String, Error> {
    let mut values = ValueColumns::new(model);
    let mut read = |quantifier: &Quantifier| match quantifier.reads() {
        InputKind::Posterior => values.posterior(),
        _ => Ok("x"),
    };
    let columns = model.quantifiers().iter().map(&mut read).collect::<Result<Vec<_>, Error>>()?;
    let (queries, from) = values.queries(query);
    let groups = group_aliases(query);
    let selects = model.quantifiers().iter().zip(columns).map(|(quantifier, column)| {
        // Rows without a usable score are reported in the row of bin 0 and counted in no bin.
        let bin = edges::bin_case(column, &quantifier.bin_edges(), |bin| bin.to_string(), Some("0"));
        let inner: Vec<String> = groups.iter().cloned().chain(["x".to_owned(), format!("{bin} AS bin")]).collect();
        let outer: Vec<String> = named_groups(query)
            .into_iter()
            .chain([format!("'{}' AS method, count(*) - count(x) AS missing, bin, count(x) AS n", quantifier.method())])
            .collect();
        let by: Vec<String> = groups.iter().cloned().chain(["bin".to_owned()]).collect();
        format!(
            "SELECT {}\nFROM (SELECT {} FROM {from}) AS binned\nGROUP BY {}",
            outer.join(", "),
            inner.join(", "),
            by.join(", ")
        )
    });
    // By column number: groups, method, bin.
    let by = groups.len();
    let order: Vec<String> = (1..=by + 1).chain([by + 3]).map(|column| column.to_string()).collect();
    let selects = selects.collect::<Vec<_>>().join("\nUNION ALL\n");
    Ok(with_queries(&queries, &format!("{selects}\nORDER BY {}", order.join(", "))))
}

/// The q at which the weights are ψ.
const WEIGHT_Q: f64 = 0.5;

/// Returns the queries from `truecount_scores` to the sums by group: `n`, `missing`, `sum_1`,
/// `sum_2`, …
pub(super) fn sum_queries(quantifier: &Quantifier, query: &Query) -> Vec<(&'static str, String)> {
    let groups = group_aliases(query);
    let list =
        |more: &[&str]| join_columns(&[&groups[..], &more.iter().map(|&s| s.to_owned()).collect::<Vec<_>>()].concat());
    let weighed =
        format!("SELECT {}\n  FROM truecount_scores", list(&[&format!("{} AS weight", weight_case(quantifier))]));
    let counts = format!(
        "SELECT {}\n  FROM truecount_weighed\n  GROUP BY {}",
        list(&["weight", "CAST(count(*) AS BIGINT) AS scores"]),
        list(&["weight"])
    );
    // Rows without a usable score have no weight.
    let total = |without: [&str; 2], name: &str| {
        let [then, otherwise] = without;
        let scores = format!("CASE WHEN weight IS NULL THEN {then} ELSE {otherwise} END");
        format!("\n    CAST(COALESCE(sum({scores}), 0) AS BIGINT) AS {name}")
    };
    let sums = quantifier.means().iter().enumerate().map(|(k, step)| {
        let over = match step.q() {
            WEIGHT_Q => String::new(),
            // Rounded for readability.
            q => format!(" / (1E0 {} * weight)", format_term(((q - WEIGHT_Q) * 1e9).round() / 1e9)),
        };
        format!("\n    sum(scores * weight{over}) AS sum_{}", k + 1)
    });
    let totals = [total(["0", "scores"], "n"), total(["scores", "0"], "missing")];
    let columns: Vec<String> = groups.iter().cloned().chain(totals).chain(sums).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    vec![
        ("truecount_weighed", weighed),
        ("truecount_counts", counts),
        ("truecount_sums", format!("SELECT {}\n  FROM truecount_counts{by}", join_columns(&columns))),
    ]
}

/// Returns an expression for the weight of a score's bin.
///
/// The first value is a double in every engine, which makes the whole CASE a double.
fn weight_case(quantifier: &Quantifier) -> String {
    let first = quantifier.means().iter().find(|step| step.q() == WEIGHT_Q).expect("the first step");
    let InfluenceFunction::Steps { values, .. } = first.influence() else { unreachable!("steps on bins") };
    // An estimate needs fewer than 12 decimals.
    let weight = |bin: usize| format!("{:E}", (values[bin] * 1e12).round() / 1e12);
    let first = format!("{} * {ONE}", weight(0));
    edges::bin_case("x", &quantifier.bin_edges(), |bin| if bin == 0 { first.clone() } else { weight(bin) }, None)
}
