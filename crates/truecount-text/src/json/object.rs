//! One object of JSON: the values of its keys, and of the keys of objects within it by a path with points (`scores.judge`).

use crate::cells::Cell;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use truecount_analysis::TableProblem;

/// Objects within objects are listed so deep.
const DEPTH: usize = 8;

/// What is wrong with an object.
pub enum Wrong {
    /// It is none.
    NoObject(String),
    /// A column is there more than once.
    Twice(String),
}

impl From<Wrong> for TableProblem {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::NoObject(reason) => Self::NotAnObject { reason },
            Wrong::Twice(column) => Self::ColumnAmbiguous { column },
        }
    }
}

/// Finds these columns.
pub fn values<'a, C: AsRef<str>>(
    object: &'a [u8],
    columns: &[C],
    found: &mut [Option<&'a RawValue>],
) -> Result<(), Wrong> {
    let mut wrong = None;
    entries(object, |key, value| {
        for (column, found) in columns.iter().zip(&mut *found) {
            let column = column.as_ref();
            let Some(rest) = column.strip_prefix(&*key) else { continue };
            let within = if rest.is_empty() {
                found.replace(value).map_or(Ok(()), |_| Err(Wrong::Twice(column.to_owned())))
            } else if let Some(rest) = rest.strip_prefix('.').filter(|_| is_object(value)) {
                values(value.get().as_bytes(), &[rest], std::slice::from_mut(found)).map_err(|wrong| match wrong {
                    Wrong::Twice(_) => Wrong::Twice(column.to_owned()),
                    none @ Wrong::NoObject(_) => none,
                })
            } else {
                Ok(())
            };
            wrong = wrong.take().or(within.err());
        }
    })
    .map_err(|e| Wrong::NoObject(reason(&e)))?;
    wrong.map_or(Ok(()), Err)
}

/// The paths of all values.
pub fn paths(object: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    add_paths(object, "", DEPTH, &mut found);
    found
}

fn add_paths(object: &[u8], before: &str, depth: usize, found: &mut Vec<String>) {
    // What is no object, or its rest, has none.
    let _ = entries(object, |key, value| {
        let path = format!("{before}{key}");
        if depth > 0 && is_object(value) {
            add_paths(value.get().as_bytes(), &format!("{path}."), depth - 1, found);
        } else {
            found.push(path);
        }
    });
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// What a value is, of a column.
pub fn cell<'a>(column: &str, value: Option<&'a RawValue>) -> Cell<'a> {
    let Some(value) = value.map(RawValue::get) else { return Cell::Absent };
    match value.as_bytes() {
        [b'n', ..] => Cell::Null,
        [b't', ..] => Cell::Truth(true),
        [b'f', ..] => Cell::Truth(false),
        [b'"', ..] => serde_json::from_str(value)
            .map_or_else(|_| Cell::Other("a text with half a character".to_owned()), |JsonText(text)| Cell::Text(text)),
        [b'[', ..] => Cell::Other("a list".to_owned()),
        [b'{', ..] => {
            let within: Vec<String> =
                paths(value.as_bytes()).into_iter().map(|path| format!("'{column}.{path}'")).collect();
            Cell::Other(format!(
                "an object, with {}",
                if within.is_empty() { "nothing".to_owned() } else { within.join(", ") }
            ))
        }
        _ => Cell::Number(value.into()),
    }
}

/// Calls this with every key of an object and its value as it is written.
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

/// A text, copied only where it is written with escapes.
struct JsonText<'a>(Cow<'a, str>);

impl<'a> Deserialize<'a> for JsonText<'a> {
    fn deserialize<D: Deserializer<'a>>(json: D) -> Result<Self, D::Error> {
        struct JsonDocument;
        impl<'a> Visitor<'a> for JsonDocument {
            type Value = JsonText<'a>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'a str) -> Result<JsonText<'a>, E> {
                Ok(JsonText(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<JsonText<'a>, E> {
                Ok(JsonText(Cow::Owned(text.to_owned())))
            }
        }
        json.deserialize_str(JsonDocument)
    }
}

/// Why it is no object, and how far into it.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    format!("{what}, at character {}", error.column())
}
