//! Estimates in SQL: a query that any engine can run, for methods based on means of functions of
//! the score.
//!
//! ```text
//! `es`:   table → usable scores → weights of bins (`edges`) → counts → sums by group (`bins`)
//! others: table → usable scores → positions (`position`) → values (`piecewise`) → means by group
//! both:   → all groups together, on request (`totals`) → the best function of `es`
//!         → × rates of each method (`rates`) → estimate, standard error, interval (`interval`)
//!         → differences between groups, on request (`differences`)
//! ```
//!
//! The functions are steps or piecewise polynomials, so that only arithmetic, CASE, ln and sqrt are
//! needed. An expression used several times is a column of a separate query, and every such query
//! is written so that engines do not inline it: copies of copies would make plans of exponential
//! size. For this purpose, rows are separated from the table by a UNION ALL with an empty query,
//! and groups by DISTINCT, which changes nothing because all rows are distinct.
//!
//! PostgreSQL raises errors for products that underflow and for division by 0. Therefore variances
//! below 1e-60 and estimates below 1e-30 are set to 0. Some engines read 1E0 as a decimal number of
//! limited precision, but sqrt(1) is a double in all engines, so dividends are multiplied by it.
//! Features on which engines differ are not used: joins of groups that may be NULL, lists of
//! VALUES, LEAST and GREATEST, and words that are reserved in any engine.

mod bins;
mod differences;
mod edges;
mod interval;
mod means;
mod names;
mod periods;
mod piecewise;
mod position;
mod rates;
mod totals;
mod values;

use crate::choice::choice;
use crate::quantifier::{Quantifier, SummaryKind};
use crate::{DatePeriod, Error, IntervalOptions, Method, Model, Operation, Problem};

/// An SQL dialect: how names are quoted, and the name of the logarithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Standard SQL, names as "name": DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion.
    #[default]
    Ansi,
    /// Names as `name`: Spark, Databricks.
    Spark,
    /// Names as `name`: BigQuery.
    BigQuery,
    /// Names as "name": Snowflake.
    Snowflake,
    /// Names as "name": Trino.
    Trino,
    /// Names as "name": Amazon Redshift.
    Redshift,
    /// Names as \[name\]: SQL Server, Azure SQL.
    TSql,
}

impl Dialect {
    /// All dialects: name, dialect, engines.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("ansi", Self::Ansi, "names in double quotes: DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion and others"),
        ("spark", Self::Spark, "names in backquotes: Spark, Databricks"),
        ("bigquery", Self::BigQuery, "names in backquotes: BigQuery"),
        ("snowflake", Self::Snowflake, "names in double quotes: Snowflake"),
        ("trino", Self::Trino, "names in double quotes: Trino, Athena"),
        ("redshift", Self::Redshift, "names in double quotes: Amazon Redshift"),
        ("tsql", Self::TSql, "names in square brackets: SQL Server, Azure SQL"),
    ];
}

choice!(Dialect, "dialect");

/// The rows that a query returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryRows {
    /// A row for each group.
    #[default]
    Groups,
    /// A row for each group and a row for all test scores together; the column `total` is 1 in that
    /// row, otherwise 0.
    GroupsAndTotal,
    /// The difference of each group from the group before it.
    ///
    /// Groups are ordered by the last grouping column, NULL last. Groups that differ in another
    /// grouping column are not compared.
    FromPrevious,
}

impl QueryRows {
    /// The references of differences: name, rows, description.
    pub const REFERENCES: &'static [(&'static str, Self, &'static str)] =
        &[("previous", Self::FromPrevious, "the previous group")];
}

/// A specification of a query: the columns that it reads, and how it reports results.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// The parts of the table's name, such as schema and table.
    pub table: Vec<String>,
    /// The column with the scores.
    pub score: String,
    /// The column with the classifier's probabilities, for a model that was fitted with
    /// probabilities.
    pub probability: Option<String>,
    /// The grouping columns; every combination of their values is a group.
    pub by: Vec<String>,
    /// The period that replaces each date in the last grouping column. Dates are 2026-01-31, with or
    /// without a time; other values stay as they are.
    pub every: Option<DatePeriod>,
    /// The rows that the query returns.
    pub rows: QueryRows,
    /// The SQL dialect.
    pub dialect: Dialect,
    /// Level, target and kind of the intervals.
    pub interval_options: IntervalOptions,
}

impl Query {
    /// Creates a query of a table's score column in standard SQL, without probabilities and groups.
    ///
    /// `table` has the parts of the table's name.
    pub fn new(table: Vec<String>, score: impl Into<String>, options: IntervalOptions) -> Self {
        let (rows, dialect, score) = (QueryRows::default(), Dialect::default(), score.into());
        Self { table, score, probability: None, by: Vec::new(), every: None, rows, dialect, interval_options: options }
    }
}

