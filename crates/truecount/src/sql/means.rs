//! The query for methods that work on means.

use super::names::{number, plus};
use super::rates::{Columns, Row};
use super::values::{ONE, Values, groups, listed, named_groups, with};
use super::{Query, interval, score_bins};
use crate::quantifier::{Keeps, Quantifier, Rated};
use crate::{Error, Model};

/// Means of some methods, by group, with their rates.
struct Means {
    /// The query that has `n`, `missing` and what the means are made of.
    name: &'static str,
    /// The query with the rates.
    rates: &'static str,
    /// What a mean is made of, by the index of the mean.
    made_of: fn(usize) -> String,
    rows: Vec<Row>,
    /// The first step of a method that has several.
    first: Option<(usize, Rated)>,
}

impl Means {
    /// Adds a method.
    fn add(&mut self, quantifier: &Quantifier) {
        let steps = quantifier.means();
        for (k, step) in steps.iter().enumerate() {
            let rated = step.anchored().rated();
            let place = self.rows.len() + 1;
            let middle = |other: usize| 0.5 * (step.best_at() + steps[other].best_at());
            let between = (steps.len() > 1).then(|| {
                let above = if k > 0 { middle(k - 1) } else { f64::MIN };
                (above, if k + 1 < steps.len() { middle(k + 1) } else { f64::MAX })
            });
            if between.is_some_and(|(above, through)| above < 0.5 && 0.5 <= through) {
                self.first = Some((place, rated));
            }
            self.rows.push(Row { method: quantifier.method().to_string(), place, between, rated });
        }
    }

    /// Every mean that counts, with its rates: among the steps of a method, of the one that is best near the first step's estimate.
    fn rated(&self, query: &Query) -> String {
        let Self { name, rates, .. } = self;
        let each = |row: &Row| format!("WHEN {0} THEN {1}", row.place, (self.made_of)(row.place));
        let mean = format!("CASE place {} END", self.rows.iter().map(each).collect::<Vec<_>>().join(" "));
        let size = format!("CASE WHEN n > 0 THEN n * {ONE} END AS size");
        let mean = format!("CASE WHEN n > 0 THEN {mean} END AS mean");
        let own = ["n".to_owned(), "missing".to_owned(), size, format!("\n    {mean}"), format!("{rates}.*")];
        let columns: Vec<String> = groups(query).into_iter().chain(own).collect();
        let chosen = self.first.map_or_else(String::new, |(place, rated)| {
            let first = (self.made_of)(place);
            let raw = format!("({first} {}) / {}", plus(-rated.negative), number(rated.distance));
            let raw = format!("CASE WHEN n > 0 THEN {raw} ELSE 5E-1 END");
            format!("\n  WHERE {raw} > above AND {raw} <= through")
        });
        format!("SELECT {}\n  FROM {name} CROSS JOIN {rates}{chosen}", listed(&columns))
    }
}

pub(super) fn query(model: &Model, query: &Query) -> Result<String, Error> {
    let mut values = Values::new(model);
    let means = |name, rates, made_of| Means { name, rates, made_of, rows: Vec::new(), first: None };
    let mut of_scores = means("truecount_means", "truecount_rates", |place| format!("mean_{place}"));
    let mut of_bins = means("truecount_sums", "truecount_steps", |place| format!("sum_{place} / n"));
    let (mut expressions, mut in_bins) = (Vec::new(), None);
    for quantifier in model.quantifiers() {
        if quantifier.method().keeps() == Keeps::ScoreBins {
            of_bins.add(quantifier);
            in_bins = Some(quantifier);
            continue;
        }
        for step in quantifier.means() {
            let distance = step.anchored().rated().distance;
            expressions.push(values.mean(quantifier.reads(), step.influence(), distance)?);
        }
        of_scores.add(quantifier);
    }
    let (mut queries, last) = values.queries(query);
    if !expressions.is_empty() {
        queries.push((of_scores.name, by_group(&expressions, last, query)));
    }
    if let Some(quantifier) = in_bins {
        queries.extend(score_bins::queries(quantifier, query));
    }
    let all: Vec<Means> = [of_scores, of_bins].into_iter().filter(|means| !means.rows.is_empty()).collect();
    let which = Columns::of(all.iter().flat_map(|means| &means.rows));
    queries.extend(all.iter().map(|means| (means.rates, which.table(&means.rows))));
    let rated: Vec<String> = all.iter().map(|means| means.rated(query)).collect();
    queries.push(("truecount_rated", rated.join("\n  UNION ALL\n  ")));

    let mut queries: Vec<(String, String)> = queries.into_iter().map(|(name, sql)| (name.to_owned(), sql)).collect();
    let mut before = "truecount_rated".to_owned();
    for (k, step) in interval::steps(&query.reporting, which).into_iter().enumerate() {
        let columns: Vec<String> = step.into_iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect();
        let name = format!("truecount_{}", k + 1);
        queries.push((name.clone(), format!("SELECT DISTINCT *,{}\n  FROM {before}", columns.join(","))));
        before = name;
    }
    let published = interval::published(&query.reporting).into_iter().map(|(name, sql)| format!("\n  {sql} AS {name}"));
    let columns: Vec<String> =
        named_groups(query).into_iter().chain(["method, n, missing".to_owned()]).chain(published).collect();
    // By place: a grouping column may be called as one of the query's own.
    let order: Vec<String> = (1..=query.by.len() + 1).map(|place| place.to_string()).collect();
    Ok(with(&queries, &format!("SELECT {}\nFROM {before}\nORDER BY {}", listed(&columns), order.join(", "))))
}

/// `n`, `missing` and the means by group.
fn by_group(expressions: &[String], from: &str, query: &Query) -> String {
    let groups = groups(query);
    let counts = ["count(x) AS n".to_owned(), "count(*) - count(x) AS missing".to_owned()];
    let each = expressions.iter().enumerate().map(|(k, mean)| format!("\n    {mean} AS mean_{}", k + 1));
    let columns: Vec<String> = groups.iter().cloned().chain(counts).chain(each).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    format!("SELECT {}\n  FROM {from}{by}", listed(&columns))
}
