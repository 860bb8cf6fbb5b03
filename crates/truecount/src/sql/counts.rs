//! Queries that count scores in bins: the tallies of `truecount finish`.
//!
//! The bin of a score is found by nested CASE expressions in rows of about √bins, which take few
//! comparisons. Engines evaluate a tree of two branches, or one row of all edges, more slowly.

use super::names::format_number;
use super::{Query, QueryOutput, periods};
use crate::quantifier::Quantifier;
use crate::training::InputKind;

/// An expression for 1 that is a double in every engine and makes every product a double.
pub(super) const ONE: &str = "sqrt(1)";

/// The alias of the table in the query.
const TABLE: &str = "truecount_rows";

/// The largest weight of a row.
const MAX_WEIGHT: &str = "1E100";

/// The largest number of bins in a single row.
const MAX_SINGLE_ROW: usize = 8;

/// Returns the query of the model's counts.
pub(super) fn counts_query(quantifiers: &[Quantifier], fingerprint: &str, query: &Query) -> String {
    let mut queries = vec![scores_query(query)];
    let sums = if has_weights(query) { ", sum_weights, sum_squared_weights" } else { "" };
    let groups = named_groups(query);
    let selects = quantifiers.iter().enumerate().map(|(k, quantifier)| {
        let name = format!("truecount_counts_{}", k + 1);
        queries.push((name.clone(), bin_counts(quantifier, query)));
        let method = quantifier.method();
        format!(
            "SELECT {groups}'{method}' AS method, bin, scores AS n{sums}, '{fingerprint}' AS fingerprint\nFROM {name}"
        )
    });
    let selects = selects.collect::<Vec<_>>().join("\nUNION ALL\n");
    // By column number: groups, method, bin.
    let order: Vec<String> = (1..=query.by.len() + 2).map(|column| column.to_string()).collect();
    with_queries(&queries, &format!("{selects}\nORDER BY {}", order.join(", ")))
}

/// Returns the query from the table to one row per score: the groups, the score x, the probability p
/// and the weight w.
pub(super) fn scores_query(query: &Query) -> (String, String) {
    let quote = |name: &str| query.dialect.quote(name);
    // SQLite reads the quoted name of a missing column as a text, unless the table's name precedes it.
    let column = |name: &str| format!("{TABLE}.{}", quote(name));
    let group = |(k, name): (usize, &String)| match query.every {
        Some(every) if k + 1 == query.by.len() => periods::period(query.dialect, every, &column(name)),
        _ => column(name),
    };
    let groups = query.by.iter().enumerate().map(group).zip(group_aliases(query));
    let groups = groups.map(|(value, alias)| format!("{value} AS {alias}"));
    let number = |(name, alias): (&String, &str)| format!("{} * {ONE} AS {alias}", column(name));
    let numbers = [(Some(&query.score), "x"), (query.probability.as_ref(), "p"), (weight(query), "w")];
    let numbers = numbers.into_iter().filter_map(|(name, alias)| Some(number((name?, alias))));
    let columns: Vec<String> = groups.chain(numbers).collect();
    let table = query.table.iter().map(|part| quote(part)).collect::<Vec<_>>().join(".");
    ("truecount_scores".to_owned(), format!("SELECT {}\n  FROM {table} AS {TABLE}", columns.join(", ")))
}

/// Returns the query from scores to the number of `scores` in each `bin` of each group, where bin -1
/// has the rows without a usable score, with sums of weights.
pub(super) fn bin_counts(quantifier: &Quantifier, query: &Query) -> String {
    let mut usable = format!("x BETWEEN {} AND {}", format_number(f64::MIN), format_number(f64::MAX));
    if query.probability.is_some() {
        usable += " AND p BETWEEN 0E0 AND 1E0";
    }
    let (mut weight, mut sums) = ("", "CAST(count(*) AS BIGINT) AS scores");
    if has_weights(query) {
        usable = usable + " AND w BETWEEN 0E0 AND " + MAX_WEIGHT;
        weight = ", w";
        // Rows of weight 0 do not count.
        sums = "CAST(sum(CASE WHEN w = 0E0 THEN 0 ELSE 1 END) AS BIGINT) AS scores,\n    sum(w) AS sum_weights, \
                sum(w * w) AS sum_squared_weights";
    }
    let column = if quantifier.reads() == InputKind::Posterior { "p" } else { "x" };
    let bin = format!("CASE WHEN {usable} THEN {} ELSE -1 END AS bin", bin_case(column, &quantifier.bin_edges()));
    let groups = group_list(query);
    format!(
        "SELECT {groups}bin, {sums}\n  FROM (SELECT {groups}{bin}{weight} FROM truecount_scores) AS truecount_bins\n  \
         GROUP BY {groups}bin"
    )
}

