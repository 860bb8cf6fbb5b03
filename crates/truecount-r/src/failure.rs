//! What went wrong, for R's face to make a condition of.

use crate::value::Value;
use savvy::{Result, Sexp};
use truecount::{Condition, Error};

/// An error of the library, and where it is; or one of this package alone.
pub enum Failure {
    Library { error: Error, place: Vec<(&'static str, Value)> },
    Mistake(savvy::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library { error, place: Vec::new() }
    }
}

impl From<savvy::Error> for Failure {
    fn from(error: savvy::Error) -> Self {
        Self::Mistake(error)
    }
}

impl Failure {
    fn into_value(self) -> Result<Value> {
        let Self::Library { error, place } = self else {
            let Self::Mistake(mistake) = self else { unreachable!() };
            return Err(mistake);
        };
        Ok(described(&error, place))
    }
}

/// An error as R's face reads it.
pub fn described(error: &Error, place: Vec<(&'static str, Value)>) -> Value {
    let fields = Value::fields(error).into_iter().chain(place.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::named([
        ("code", Value::text(error.code())),
        ("subject", Value::text(error.subject().to_string())),
        ("message", Value::text(error.to_string())),
        ("fields", Value::List(fields.collect())),
    ])
}

/// What is found, or what went wrong, as R has it.
pub fn answer(found: std::result::Result<Value, Failure>) -> Result<Sexp> {
    match found {
        Ok(value) => value.into_r(),
        Err(failure) => Value::named([("failure", failure.into_value()?)]).into_r(),
    }
}
