//! Queries from the table to one row per score, with all values that are counted and averaged.

use super::piecewise::PiecewisePolynomial;
use super::position::ScorePosition;
use super::{Query, QueryRows, edges, names, periods};
use crate::sweep::{Separation, at_prior};
use crate::tally::{InfluenceFunction, LineSegment};
use crate::training::{InputKind, Training};
use crate::transform::FittedTransform;
use crate::{Error, Model, Problem};

/// The tolerance of piecewise approximations of u and p, and of g in units of the distance between
/// the class means.
const TOLERANCE: f64 = 2e-13;

/// An expression for 1 that is a double in every engine and makes every product a double.
pub(super) const ONE: &str = "sqrt(1)";

/// The column that is 1 for the total of all groups and 0 for groups.
pub(super) const TOTAL: &str = "total";

/// The alias of the table in the query.
const TABLE: &str = "truecount_rows";

/// The distance from its origin, in its units, at which a line is clipped, so that sums do not
/// overflow.
const MAX_LINE_UNITS: f64 = 1e100;

/// The maximum number of knots; more would make a query of several hundred kilobytes.
const MAX_KNOTS: usize = 2000;

/// The position beyond which a function that needs too many pieces is taken as constant.
///
/// It is 1e8 times the range of the labelled scores, where some functions are mere rounding, such
/// as the ratio of two normal densities whose variances differ in the last digit.
const FAR_POSITION: f64 = 20.0;

/// The value columns of rows, in addition to the grouping columns.
pub(super) struct ValueColumns<'a> {
    model: &'a Model,
    position: ScorePosition,
    /// Names of columns and their expressions in v and x.
    columns: Vec<(String, String)>,
}

