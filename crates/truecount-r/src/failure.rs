//! What went wrong, for R's face to make a condition of.

use crate::executor::stoppable;
use crate::value::Value;
use savvy::{Result, Sexp};
use truecount::{Condition, Error, Refusal};
use truecount_analysis::held::{Failure as Held, Place, Refused, Tested};

/// What was refused, of what is there; or a mistake in this package.
pub enum Failure {
    Refused(Box<Refused>, Place),
    /// The same of a column that the caller has named.
    Column(&'static str, Box<Refused>, Place),
    Mistake(savvy::Error),
}

impl From<Held> for Failure {
    fn from(failure: Held) -> Self {
        match failure {
            Held::Refused(refused, place) => Self::Refused(refused, place),
            Held::Interrupted => unreachable!("who is stopped here unwinds"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Held::from(error).into()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Held::from(refusal).into()
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Held::from(refused).into()
    }
}

impl From<savvy::Error> for Failure {
    fn from(error: savvy::Error) -> Self {
        Self::Mistake(error)
    }
}

/// An error as R's face reads it: rows and sets are counted from 1.
pub fn described(refused: Refused, place: Place) -> Value {
    let refused = refused.from_one();
    worded(&refused, fields(&refused, place))
}

fn failed(what: Value) -> Value {
    Value::named([("failure", what)])
}

fn fields(refused: &Refused, place: Place) -> Vec<(String, Value)> {
    let mut fields = Value::fields(refused);
    fields.extend(refused.cell().map(|(column, _)| ("column".to_owned(), Value::text(column))));
    fields.extend(match place {
        Place::Whole => None,
        Place::Set(set) => Some(("set".to_owned(), Value::places([set]))),
        Place::Row(row) => Some(("row".to_owned(), Value::places([row]))),
        Place::Method(method) => Some(("method".to_owned(), Value::text(method.to_string()))),
        Place::Columns(of) => {
            Some(("of".to_owned(), Value::text(if of == Tested::Audited { "audited" } else { "target" })))
        }
    });
    fields
}

fn worded(refused: &Refused, fields: Vec<(String, Value)>) -> Value {
    Value::named([
        ("code", Value::text(refused.code())),
        ("subject", Value::text(refused.subject().to_string())),
        ("message", Value::text(refused.to_string())),
        ("fields", Value::List(fields)),
    ])
}

/// What a call finds, or what went wrong, as R has it.
pub fn answer(call: impl FnOnce() -> std::result::Result<Value, Failure>) -> Result<Sexp> {
    match stoppable(call)? {
        Ok(value) => value.into_r(),
        Err(Failure::Refused(refused, place)) => failed(described(*refused, place)).into_r(),
        Err(Failure::Column(name, refused, place)) => {
            let mut what = fields(&refused, place);
            what.push(("column".to_owned(), Value::text(name)));
            failed(worded(&refused, what)).into_r()
        }
        Err(Failure::Mistake(mistake)) => Err(mistake),
    }
}
