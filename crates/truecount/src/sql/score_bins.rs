//! Efficient Sweep on bins: how many scores have each weight, by group, and from these counts the sums Σ n_b ψ_b at every α₀.
//!
//! A bin's weight is its ψ at ½. At any other α₀ ψ is weight/(1 + (α₀ − ½) weight).

use super::names::plus;
use super::values::{ONE, groups, listed};
use super::{Query, edges};
use crate::quantifier::Quantifier;
use crate::tally::Influence;

/// The prevalence at which the weights are ψ.
const HALF: f64 = 0.5;

/// The queries from `truecount_scores` to the sums by group, which are `n`, `missing`, `sum_1`, `sum_2`, …
pub(super) fn queries(quantifier: &Quantifier, query: &Query) -> Vec<(&'static str, String)> {
    let groups = groups(query);
    let list = |more: &[&str]| listed(&[&groups[..], &more.iter().map(|&s| s.to_owned()).collect::<Vec<_>>()].concat());
    let weighed = format!("SELECT {}\n  FROM truecount_scores", list(&[&format!("{} AS weight", weight(quantifier))]));
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
        let over = match step.best_at() {
            HALF => String::new(),
            // Rounded, for people to read.
            alpha => format!(" / (1E0 {} * weight)", plus(((alpha - HALF) * 1e9).round() / 1e9)),
        };
        format!("\n    sum(scores * weight{over}) AS sum_{}", k + 1)
    });
    let totals = [total(["0", "scores"], "n"), total(["scores", "0"], "missing")];
    let columns: Vec<String> = groups.iter().cloned().chain(totals).chain(sums).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    vec![
        ("truecount_weighed", weighed),
        ("truecount_counts", counts),
        ("truecount_sums", format!("SELECT {}\n  FROM truecount_counts{by}", listed(&columns))),
    ]
}

/// The weight of the bin that a score lies in. The first is a double in every engine, and so are then all.
fn weight(quantifier: &Quantifier) -> String {
    let first = quantifier.means().iter().find(|step| step.best_at() == HALF).expect("the first step");
    let Influence::Steps { values, .. } = first.influence() else { unreachable!("steps on bins") };
    // 12 decimals are more than an estimate needs.
    let weight = |bin: usize| format!("{:E}", (values[bin] * 1e12).round() / 1e12);
    let first = format!("{} * {ONE}", weight(0));
    edges::bin("x", &quantifier.bin_edges(), |bin| if bin == 0 { first.clone() } else { weight(bin) }, None)
}