impl<'a> ValueColumns<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let labelled = model.labelled();
        let all = || labelled.positive().iter().chain(labelled.negative());
        let (smallest, largest) = all().fold((f64::MAX, f64::MIN), |(low, high), s| (s.min(low), s.max(high)));
        let position = if model.unit_interval().is_some() {
            ScorePosition::Unit
        } else {
            ScorePosition::for_range(smallest, largest)
        };
        Self { model, position, columns: Vec::new() }
    }

    fn training(&self) -> &'a Training {
        self.model.training()
    }

    /// Returns the name of the column with the posterior probability, and adds the column if
    /// necessary.
    ///
    /// # Errors
    /// Returns an error if the posterior cannot be computed or needs too many pieces.
    pub(super) fn posterior(&mut self) -> Result<&'static str, Error> {
        if self.model.labelled().probabilities().is_none() {
            let (scale, separation, prior) =
                (self.training().scale()?, self.training().separation()?, self.training().prior());
            self.add_column("p", scale, Some(separation), &[], 1.0, |y| at_prior(prior, separation.balanced(y)))?;
        }
        Ok("p")
    }

    /// Returns an expression for the mean of an influence function over the rows of a group.
    ///
    /// `distance` is the distance between the function's class means.
    ///
    /// # Errors
    /// Returns an error if the function has too many knots or needs too many pieces.
    pub(super) fn mean_expression(
        &mut self,
        reads: InputKind,
        influence: &InfluenceFunction,
        distance: f64,
    ) -> Result<String, Error> {
        Ok(match (reads, influence) {
            (_, InfluenceFunction::Step { cut }) => {
                let (x, cut) =
                    (if reads == InputKind::Posterior { self.posterior()? } else { "x" }, names::format_number(*cut));
                format!("avg(CASE WHEN {x} >= {cut} THEN {ONE} WHEN {x} < {cut} THEN sqrt(0) END)")
            }
            (InputKind::Posterior, InfluenceFunction::Lines { edges, lines }) => {
                let (p, knots) = (self.posterior()?, edges.len());
                if knots > MAX_KNOTS {
                    return Err(Problem::TooManyKnotsForSql { knots, most: MAX_KNOTS }.into());
                }
                let line = |bin: usize| {
                    let LineSegment { intercept, slope } = lines[bin];
                    format!("{} * {p} {}", names::format_number(slope), names::format_term(intercept))
                };
                format!("avg({})", edges::bin_case(p, &edges.iter().collect::<Vec<_>>(), line, None))
            }
            (InputKind::Balanced, InfluenceFunction::MixtureScore { alpha }) => {
                let (scale, separation) = (self.training().scale()?, self.training().separation()?);
                self.add_column("u", scale, Some(separation), &[], 1.0, |y| separation.balanced(y))?;
                let (slope, rest) = (names::format_number(2.0 * alpha - 1.0), names::format_number(1.0 - alpha));
                format!("avg((2E0 * u - 1E0) / ({slope} * u + {rest}))")
            }
            (InputKind::Posterior, _) => format!("avg({})", self.posterior()?),
            (_, InfluenceFunction::Line { origin, unit }) if self.training().is_plain(reads) => {
                let (low, high) = (
                    names::format_number(origin - MAX_LINE_UNITS * unit),
                    names::format_number(origin + MAX_LINE_UNITS * unit),
                );
                let (minus, scale) = (names::format_term(-origin), names::format_number(unit.recip()));
                let far = names::format_number(MAX_LINE_UNITS);
                format!(
                    "avg(CASE WHEN x < {low} THEN -{far} WHEN x > {high} THEN {far} ELSE (x {minus}) * {scale} END)"
                )
            }
            _ => {
                let name = format!("g_{}", self.columns.len() + 1);
                let ends: Vec<f64> = match influence {
                    InfluenceFunction::Smooth(ramps) => {
                        ramps.iter().flat_map(|ramp| [ramp.middle - ramp.scale.recip(), ramp.right()]).collect()
                    }
                    _ => Vec::new(),
                };
                self.add_column(&name, self.training().scale()?, None, &ends, distance, |y| influence.value(y))?;
                format!("avg({name})")
            }
        })
    }

    /// Adds a column with a function of the transformed score y, unless there is a column with that
    /// name.
    ///
    /// The function changes where the densities of `separation` do, and is not smooth at the y in
    /// `not_smooth`. Its tolerance is [`TOLERANCE`] · `unit`.
    ///
    /// # Errors
    /// Returns an error if the function needs too many pieces.
    fn add_column(
        &mut self,
        name: &str,
        scale: &FittedTransform,
        separation: Option<&Separation>,
        not_smooth: &[f64],
        unit: f64,
        f: impl Fn(f64) -> f64,
    ) -> Result<(), Error> {
        if self.columns.iter().any(|(known, _)| known == name) {
            return Ok(());
        }
        let position = self.position;
        let position_of = |y: &f64| position.first_where(|x| scale.apply(x) >= *y);
        let (ends, bends) = (position.ends(), position.linear_ends());
        let knots = scale.knots();
        let mut breaks: Vec<f64> =
            knots.iter().map(|x| position.at_score(*x)).chain(not_smooth.iter().map(position_of)).collect();
        breaks.extend(ends.iter().chain(&bends));
        let landmarks: Vec<f64> = separation.map_or(Vec::new(), |s| s.landmarks().iter().map(position_of).collect());
        let value = |v: f64| f(position.transformed(scale, v));
        let approximate = |far: f64| {
            let breaks: Vec<f64> = [&[-far, far], breaks.as_slice()].concat();
            let mut breaks: Vec<f64> = breaks.into_iter().filter(|v| ends[0] <= *v && *v <= ends[1]).collect();
            breaks.sort_unstable_by(f64::total_cmp);
            PiecewisePolynomial::new(|v| value(v.clamp(-far, far)), &breaks, &landmarks, TOLERANCE * unit)
        };
        let pieces = approximate(f64::INFINITY).or_else(|_| approximate(FAR_POSITION))?;
        self.columns.push((name.to_owned(), format!("CASE WHEN v IS NOT NULL THEN\n    {} END", pieces.sql())));
        Ok(())
    }

    /// Returns the queries that compute the columns, and the name of the last query.
    pub(super) fn queries(&self, query: &Query) -> (Vec<(&'static str, String)>, &'static str) {
        let quote = |name: &str| query.dialect.quote(name);
        // SQLite reads the quoted name of a missing column as a text, unless the table's name
        // precedes it.
        let column = |name: &str| format!("{TABLE}.{}", quote(name));
        let table = query.table.iter().map(|part| quote(part)).collect::<Vec<_>>().join(".") + " AS " + TABLE;
        let group = |(k, name): (usize, &String)| {
            let every = query.every.filter(|_| k + 1 == query.by.len());
            let value =
                every.map_or_else(|| column(name), |every| periods::period(query.dialect, every, &column(name)));
            format!("{value} AS group_{}", k + 1)
        };
        let by: Vec<String> = query.by.iter().enumerate().map(group).collect();
        let groups = group_aliases(query);
        let list = |first: &[String], more: &[String]| join_columns(&[first, more].concat());
        // An empty query with the same types, so that the query before it is computed once per row.
        let empty_query = |columns: usize| {
            let nothing = vec!["0E0".to_owned(); columns];
            format!("\n  UNION ALL\n  SELECT {} FROM {table} WHERE 1 = 0", list(&by, &nothing))
        };
        let score = column(&query.score);
        let mut usable = match self.position {
            ScorePosition::Line { .. } => {
                vec![format!("{score} * {ONE} BETWEEN {} AND {:E}", names::format_number(f64::MIN), f64::MAX)]
            }
            ScorePosition::Unit => vec![format!("{score} > 0E0 AND {score} < 1E0")],
        };
        let mut probabilities = Vec::new();
        if let Some(probability) = &query.probability {
            usable.push(format!("{} BETWEEN 0E0 AND 1E0", column(probability)));
            probabilities.push(("p".to_owned(), column(probability)));
        }
        let usable = usable.join(" AND ");
        let each = |(name, column): (String, String)| format!("CASE WHEN {usable} THEN {column} * {ONE} END AS {name}");
        let columns: Vec<String> =
            [("x".to_owned(), score)].into_iter().chain(probabilities.clone()).map(each).collect();
        let mut queries = vec![("truecount_scores", format!("SELECT {}\n  FROM {table}", list(&by, &columns)))];
        if self.columns.is_empty() {
            return (queries, "truecount_scores");
        }
        let read: Vec<String> = groups
            .iter()
            .cloned()
            .chain(["x".to_owned()])
            .chain(probabilities.into_iter().map(|(name, _)| name))
            .collect();
        let width = read.len() - groups.len();
        queries[0].1 += &empty_query(width);
        let v = format!("{} AS v", self.position.sql(query.dialect.ln()));
        queries.push((
            "truecount_places",
            format!("SELECT {}\n  FROM truecount_scores{}", list(&read, &[v]), empty_query(width + 1)),
        ));
        let value_columns: Vec<String> =
            self.columns.iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect();
        queries.push((
            "truecount_values",
            format!(
                "SELECT {}\n  FROM truecount_places{}",
                list(&read, &value_columns),
                empty_query(width + value_columns.len())
            ),
        ));
        (queries, "truecount_values")
    }
}