/// Returns a CASE for the bin of a column, which is a number, between ascending edges.
fn bin_case(column: &str, edges: &[f64]) -> String {
    let bins = edges.len() + 1;
    let row = if bins <= MAX_SINGLE_ROW { bins } else { (bins - 1).isqrt() + 1 };
    let case = |arms: Vec<(f64, String)>, otherwise: String, indent: &str| {
        let arm = |(edge, then): &(f64, String)| format!("\n{indent}WHEN {column} < {edge:E} THEN {then}");
        let arms: Vec<String> = arms.iter().map(arm).collect();
        if arms.is_empty() { otherwise } else { format!("CASE{}\n{indent}ELSE {otherwise} END", arms.concat()) }
    };
    let of_row = |from: usize| {
        let last = (from + row).min(bins) - 1;
        case((from..last).map(|bin| (edges[bin], bin.to_string())).collect(), last.to_string(), "      ")
    };
    let starts: Vec<usize> = (0..bins).step_by(row).collect();
    let (last, others) = starts.split_last().expect("there is a bin");
    case(others.iter().map(|from| (edges[from + row - 1], of_row(*from))).collect(), of_row(*last), "    ")
}

fn weight(query: &Query) -> Option<&String> {
    match &query.output {
        QueryOutput::Counts { weight } => weight.as_ref(),
        QueryOutput::Estimates { .. } => None,
    }
}

fn has_weights(query: &Query) -> bool {
    weight(query).is_some()
}

/// Returns the aliases of the grouping columns inside the query, which differ from all internal
/// names.
pub(super) fn group_aliases(query: &Query) -> Vec<String> {
    (1..=query.by.len()).map(|k| format!("group_{k}")).collect()
}

/// Returns the aliases of the grouping columns, each with a comma after it.
pub(super) fn group_list(query: &Query) -> String {
    group_aliases(query).iter().map(|group| format!("{group}, ")).collect::<Vec<_>>().concat()
}

/// Returns the grouping columns under their own names, each with a comma after it.
pub(super) fn named_groups(query: &Query) -> String {
    let named = group_aliases(query).into_iter().zip(&query.by);
    named.map(|(group, name)| format!("{group} AS {}, ", query.dialect.quote(name))).collect::<Vec<_>>().concat()
}

/// Joins named queries and the final query to one query.
pub(super) fn with_queries(queries: &[(String, String)], last: &str) -> String {
    let each: Vec<String> = queries.iter().map(|(name, sql)| format!("{name} AS (\n  {sql}\n)")).collect();
    format!("WITH {}\n{last}\n", each.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bins_are_several_rows() {
        let edges: Vec<f64> = (1..9).map(f64::from).collect();
        let lines = [
            "CASE", "    WHEN x < 3E0 THEN CASE", "      WHEN x < 1E0 THEN 0", "      WHEN x < 2E0 THEN 1",
            "      ELSE 2 END", "    WHEN x < 6E0 THEN CASE", "      WHEN x < 4E0 THEN 3", "      WHEN x < 5E0 THEN 4",
            "      ELSE 5 END", "    ELSE CASE", "      WHEN x < 7E0 THEN 6", "      WHEN x < 8E0 THEN 7",
            "      ELSE 8 END END",
        ];
        assert_eq!(bin_case("x", &edges), lines.join("\n"));
    }
}
