//! Values of a JSON object by key; keys of nested objects are paths with points (`scores.judge`). A
//! column that an object lacks may be in its object `group`, where results have the columns of groups.

use crate::cells::Cell;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use truecount_analysis::{TableProblem, abridged_list};

/// The key of the object with the columns of groups.
const GROUP: &str = "group";
/// Maximum depth to which nested objects are listed.
const DEPTH: usize = 8;

/// An error in an object.
pub enum ObjectProblem {
    /// The value is not an object, for this reason.
    NotAnObject(String),
    /// The object has this column more than once.
    DuplicateColumn(String),
}

impl From<ObjectProblem> for TableProblem {
    fn from(problem: ObjectProblem) -> Self {
        match problem {
            ObjectProblem::NotAnObject(reason) => Self::RowNotObject { reason },
            ObjectProblem::DuplicateColumn(column) => Self::ColumnAmbiguous { column },
        }
    }
}

/// Stores the values of these columns; values of missing columns stay as they are.
pub fn values<'a, C: AsRef<str>>(
    object: &'a [u8],
    columns: &[C],
    slots: &mut [Option<&'a RawValue>],
) -> Result<(), ObjectProblem> {
    let (mut problem, mut group) = (None, None);
    entries(object, |key, value| {
        group = group.or(Some(value).filter(|_| key == GROUP && is_object(value)));
        for (column, slot) in columns.iter().zip(&mut *slots) {
            let column = column.as_ref();
            let Some(rest) = column.strip_prefix(&*key) else { continue };
            let result = if rest.is_empty() {
                slot.replace(value).map_or(Ok(()), |_| Err(ObjectProblem::DuplicateColumn(column.to_owned())))
            } else if let Some(rest) = rest.strip_prefix('.').filter(|_| is_object(value)) {
                let nested = values(value.get().as_bytes(), &[rest], std::slice::from_mut(slot));
                nested.map_err(|problem| match problem {
                    ObjectProblem::DuplicateColumn(_) => ObjectProblem::DuplicateColumn(column.to_owned()),
                    problem @ ObjectProblem::NotAnObject(_) => problem,
                })
            } else {
                Ok(())
            };
            problem = problem.take().or(result.err());
        }
    })
    .map_err(|e| ObjectProblem::NotAnObject(reason(&e)))?;
    let Some(group) = group else { return problem.map_or(Ok(()), Err) };
    for (column, slot) in columns.iter().zip(slots).filter(|(_, slot)| slot.is_none()) {
        values(group.get().as_bytes(), std::slice::from_ref(column), std::slice::from_mut(slot))?;
    }
    problem.map_or(Ok(()), Err)
}

/// Returns the paths of all values.
pub fn paths(object: &[u8]) -> Vec<String> {
    let mut paths = Vec::new();
    add_paths(object, "", DEPTH, &mut paths);
    paths
}

fn add_paths(object: &[u8], prefix: &str, depth: usize, paths: &mut Vec<String>) {
    // Malformed objects have no further paths.
    let _ = entries(object, |key, value| {
        let path = format!("{prefix}{key}");
        if depth > 0 && is_object(value) {
            add_paths(value.get().as_bytes(), &format!("{path}."), depth - 1, paths);
        } else {
            paths.push(path);
        }
    });
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// Converts a value of this column to a cell.
pub fn cell<'a>(column: &str, value: Option<&'a RawValue>) -> Cell<'a> {
    let Some(value) = value.map(RawValue::get) else { return Cell::Absent };
    match value.as_bytes() {
        [b'n', ..] => Cell::Null,
        [b't', ..] => Cell::Truth(true),
        [b'f', ..] => Cell::Truth(false),
        [b'"', ..] => serde_json::from_str(value).map_or_else(
            |_| Cell::Other("a text with an invalid escape (an unpaired surrogate)".to_owned()),
            |JsonText(text)| Cell::Text(text),
        ),
        [b'[', ..] => Cell::Other("a list".to_owned()),
        [b'{', ..] => {
            let nested = paths(value.as_bytes());
            Cell::Other(match nested.first().map(String::as_str) {
                None => "an object, with nothing".to_owned(),
                Some("0") => "an object with a key for each row (write one object per row, as pandas does with \
                              orient=\"records\", lines=True)"
                    .to_owned(),
                Some(_) => {
                    format!("an object, with {}", abridged_list(nested.iter().map(|path| format!("'{column}.{path}'"))))
                }
            })
        }
        _ => Cell::Number(value.into()),
    }
}

/// Calls a function with every key of an object and its raw value.
fn entries<'a>(object: &'a [u8], each: impl FnMut(Cow<'a, str>, &'a RawValue)) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_slice(object);
    json.deserialize_map(Entries(each))?;
    json.end()
}

struct Entries<F>(F);

impl<'a, F: FnMut(Cow<'a, str>, &'a RawValue)> Visitor<'a> for Entries<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object in braces")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((JsonText(key), value)) = map.next_entry()? {
            self.0(key, value);
        }
        Ok(())
    }
}

/// A string, copied only if it has escapes.
#[derive(Deserialize)]
struct JsonText<'a>(#[serde(borrow)] Cow<'a, str>);

/// Returns the message of a JSON error with the position in the line.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    format!("{message}, at character {}", error.column())
}