/// Returns the aliases of the grouping columns inside the query, which differ from all internal
/// names.
pub(super) fn group_aliases(query: &Query) -> Vec<String> {
    (1..=query.by.len()).map(|k| format!("group_{k}")).collect()
}

/// Returns the columns that identify rows: the grouping columns and, with a total, the column
/// [`TOTAL`].
pub(super) fn key_columns(query: &Query) -> Vec<String> {
    group_aliases(query).into_iter().chain(has_total(query).then(|| TOTAL.to_owned())).collect()
}

/// Returns whether the query has a total of all groups.
pub(super) fn has_total(query: &Query) -> bool {
    query.rows == QueryRows::GroupsAndTotal
}

/// Returns the grouping columns under their original names.
pub(super) fn named_groups(query: &Query) -> Vec<String> {
    let names = group_aliases(query).into_iter().zip(&query.by);
    names.map(|(group, name)| format!("{group} AS {}", query.dialect.quote(name))).collect()
}

/// Joins columns with commas; a column that begins with a line break gets a line of its own.
pub(super) fn join_columns(columns: &[String]) -> String {
    let mut text = String::new();
    for (k, column) in columns.iter().enumerate() {
        text.push_str(match column.starts_with('\n') {
            _ if k == 0 => "",
            true => ",",
            false => ", ",
        });
        text.push_str(column);
    }
    text
}

/// Joins named queries and the final query to one query.
pub(super) fn with_queries(queries: &[(impl AsRef<str>, String)], last: &str) -> String {
    let each: Vec<String> = queries.iter().map(|(name, sql)| format!("{} AS (\n  {sql}\n)", name.as_ref())).collect();
    format!("WITH {}\n{last}\n", each.join(",\n"))
}
