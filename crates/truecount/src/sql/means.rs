//! The query for methods based on means.

use super::names::{format_number, format_term};
use super::rates::{RateColumns, RateRow};
use super::values::{
    ONE, TOTAL, ValueColumns, group_aliases, has_total, join_columns, key_columns, named_groups, with_queries,
};
use super::{Query, QueryRows, bins, differences, interval, totals};
use crate::quantifier::{EstimatorCoefficients, Quantifier, ScoreChoice, SummaryKind};
use crate::{Error, Model, PerClass};
use std::ops::RangeInclusive;

/// The means of some methods by group, with their rates.
struct MeansQuery {
    /// The name of the query with `n`, `missing` and the means or sums.
    name: &'static str,
    /// The name of the query with the rates.
    rates: &'static str,
    /// The prefix of the column names of means or sums, and the divisor that turns a sum into a
    /// mean.
    column: (&'static str, &'static str),
    rows: Vec<RateRow>,
    /// The choice among the functions of a method, and their places.
    choice: Option<(ScoreChoice, RangeInclusive<usize>)>,
}

impl MeansQuery {
    /// Adds a method.
    fn add(&mut self, quantifier: &Quantifier) {
        let first = self.rows.len() + 1;
        for step in quantifier.means() {
            let (method, place) = (quantifier.method().to_string(), self.rows.len() + 1);
            self.rows.push(RateRow { method, place, rated: step.estimator().coefficients() });
        }
        if let Some(choice) = quantifier.score_choice() {
            self.choice = Some((choice.clone(), first..=self.rows.len()));
        }
    }

    /// Returns the kind, name prefix and number of the columns that are added up for a total.
    fn summands(&self) -> (totals::TotalKind, &'static str, usize) {
        let (column, over) = self.column;
        (if over.is_empty() { totals::TotalKind::Means } else { totals::TotalKind::Sums }, column, self.rows.len())
    }

    /// Returns the queries that choose one of several means for every group, by its place, and the name
    /// of the last query.
    fn choice_queries(&self, query: &Query) -> (Vec<(String, String)>, String) {
        let mut last = if has_total(query) { totals::with_total(self.name) } else { self.name.to_owned() };
        let Some((choice, places)) = &self.choice else { return (Vec::new(), last) };
        let (column, over) = self.column;
        let raw = |place: usize| {
            let EstimatorCoefficients { negative, distance, .. } = self.rows[place - 1].rated;
            format!("({column}_{place}{over} {}) / {}", format_term(-negative), format_number(distance))
        };
        let mut queries = Vec::new();
        let mut add = |columns: &[(String, String)]| {
            let (name, columns) = (format!("{}_{}", self.name, queries.len() + 1), interval::select_list(columns));
            queries.push((name.clone(), format!("SELECT DISTINCT *,{columns}\n  FROM {last}")));
            last = name;
        };
        add(&[interval::column("raw_1", raw(places.start() + choice.first()))]);
        for k in 1..=ScoreChoice::LATER_STEPS {
            if k > 1 {
                let each = places.clone().map(|place| format!("WHEN {place} THEN {}", raw(place)));
                let raw = format!("CASE place_{} {} END", k - 1, each.collect::<Vec<_>>().join("\n      "));
                add(&[interval::column(format!("raw_{k}"), raw)]);
            }
            let estimate = format!("estimate_{k}");
            add(&[interval::column(&estimate, interval::clipped_estimate(&format!("raw_{k}")))]);
            // n c±, which needs no division by n.
            let factor = |share: &str, labelled: Option<f64>| match labelled {
                Some(labelled) => format!("{share} * (1E0 + {share} * n / {})", format_number(labelled)),
                None => share.to_owned(),
            };
            let labelled = choice.labelled().map(|PerClass { positive, negative }| (positive, negative)).unzip();
            add(&[
                interval::column(format!("factor_p_{k}"), factor(&estimate, labelled.0)),
                interval::column(format!("factor_n_{k}"), factor(&format!("(1E0 - {estimate})"), labelled.1)),
            ]);
            let each = places.clone().zip(choice.bounds()).map(|(place, bound)| {
                let (bound, rest) = (format_number(*bound), format_number(((1.0 - bound) * 1e9).round() / 1e9));
                format!("WHEN factor_p_{k} * {rest} <= factor_n_{k} * {bound} THEN {place}")
            });
            // A group without scores has NULL here and gets the last place.
            let each: Vec<String> = each.chain([format!("ELSE {}", places.end())]).collect();
            add(&[interval::column(format!("place_{k}"), format!("CASE {} END", each.join("\n      ")))]);
        }
        (queries, last)
    }

