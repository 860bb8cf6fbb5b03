//! The query for methods that work on means.

use super::rates::Row;
use super::values::{Values, groups, listed, named_groups, with};
use super::{Query, interval};
use crate::{Error, Model};

pub(super) fn query(model: &Model, query: &Query) -> Result<String, Error> {
    let mut values = Values::new(model);
    let (mut means, mut rows) = (Vec::new(), Vec::new());
    let mut first = None;
    for quantifier in model.quantifiers() {
        let steps = quantifier.means();
        for (k, step) in steps.iter().enumerate() {
            let rated = step.anchored().rated();
            means.push(values.mean(quantifier.reads(), step.influence(), rated.distance)?);
            let place = means.len();
            let middle = |other: usize| 0.5 * (step.best_at() + steps[other].best_at());
            let between = (steps.len() > 1).then(|| {
                let above = if k > 0 { middle(k - 1) } else { f64::MIN };
                (above, if k + 1 < steps.len() { middle(k + 1) } else { f64::MAX })
            });
            if between.is_some_and(|(above, through)| above < 0.5 && 0.5 <= through) {
                first = Some((place, rated));
            }
            rows.push(Row { method: quantifier.method().to_string(), place, between, rated });
        }
    }
    let (mut queries, last) = values.queries(query);
    let mut queries: Vec<(String, String)> = queries.drain(..).map(|(name, sql)| (name.to_owned(), sql)).collect();
    let groups = groups(query);
    let counts = [
        "count(x) AS n".to_owned(),
        "count(*) - count(x) AS missing".to_owned(),
        format!("{} AS size", interval::size()),
    ];
    let each = means.iter().enumerate().map(|(k, mean)| format!("\n    {mean} AS mean_{}", k + 1));
    let columns: Vec<String> = groups.iter().cloned().chain(counts).chain(each).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    queries.push(("truecount_means".to_owned(), format!("SELECT {}\n  FROM {last}{by}", listed(&columns))));

    let biased = rows.iter().any(Row::is_biased);
    let rates: Vec<String> = rows.iter().map(|row| row.sql(biased, first.is_some())).collect();
    queries.push(("truecount_rates".to_owned(), rates.join("\n  UNION ALL\n  ")));
    let which: Vec<String> = (1..=means.len()).map(|k| format!("WHEN {k} THEN mean_{k}")).collect();
    let which = which.join(" ");
    let chosen = first.map_or_else(String::new, |(place, rated)| {
        // Among the steps of a method, the one that is best near the first step's estimate.
        let (minus, over) = (super::names::plus(-rated.negative), super::names::number(rated.distance));
        let raw = format!("CASE WHEN n > 0 THEN (mean_{place} {minus}) / {over} ELSE 5E-1 END");
        format!("\n  WHERE {raw} > above AND {raw} <= through")
    });
    let columns: Vec<String> = groups.iter().cloned().chain(["n, missing, size".to_owned()]).collect();
    queries.push((
        "truecount_rated".to_owned(),
        format!(
            "SELECT {}, CASE place {which} END AS mean, truecount_rates.*\n  FROM truecount_means CROSS JOIN truecount_rates{chosen}",
            columns.join(", "),
        ),
    ));
    let mut before = "truecount_rated".to_owned();
    for (k, step) in interval::steps(&query.reporting, biased).into_iter().enumerate() {
        let columns: Vec<String> = step.into_iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect();
        let name = format!("truecount_step_{}", k + 1);
        queries.push((name.clone(), format!("SELECT DISTINCT *,{}\n  FROM {before}", columns.join(","))));
        before = name;
    }
    let published = interval::published(&query.reporting).into_iter().map(|(name, sql)| format!("\n  {sql} AS {name}"));
    let columns: Vec<String> =
        named_groups(query).into_iter().chain(["method, n, missing".to_owned()]).chain(published).collect();
    Ok(with(&queries, &format!("SELECT {}\nFROM {before}", listed(&columns))))
}
