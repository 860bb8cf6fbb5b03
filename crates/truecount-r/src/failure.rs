//! What went wrong, for R's face to make a condition of.

use crate::executor::stoppable;
use crate::value::Value;
use savvy::{Result, Sexp};
use truecount::{Error, ErrorLocation};
use truecount_analysis::AnalysisProblem;

/// What was refused, of what is there; or a mistake in this package.
pub enum RError {
    Refused(Error),
    /// The same of a column that the caller has named.
    Column(&'static str, Error),
    Mistake(savvy::Error),
}

impl From<Error> for RError {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<AnalysisProblem> for RError {
    fn from(problem: AnalysisProblem) -> Self {
        Self::Refused(problem.into())
    }
}

impl From<savvy::Error> for RError {
    fn from(error: savvy::Error) -> Self {
        Self::Mistake(error)
    }
}

/// An error as R's face reads it: rows and sets are counted from 1.
pub fn described(error: Error) -> Value {
    let fields = fields(&error);
    worded(error, fields)
}

fn failed(what: Value) -> Value {
    Value::named([("failure", what)])
}

fn fields(error: &Error) -> Vec<(String, Value)> {
    let ErrorLocation { row, column, set, method, table, .. } = error.location();
    let column = column.as_ref().filter(|_| error.location().is_value());
    let of_location = [
        row.map(|row| ("row", Value::places([row]))),
        column.map(|column| ("column", Value::text(column))),
        set.map(|set| ("set", Value::places([set]))),
        method.as_ref().map(|method| ("method", Value::text(method))),
        table.map(|table| ("of", Value::text(table))),
    ];
    let of_location = of_location.into_iter().flatten().map(|(name, value)| (name.to_owned(), value));
    Value::fields(error.condition()).into_iter().chain(of_location).collect()
}

fn worded(error: Error, fields: Vec<(String, Value)>) -> Value {
    Value::named([
        ("code", Value::text(error.code())),
        ("subject", Value::text(error.kind().to_string())),
        ("message", Value::text(error.map_row(|row| row + 1).sentence())),
        ("fields", Value::List(fields)),
    ])
}

/// What a call finds, or what went wrong, as R has it.
pub fn answer(call: impl FnOnce() -> std::result::Result<Value, RError>) -> Result<Sexp> {
    match stoppable(call)? {
        Ok(value) => value.into_r(),
        Err(RError::Refused(error)) => failed(described(error)).into_r(),
        Err(RError::Column(name, error)) => {
            let mut what = fields(&error);
            what.push(("column".to_owned(), Value::text(name)));
            failed(worded(error, what)).into_r()
        }
        Err(RError::Mistake(mistake)) => Err(mistake),
    }
}