    /// Returns the query that joins means with rates. `from` is the last of the
    /// [`choice_queries`](Self::choice_queries).
    fn rated_means(&self, from: &str, query: &Query) -> String {
        let Self { rates, column: (column, over), .. } = self;
        let each = |row: &RateRow| format!("WHEN {0} THEN {column}_{0}", row.place);
        let mean = format!("CASE place {} END{over}", self.rows.iter().map(each).collect::<Vec<_>>().join(" "));
        // A group with more scores than the population has no size, hence no estimate.
        let limit =
            query.interval_options.size().map_or_else(String::new, |size| format!("CASE WHEN n <= {size} THEN "));
        let end = if limit.is_empty() { "" } else { " END" };
        let size = format!("{limit}NULLIF(n, 0) * {ONE}{end} AS size");
        let own =
            ["n".to_owned(), "missing".to_owned(), size, format!("\n    {mean} AS mean"), format!("\n    {rates}.*")];
        let columns: Vec<String> = key_columns(query).into_iter().chain(own).collect();
        let chosen = self.choice.as_ref().map_or_else(String::new, |(_, places)| {
            let step = format!("place = place_{}", ScoreChoice::LATER_STEPS);
            let (first, last) = (places.start(), places.end());
            let others = if places.clone().count() < self.rows.len() {
                format!(" OR place < {first} OR place > {last}")
            } else {
                String::new()
            };
            format!("\n  WHERE {step}{others}")
        });
        format!("SELECT {}\n  FROM {from} CROSS JOIN {rates}{chosen}", join_columns(&columns))
    }
}

