//! Errors of a call, which R code turns into conditions.

use crate::executor::catch_interrupt;
use crate::value::Value;
use savvy::{Result, Sexp};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::AnalysisProblem;
use truecount_analysis::advice::describe_error;
use truecount_analysis::spelling::Interface;

/// The result of a call.
pub type CallResult<T = Value> = std::result::Result<T, RError>;

/// An error of a call.
pub enum RError {
    /// An error of the library about the caller's data or options.
    Library(Error),
    /// An error of the library in a column with this name.
    Column(&'static str, Error),
    /// A mistake in this package.
    Internal(savvy::Error),
}

impl From<Error> for RError {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<AnalysisProblem> for RError {
    fn from(problem: AnalysisProblem) -> Self {
        Self::Library(problem.into())
    }
}

impl From<savvy::Error> for RError {
    fn from(error: savvy::Error) -> Self {
        Self::Internal(error)
    }
}

/// Converts an error for R, where rows and sets count from 1.
pub fn error_value(error: Error) -> Value {
    let fields = fields(&error);
    with_fields(error, fields)
}

fn with_fields(error: Error, fields: Vec<(String, Value)>) -> Value {
    let error = error.renumber_row(|row| row + 1);
    Value::named([
        ("code", Value::text(error.code())),
        ("kind", Value::text(error.kind().to_string())),
        ("message", Value::text(describe_error(&error, Interface::R).line())),
        ("fields", Value::List(fields)),
    ])
}

/// Returns the fields of an error, including those of its location.
fn fields(error: &Error) -> Vec<(String, Value)> {
    let ErrorLocation { row, column, set, method, table, .. } = error.location();
    let column = column.as_ref().filter(|_| error.location().is_value());
    let location = [
        row.map(|row| ("row", Value::indices([row]))),
        column.map(|column| ("column", Value::text(column))),
        set.map(|set| ("set", Value::indices([set]))),
        method.as_ref().map(|method| ("method", Value::text(method))),
        table.map(|table| ("of", Value::text(table))),
    ];
    let location = location.into_iter().flatten().map(|(name, value)| (name.to_owned(), value));
    Value::fields(error.condition()).into_iter().chain(location).collect()
}

/// Runs a call, and converts its result or its error for R.
pub fn respond(call: impl FnOnce() -> CallResult) -> Result<Sexp> {
    let error = match catch_interrupt(call)? {
        Ok(value) => return value.into_r(),
        Err(RError::Library(error)) => error_value(error),
        Err(RError::Column(name, error)) => {
            let mut fields = fields(&error);
            fields.push(("column".to_owned(), Value::text(name)));
            with_fields(error, fields)
        }
        Err(RError::Internal(error)) => return Err(error),
    };
    Value::named([("error", error)]).into_r()
}
