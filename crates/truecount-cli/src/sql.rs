//! `truecount sql`: a query that computes the estimates.

use crate::error::CliError;
use crate::options::{ByArgs, LevelAndTargetArgs, ScoreNames, one_of};
use crate::output;
use crate::progress::ProgressBars;
use std::io::Write;
use std::path::PathBuf;
use truecount::DatePeriod;
use truecount::inference::IntervalKind;
use truecount::sql::{Dialect, Query, QueryOutput};
use truecount_analysis::SCORE;
use truecount_tables::model_file;

/// Prints a SQL query for a table of scores. With --counts, the query counts scores in bins, and
/// `truecount finish` turns the counts into the output of `estimate`.
///
/// Counts have the columns of --by, method, bin, n or the sums of weights, and fingerprint. Without
/// --counts, the query returns estimates of es, in the columns of `estimate --format csv` and in two more:
/// `missing`, the number of rows without a usable score, and `omits`, the parts of `estimate` that are left
/// out.
#[derive(clap::Args)]
pub struct SqlArgs {
    /// Model from `truecount fit`; - for standard input
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Table of scores in the database
    ///
    /// A dot separates schema and table; write a name that contains a dot in double quotes.
    #[arg(long, value_name = "NAME")]
    table: String,
    #[command(flatten)]
    columns: ScoreNames,
    #[command(flatten)]
    by: ByArgs,
    /// Group the dates of the last --by column by hour, day, week, month, quarter or year
    ///
    /// As in --by date --every week. A week begins on Monday. The column has dates, times, or texts
    /// such as 2026-01-31; other values stay as they are.
    #[arg(long, value_name = "PERIOD", value_parser = one_of(DatePeriod::TABLE), requires = "by")]
    every: Option<DatePeriod>,
    /// Count scores in bins, for `truecount finish`, which checks, widens and weights estimates
    #[arg(long, conflicts_with_all = ["level", "target"])]
    counts: bool,
    /// Column with survey weights
    #[arg(long, value_name = "COL", requires = "counts")]
    weight: Option<String>,
    /// SQL dialect
    #[arg(long, value_parser = one_of(Dialect::TABLE), default_value = "ansi")]
    dialect: Dialect,
    #[command(flatten)]
    intervals: LevelAndTargetArgs,
}

pub fn run(args: &SqlArgs) -> Result<(), CliError> {
    let model = model_file::read(&args.model, &ProgressBars)?;
    let columns = args.columns.get().for_model(&model);
    let score = columns.score.unwrap_or(SCORE);
    let output = if args.counts {
        QueryOutput::Counts { weight: args.weight.clone() }
    } else {
        let options = args.intervals.interval_options(IntervalKind::Wilson)?;
        QueryOutput::Estimates { level: options.level(), target: options.target() }
    };
    let mut query = Query::new(table_name_parts(&args.table)?, score, output);
    query.probability = columns.probability.map(str::to_owned);
    (query.by, query.every, query.dialect) = (args.by.to_vec(), args.every, args.dialect);
    let sql = model.sql(&query)?;
    output::to_stdout(|out| out.write_all(sql.as_bytes()))
}

/// Splits a name at the dots that are not in double quotes. Two double quotes within double quotes stand for one.
fn table_name_parts(table: &str) -> Result<Vec<String>, CliError> {
    let mut parts = vec![String::new()];
    let (mut in_quotes, mut characters) = (false, table.chars().peekable());
    while let Some(c) = characters.next() {
        let part = parts.last_mut().expect("there is one from the beginning");
        match c {
            '"' if in_quotes && characters.peek() == Some(&'"') => part.extend(characters.next()),
            '"' => in_quotes = !in_quotes,
            '.' if !in_quotes => parts.push(String::new()),
            _ => part.push(c),
        }
    }
    if in_quotes || parts.iter().any(String::is_empty) {
        return Err(CliError::usage(
            format!("--table is '{table}'"),
            "it must be a name, or several names with dots between them; put a name with dots in double quotes",
        ));
    }
    Ok(parts)
}
