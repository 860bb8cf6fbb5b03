//! Estimates in SQL: one query that any engine can run, for the methods that work on means of functions of the score.
//!
//! ```text
//! table → usable scores → the weights of their bins (`edges`) → counts → sums by group (`bins`)     for `es`
//!                       → their place (`position`) → values of the functions (`pieces`) → means by group  for the others
//!       → all groups together, if asked for (`totals`)
//!       → × the rates of each method (`rates`) → estimate, standard error, interval (`interval`)
//!       → differences between groups, if asked for (`differences`)
//! ```
//!
//! The functions are steps or piecewise polynomials, so that only arithmetic, CASE, ln and sqrt are needed. An expression used
//! several times is a column of a query of its own, and every such query is written so that engines do not inline it:
//! copies of copies would make plans of exponential size. For this, rows are separated from the table by a UNION ALL
//! with an empty query, and groups by DISTINCT, which changes nothing because no two rows are alike.
//!
//! PostgreSQL raises errors for products that underflow and for division by 0: variances below 1e-60 are therefore 0,
//! and so are estimates below 1e-30. Some engines take 1E0 for a decimal number of limited precision, and sqrt(1) for a double in any
//! case: what is divided begins with a double. What they are not agreed on is not used: joins of groups that may be NULL,
//! lists of VALUES, LEAST and GREATEST, words that are reserved anywhere.

mod bins;
mod differences;
mod edges;
mod interval;
mod means;
mod names;
mod piecewise;
mod position;
mod rates;
mod totals;
mod values;

use crate::choice::choice;
use crate::quantifier::{Keeps, Quantifier};
use crate::{Error, Method, Model, Operation, Problem, Reporting};

/// Whose SQL it is: how names are quoted, and what the logarithm is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// "name", as the standard has it: DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion.
    #[default]
    Ansi,
    /// `name`: Spark, Databricks.
    Spark,
    /// `name`: BigQuery.
    BigQuery,
    /// "name": Snowflake.
    Snowflake,
    /// "name": Trino.
    Trino,
    /// "name": Amazon Redshift.
    Redshift,
    /// \[name\]: SQL Server, Azure SQL.
    TSql,
}

impl Dialect {
    /// Every dialect: name, dialect, what it is for.
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

/// Which rows a query returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryRows {
    /// An estimate for each group.
    #[default]
    Groups,
    /// The same, and one for all test scores together, told by a column `total`, which is 1 there and 0 elsewhere.
    GroupsAndTotal,
    /// The difference of each group from the one before it, in the order of the last grouping column, in which NULL is last; groups
    /// that differ in the others are not compared.
    FromPrevious,
}

impl QueryRows {
    /// The differences: name, rows, from what.
    pub const REFERENCES: &'static [(&'static str, Self, &'static str)] =
        &[("previous", Self::FromPrevious, "the group before it")];
}

/// What a query reads, and how its results are reported.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// The table's name in its parts: schema, table.
    pub table: Vec<String>,
    /// The column with the scores.
    pub score: String,
    /// The column with a classifier's probabilities, for a model that was fitted with some.
    pub probability: Option<String>,
    /// One estimate for every combination of values of these columns.
    pub by: Vec<String>,
    /// Which rows it returns.
    pub rows: QueryRows,
    /// Whose SQL it is.
    pub dialect: Dialect,
    /// Level, target and kind of the intervals.
    pub reporting: Reporting,
}

impl Query {
    /// Of the scores in a column of a table, the table's name in its parts; without probabilities and groups, names quoted as the
    /// standard has it.
    pub fn new(table: Vec<String>, score: impl Into<String>, reporting: Reporting) -> Self {
        let (rows, dialect, score) = (QueryRows::default(), Dialect::default(), score.into());
        Self { table, score, probability: None, by: Vec::new(), rows, dialect, reporting }
    }
}

