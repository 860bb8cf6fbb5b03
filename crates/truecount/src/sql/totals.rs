//! Queries that add all groups together, as an additional group.
//!
//! Every group is duplicated, once for itself and once for the total, so that engines that inline
//! queries do not read the table again. NULL cannot mark the total, since a group may be NULL, too.

use super::Query;
use super::values::{ONE, TOTAL, group_aliases, join_columns, key_columns};

/// The kind of columns that are added up in addition to `n` and `missing`.
#[derive(Clone, Copy)]
pub(super) enum TotalKind {
    /// Means, which are weighted by `n`.
    Means,
    /// Sums, which are added.
    Sums,
}

/// Returns the queries that add a total to the groups of the query `name`; the result has the name
/// [`with_total`].
///
/// `summands` is the kind, the name prefix and the number of the columns to add up.
pub(super) fn queries(name: &str, summands: (TotalKind, &str, usize), query: &Query) -> Vec<(String, String)> {
    let (kind, column, count) = summands;
    let twice = "truecount_twice";
    let own = |column: &str| format!("{name}.{column}");
    let groups = group_aliases(query);
    let group = |group: &String| format!("CASE WHEN {twice}.{TOTAL} = 0 THEN {} END AS {group}", own(group));
    let part = |k: usize| match kind {
        TotalKind::Means => format!("\n    {} * {} AS part_{k}", own("n"), own(&format!("{column}_{k}"))),
        TotalKind::Sums => format!("\n    {} AS part_{k}", own(&format!("{column}_{k}"))),
    };
    let fixed = [
        format!("{twice}.{TOTAL} AS {TOTAL}"),
        format!("\n    {} AS part_n", own("n")),
        format!("\n    {} AS part_missing", own("missing")),
    ];
    let parts: Vec<String> = groups.iter().map(group).chain(fixed).chain((1..=count).map(part)).collect();
    let sum = |k: usize| match kind {
        TotalKind::Means => format!("\n    sum(part_{k}) / (NULLIF(sum(part_n), 0) * {ONE}) AS {column}_{k}"),
        TotalKind::Sums => format!("\n    sum(part_{k}) AS {column}_{k}"),
    };
    let counts = ["n", "missing"].map(|count| format!("CAST(sum(part_{count}) AS BIGINT) AS {count}"));
    let keys = key_columns(query);
    let sums: Vec<String> = keys.iter().cloned().chain(counts).chain((1..=count).map(sum)).collect();
    let parts_name = format!("{name}_twice");
    vec![
        (parts_name.clone(), format!("SELECT {}\n  FROM {name} CROSS JOIN {twice}", join_columns(&parts))),
        (
            with_total(name),
            format!("SELECT {}\n  FROM {parts_name}\n  GROUP BY {}", join_columns(&sums), keys.join(", ")),
        ),
    ]
}

/// Returns the name of the query with the groups and their total.
pub(super) fn with_total(name: &str) -> String {
    format!("{name}_whole")
}

/// Returns the query that duplicates the groups in a cross join.
pub(super) fn duplication_query() -> (String, String) {
    ("truecount_twice".to_owned(), format!("SELECT 0 AS {TOTAL}\n  UNION ALL SELECT 1"))
}
