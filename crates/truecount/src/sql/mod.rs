//! Queries that any SQL engine can run: counts of scores in bins, from which `truecount finish` computes
//! what `truecount estimate` prints, and for Efficient Sweep also estimates with their intervals.
//!
//! ```text
//! counts:    table → scores → bin of each → counts by group and bin (`counts`)
//! estimates: counts → sums by group → the best function → × its variances (`estimates`)
//!            → standard error, interval (`interval`)
//! ```
//!
//! Only arithmetic, CASE and sqrt are needed. An expression used several times is a column of a separate
//! query, and every such query is written so that engines do not inline it: copies of copies would make
//! plans of exponential size. For this purpose, groups are separated by DISTINCT, which changes nothing
//! because all rows are distinct.
//!
//! PostgreSQL raises errors for products that underflow and for division by 0. Therefore variances
//! below 1e-60 and estimates below 1e-30 are set to 0. Some engines read 1E0 as a decimal number of
//! limited precision, but sqrt(1) is a double in all engines, so dividends are multiplied by it.
//! Features on which engines differ are not used: joins of groups that may be NULL, lists of
//! VALUES, LEAST and GREATEST, and words that are reserved in any engine.

mod counts;
mod estimates;
mod interval;
mod names;
mod periods;

use crate::choice::choice;
use crate::quantifier::{Quantifier, SummaryKind};
use crate::{DatePeriod, Error, IntervalOptions, Method, Model, Operation, Problem, Target};

/// An SQL dialect: how names are quoted, and how values become texts.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum QueryOutput {
    /// A row for each group, method and bin with scores, from which a [`Tally`](crate::Tally) is
    /// [made](crate::Tally::add_to_bin).
    Counts {
        /// The column with survey weights.
        weight: Option<String>,
    },
    /// A row for each group, with the estimate of Efficient Sweep and its Wilson-type interval.
    Estimates {
        /// The nominal coverage of the interval.
        level: f64,
        /// The estimand of the standard error and the interval.
        target: Target,
    },
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
    /// The SQL dialect.
    pub dialect: Dialect,
    /// The rows that the query returns.
    pub output: QueryOutput,
}

impl Query {
    /// Creates a query of a table's score column in standard SQL, without probabilities and groups.
    ///
    /// `table` has the parts of the table's name.
    pub fn new(table: Vec<String>, score: impl Into<String>, output: QueryOutput) -> Self {
        let (dialect, score) = (Dialect::default(), score.into());
        Self { table, score, probability: None, by: Vec::new(), every: None, dialect, output }
    }
}

impl Model {
    /// Returns a query of a table of scores.
    ///
    /// For counts, the query returns one row per group, method and nonempty bin, in this order, with
    /// the columns of `by`, `method`, `bin` and `n`. Bins are those of
    /// [`Tally::add_to_bin`](crate::Tally::add_to_bin). Bin -1 has the rows without a usable score:
    /// NULL, not finite, or with an unusable probability or weight. With a column of weights, `n` is
    /// the number of rows with a weight above 0, and `sum_weights` and `sum_squared_weights` follow. The
    /// last column is the model's `fingerprint`.
    ///
    /// For estimates, the query returns one row per group with the columns of `by`, `method`, `n`,
    /// `missing` (the number of rows without a usable score), `prevalence`, `raw`, `se`, `lower`,
    /// `upper`, `level`, `target` and `omits`, which names what is left out: the scores are not
    /// checked, so misfit does not widen the interval, and there are no warnings.
    ///
    /// # Errors
    /// Returns the error of [`IntervalOptions::new`] for an invalid level.
    ///
    /// Returns [`Operation::Sql`] if a method does not count scores in bins, or reads posterior
    /// probabilities that are not given; and [`Operation::SqlEstimates`] for estimates by a method
    /// other than Efficient Sweep.
    ///
    /// Returns [`Problem::SqlNameEmpty`], [`Problem::SqlColumnTwice`] or
    /// [`Problem::SqlColumnTaken`] if a name cannot be used, and [`Problem::ProbabilitiesMissing`]
    /// or [`Problem::ProbabilitiesUnexpected`] if only one of model and query has probabilities.
    /// Returns [`Operation::Weights`] for weights and a method that does not accept them.
    pub fn sql(&self, query: &Query) -> Result<String, Error> {
        match (self.labelled().probabilities(), &query.probability) {
            (Some(_), None) => return Err(Problem::ProbabilitiesMissing.into()),
            (None, Some(_)) => return Err(Problem::ProbabilitiesUnexpected.into()),
            _ => {}
        }
        let methods = self.quantifiers().iter().map(Quantifier::method);
        let has_column = |method: Method| !method.reads_posteriors() || query.probability.is_some();
        let unsupported: Vec<_> = methods.filter(|method| !method.supports_sql() || !has_column(*method)).collect();
        if !unsupported.is_empty() {
            return Err(Operation::Sql.unsupported_by(unsupported).into());
        }
        let mut columns = vec![&query.score];
        columns.extend(&query.probability);
        let own: &[&str] = match &query.output {
            QueryOutput::Counts { weight } => {
                columns.extend(weight);
                if weight.is_some() {
                    self.weighted_method_tallies()?;
                }
                &names::COUNTS
            }
            QueryOutput::Estimates { .. } => &names::ESTIMATES,
        };
        names::check_names(&query.table, &columns, &query.by, own)?;
        match (&query.output, self.quantifiers()) {
            (QueryOutput::Counts { .. }, quantifiers) => {
                Ok(counts::counts_query(quantifiers, &self.fingerprint(), query))
            }
            (QueryOutput::Estimates { level, target }, [quantifier])
                if quantifier.method().summary_kind() == SummaryKind::ScoreBins =>
            {
                Ok(estimates::estimates_query(quantifier, query, &IntervalOptions::new(*level, *target)?))
            }
            (QueryOutput::Estimates { .. }, quantifiers) => {
                let methods = quantifiers.iter().map(Quantifier::method);
                let others = methods.filter(|method| method.summary_kind() != SummaryKind::ScoreBins);
                Err(Operation::SqlEstimates.unsupported_by(others).into())
            }
        }
    }
}
