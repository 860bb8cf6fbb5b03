//! The choices that have names.

use crate::failure::answer;
use crate::value::Value;
use savvy::{Result, Sexp, savvy};
use truecount_analysis::held::names;

/// The names of a table, and what each is.
#[savvy]
pub fn names_of(table: &str) -> Result<Sexp> {
    answer(|| {
        let found = names(table).ok_or_else(|| savvy::Error::new("there is no such table of names"))?;
        let (names, whats): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        Ok(Value::named([("name", Value::texts(names)), ("what", Value::texts(whats))]))
    })
}