/// Returns the query for a model whose methods are based on means.
///
/// # Errors
/// Returns an error if a function needs too many pieces or knots, or if the covariance of a
/// method's estimates is needed but unknown.
pub(super) fn means_query(model: &Model, query: &Query) -> Result<String, Error> {
    let mut values = ValueColumns::new(model);
    let means = |name, rates, column| MeansQuery { name, rates, column, rows: Vec::new(), choice: None };
    let mut score_means = means("truecount_means", "truecount_rates", ("mean", ""));
    let mut bin_sums = means("truecount_sums", "truecount_steps", ("sum", " / NULLIF(n, 0)"));
    let (mut expressions, mut in_bins) = (Vec::new(), None);
    for quantifier in model.quantifiers() {
        if quantifier.method().summary_kind() == SummaryKind::ScoreBins {
            bin_sums.add(quantifier);
            in_bins = Some(quantifier);
            continue;
        }
        for step in quantifier.means() {
            let distance = step.estimator().coefficients().distance;
            expressions.push(values.mean_expression(quantifier.reads(), step.influence(), distance)?);
        }
        score_means.add(quantifier);
    }
    let (queries, last) = values.queries(query);
    let mut queries: Vec<(String, String)> = queries.into_iter().map(to_owned_name).collect();
    if !expressions.is_empty() {
        queries.push((score_means.name.to_owned(), group_means(&expressions, last, query)));
    }
    if let Some(quantifier) = in_bins {
        queries.extend(bins::sum_queries(quantifier, query).into_iter().map(to_owned_name));
    }
    let all: Vec<MeansQuery> = [score_means, bin_sums].into_iter().filter(|means| !means.rows.is_empty()).collect();
    let rate_columns = RateColumns::for_rows(&all.iter().flat_map(|means| &means.rows).collect::<Vec<_>>());
    let differences = query.rows == QueryRows::FromPrevious;
    let common = if differences {
        Some(differences::common_table(
            model,
            &all.iter().flat_map(|means| &means.rows).collect::<Vec<_>>(),
            rate_columns,
        )?)
    } else {
        None
    };
    if has_total(query) {
        queries.push(totals::duplication_query());
        queries.extend(all.iter().flat_map(|means| totals::queries(means.name, means.summands(), query)));
    }
    queries.extend(all.iter().map(|means| (means.rates.to_owned(), rate_columns.table(&means.rows))));
    let mut rated = Vec::new();
    for means in &all {
        let (choice, last) = means.choice_queries(query);
        queries.extend(choice);
        rated.push(means.rated_means(&last, query));
    }
    queries.push(("truecount_rated".to_owned(), rated.join("\n  UNION ALL\n  ")));

    let steps = if differences {
        interval::variance_steps(&query.interval_options, rate_columns)
    } else {
        queries.push(("truecount_sides".to_owned(), interval::side_rows(&query.interval_options)));
        interval::interval_steps(&query.interval_options, rate_columns)
    };
    let mut before = "truecount_rated".to_owned();
    for (k, step) in steps.into_iter().enumerate() {
        let (name, columns) = (format!("truecount_{}", k + 1), interval::select_list(&step.columns));
        let sides = if step.by_side { " CROSS JOIN truecount_sides" } else { "" };
        queries.push((name.clone(), format!("SELECT DISTINCT *,{columns}\n  FROM {before}{sides}")));
        before = name;
    }
    if let Some(common) = common {
        queries.push(("truecount_common".to_owned(), common));
        let (more, last) = differences::queries(&before, rate_columns, query);
        queries.extend(more);
        return Ok(with_queries(&queries, &last));
    }
    let (published, common) = interval::result_columns(&query.interval_options);
    let published = published.into_iter().map(|(name, sql)| format!("\n  {sql} AS {name}"));
    let total = has_total(query).then(|| TOTAL.to_owned());
    let columns: Vec<String> = named_groups(query)
        .into_iter()
        .chain(total.clone())
        .chain(["method, n, missing".to_owned()])
        .chain(published)
        .collect();
    let common: Vec<String> = key_columns(query).into_iter().chain([common.to_owned()]).collect();
    // By column number, since a grouping column may have the name of an internal column. The total
    // comes last.
    let width = query.by.len();
    let mut order: Vec<usize> = (1..=width + 1).collect();
    if total.is_some() {
        order.rotate_right(1);
        order.push(width + 2);
    }
    let order: Vec<String> = order.iter().map(usize::to_string).collect();
    Ok(with_queries(
        &queries,
        &format!(
            "SELECT {}\nFROM {before}\nGROUP BY {}\nORDER BY {}",
            join_columns(&columns),
            common.join(", "),
            order.join(", ")
        ),
    ))
}

fn to_owned_name((name, sql): (&str, String)) -> (String, String) {
    (name.to_owned(), sql)
}

/// Returns the query that computes `n`, `missing` and the means by group.
fn group_means(expressions: &[String], from: &str, query: &Query) -> String {
    let groups = group_aliases(query);
    let counts =
        ["CAST(count(x) AS BIGINT) AS n".to_owned(), "CAST(count(*) - count(x) AS BIGINT) AS missing".to_owned()];
    let each = expressions.iter().enumerate().map(|(k, mean)| format!("\n    {mean} AS mean_{}", k + 1));
    let columns: Vec<String> = groups.iter().cloned().chain(counts).chain(each).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    format!("SELECT {}\n  FROM {from}{by}", join_columns(&columns))
}