impl Model {
    /// A query that computes this model's estimates from a table of scores: one row per group and method, in their order, with the
    /// columns of `by`, then `total` if there is one, `method`, `n`, `missing` (rows without a usable score: NULL, not finite, or outside the
    /// model's range), `prevalence`, `raw`, `se`, `lower`, `upper`, `level`.
    ///
    /// For differences, a query with one row per group that is compared and method: the columns of `by`, then `against` (the other
    /// group's last grouping column), `method`, `prevalence`, `prevalence_reference`, `difference`, `se`, `ratio`, `correlation`, as
    /// [`Comparing`](crate::Comparing) finds them.
    ///
    /// For the methods that count in bins, the histogram methods and `bcc` and `pq`, a query that computes their tallies: one row per group, method and nonempty bin, with
    /// the columns of `by`, then `method`, `missing` (given in the row of bin 0), `bin`, counted from 0, and `n`.
    ///
    /// # Errors
    /// [`Problem::TooLongForSql`] for densities that change too abruptly; [`Problem::TooManyKnotsForSql`] for `edy` with very many labelled
    /// scores; [`Operation::Sql`] when a method needs every
    /// score; [`Problem::NothingToCompare`] and [`Operation::Covariance`] for differences without groups or of methods that are no unbiased
    /// means; [`Operation::SqlTotals`] for sums and differences of histograms; [`Problem::TwoQueries`] for methods of both kinds; [`Problem::SqlNameEmpty`], [`Problem::SqlColumnTwice`] and
    /// [`Problem::SqlColumnTaken`] for names that cannot be used; [`Problem::ProbabilitiesMissing`] and
    /// [`Problem::ProbabilitiesUnknown`] when only one of model and query has probabilities.
    pub fn sql(&self, query: &Query) -> Result<String, Error> {
        match (self.labelled().probabilities(), &query.probability) {
            (Some(_), None) => return Err(Problem::ProbabilitiesMissing.into()),
            (None, Some(_)) => return Err(Problem::ProbabilitiesUnknown.into()),
            _ => {}
        }
        let names = |which: fn(Method) -> bool| {
            let asked = self.quantifiers().iter().map(Quantifier::method).filter(|method| which(*method));
            asked.map(|method| method.to_string()).collect::<Vec<_>>()
        };
        let methods = names(|method| !method.is_in_sql());
        if !methods.is_empty() {
            return Err(Operation::Sql.not_possible(methods).into());
        }
        let (means, counts) = (names(Method::takes_weights), names(|method| method.keeps() == Keeps::Bins));
        if !means.is_empty() && !counts.is_empty() {
            return Err(Problem::TwoQueries { means, counts }.into());
        }
        if query.rows == QueryRows::FromPrevious && query.by.is_empty() {
            return Err(Problem::NothingToCompare.into());
        }
        if !counts.is_empty() && query.rows != QueryRows::Groups {
            return Err(Operation::SqlTotals.not_possible(counts).into());
        }
        let own: &[&str] = match query.rows {
            _ if !counts.is_empty() => &names::TALLY,
            QueryRows::Groups => &names::ESTIMATE[1..],
            QueryRows::GroupsAndTotal => &names::ESTIMATE,
            QueryRows::FromPrevious => &names::DIFFERENCE,
        };
        let columns: Vec<&str> = [&query.score].into_iter().chain(&query.probability).map(String::as_str).collect();
        names::check(&query.table, &columns, &query.by, own)?;
        if counts.is_empty() { means::means_query(self, query) } else { bins::tally_query(self, query) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LabelledScores, Settings, Target};

    fn sql(by: &[&str], rows: QueryRows, reporting: Reporting) -> Result<String, Error> {
        let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, 1.2];
        let labels = [true, true, true, true, false, false, false, false];
        let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
        let mut query = Query::new(vec!["scores".to_owned()], "score", reporting);
        (query.by, query.rows) = (by.iter().map(|&name| name.to_owned()).collect(), rows);
        model.sql(&query)
    }

    /// In the variance, its quadratic and the cumulant; and in what a group and the total have in common.
    #[test]
    fn drawing_from_a_finite_population_counts_in_part() {
        let endless = Reporting::new(0.95, Target::Population).unwrap();
        let finite = sql(&["day"], QueryRows::Groups, endless.of_population(500)).unwrap();
        assert_eq!(finite.matches(" / size * (1E0 - size / 5E2)").count(), 3, "{finite}");
        assert!(finite.contains("CASE WHEN n <= 500 THEN NULLIF(n, 0) * sqrt(1) END AS size"));
        let without = finite
            .replace(" * (1E0 - size / 5E2)", "")
            .replace("CASE WHEN n <= 500 THEN NULLIF(n, 0) * sqrt(1) END", "NULLIF(n, 0) * sqrt(1)");
        assert_eq!(without, sql(&["day"], QueryRows::Groups, endless).unwrap());
        let refused = sql(&[], QueryRows::FromPrevious, Reporting::default());
        assert_eq!(refused.unwrap_err(), Problem::NothingToCompare.into());
    }
}
