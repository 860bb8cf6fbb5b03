//! The names of methods, families and other choices.

use crate::error::respond;
use crate::value::Value;
use savvy::{Result, Sexp, savvy};
use truecount_analysis::options::names;

/// Returns the names in a table, with a description of each.
#[savvy]
pub fn name_table(table: &str) -> Result<Sexp> {
    respond(|| {
        let rows = names(table).ok_or_else(|| savvy::Error::new("there is no such table of names"))?;
        let (names, descriptions): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        Ok(Value::named([("name", Value::texts(names)), ("what", Value::texts(descriptions))]))
    })
}