impl Model {
    /// Returns a query that computes this model's estimates from a table of scores.
    ///
    /// The query returns one row per group and method, in this order, with the columns of `by`,
    /// `total` (if requested), `method`, `n`, `missing` (the number of rows without a usable score:
    /// NULL, not finite, or outside the model's range), `prevalence`, `raw`, `se`, `lower`, `upper`,
    /// `level` and `target`.
    ///
    /// For differences, the query returns one row per compared group and method, with the columns
    /// of `by`, `reference` (the other group's last grouping column), `method`, `prevalence`,
    /// `prevalence_reference`, `difference`, `se`, `ratio`, `correlation` and `target`.
    ///
    /// For methods that count in bins (the histogram methods, `bcc` and `pq`), the query computes
    /// tallies: one row per group, method and nonempty bin, with the columns of `by`, `method`,
    /// `missing` (in the row of bin 0), `bin` (counted from 0) and `n`.
    ///
    /// # Errors
    /// Returns [`Problem::TooLongForSql`] if densities change too abruptly,
    /// [`Problem::TooManyKnotsForSql`] for `edy` with very many labelled scores, and
    /// [`Operation::Sql`] if a method needs every score.
    ///
    /// For differences, returns [`Problem::NothingToCompare`] without groups and
    /// [`Operation::Covariance`] for methods that are not unbiased means. Returns
    /// [`Operation::SqlTotals`] for totals and differences of histograms, and
    /// [`Problem::QueryKindsMixed`] for methods of both kinds.
    ///
    /// Returns [`Problem::SqlNameEmpty`], [`Problem::SqlColumnTwice`] or
    /// [`Problem::SqlColumnTaken`] if a name cannot be used, and [`Problem::ProbabilitiesMissing`]
    /// or [`Problem::ProbabilitiesUnexpected`] if only one of model and query has probabilities.
    pub fn sql(&self, query: &Query) -> Result<String, Error> {
        match (self.labelled().probabilities(), &query.probability) {
            (Some(_), None) => return Err(Problem::ProbabilitiesMissing.into()),
            (None, Some(_)) => return Err(Problem::ProbabilitiesUnexpected.into()),
            _ => {}
        }
        let names = |condition: fn(Method) -> bool| {
            let methods = self.quantifiers().iter().map(Quantifier::method).filter(|method| condition(*method));
            methods.map(|method| method.to_string()).collect::<Vec<_>>()
        };
        let methods = names(|method| !method.supports_sql());
        if !methods.is_empty() {
            return Err(Operation::Sql.unsupported_by(methods).into());
        }
        let (means, counts) =
            (names(Method::supports_weights), names(|method| method.summary_kind() == SummaryKind::Bins));
        if !means.is_empty() && !counts.is_empty() {
            return Err(Problem::QueryKindsMixed { means, counts }.into());
        }
        if query.rows == QueryRows::FromPrevious && query.by.is_empty() {
            return Err(Problem::NothingToCompare.into());
        }
        if !counts.is_empty() && query.rows != QueryRows::Groups {
            return Err(Operation::SqlTotals.unsupported_by(counts).into());
        }
        let own: &[&str] = match query.rows {
            _ if !counts.is_empty() => &names::TALLY,
            QueryRows::Groups => &names::ESTIMATE[1..],
            QueryRows::GroupsAndTotal => &names::ESTIMATE,
            QueryRows::FromPrevious => &names::DIFFERENCE,
        };
        let columns: Vec<&str> = [&query.score].into_iter().chain(&query.probability).map(String::as_str).collect();
        names::check_names(&query.table, &columns, &query.by, own)?;
        if counts.is_empty() { means::means_query(self, query) } else { bins::tally_query(self, query) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LabelledScores, Settings, Target};

    fn sql(by: &[&str], rows: QueryRows, options: IntervalOptions) -> Result<String, Error> {
        let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, 1.2];
        let labels = [true, true, true, true, false, false, false, false];
        let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
        let mut query = Query::new(vec!["scores".to_owned()], "score", options);
        (query.by, query.rows) = (by.iter().map(|&name| name.to_owned()).collect(), rows);
        model.sql(&query)
    }

    /// A finite population changes the variance, its quadratic and the cumulant.
    #[test]
    fn finite_population_adds_a_factor() {
        let infinite = IntervalOptions::new(0.95, Target::Population).unwrap();
        let finite = sql(&["day"], QueryRows::Groups, infinite.with_population(500)).unwrap();
        assert_eq!(finite.matches(" / size * (1E0 - size / 5E2)").count(), 3, "{finite}");
        assert!(finite.contains("CASE WHEN n <= 500 THEN NULLIF(n, 0) * sqrt(1) END AS size"));
        let without = finite
            .replace(" * (1E0 - size / 5E2)", "")
            .replace("CASE WHEN n <= 500 THEN NULLIF(n, 0) * sqrt(1) END", "NULLIF(n, 0) * sqrt(1)");
        assert_eq!(without, sql(&["day"], QueryRows::Groups, infinite).unwrap());
        let ungrouped = sql(&[], QueryRows::FromPrevious, IntervalOptions::default());
        assert_eq!(ungrouped.unwrap_err(), Problem::NothingToCompare.into());
    }
}
