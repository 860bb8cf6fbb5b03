//! All groups together, as one more group, from what is known of each.
//!
//! Every group is there twice, once for itself and once for the total, so that neither the table nor any group is read again by engines
//! that put queries together; NULL is no mark of a total, as a group may be NULL too.

use super::Query;
use super::values::{ONE, TOTAL, group_aliases, key_columns, join_columns};

/// What is added up of each group besides `n` and `missing`.
#[derive(Clone, Copy)]
pub(super) enum TotalKind {
    /// Means.
    Means,
    /// Sums.
    Sums,
}

/// The queries from the groups to groups and total: from `name`, with columns `n`, `missing` and so many of what is added up, to
/// the same under [`whole`].
pub(super) fn queries(name: &str, of: (TotalKind, &str, usize), query: &Query) -> Vec<(String, String)> {
    let (kind, column, count) = of;
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
        (with_total(name), format!("SELECT {}\n  FROM {parts_name}\n  GROUP BY {}", join_columns(&sums), keys.join(", "))),
    ]
}

/// The query with the groups and their total.
pub(super) fn with_total(name: &str) -> String {
    format!("{name}_whole")
}

/// The query that every group meets.
pub(super) fn twice() -> (String, String) {
    ("truecount_twice".to_owned(), format!("SELECT 0 AS {TOTAL}\n  UNION ALL SELECT 1"))
}
