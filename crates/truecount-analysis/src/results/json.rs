//! JSON: one object with all tables, or one line per row, with all digits. Missing values are null,
//! and so are numbers that JSON cannot represent: infinities and unlimited counts.

use super::table::ResultTable;
use super::{ResultCell, Results};
use crate::groups::{GroupNames, NameValues};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use truecount::Warning;
use truecount::error::Condition;

pub(super) fn write(results: &Results, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &JsonResults(results)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Writes one line per row.
pub(super) fn write_lines(results: &Results, out: &mut impl Write) -> io::Result<()> {
    let named = results.named();
    let several = named.len() > 1;
    for (name, tables) in named {
        for table in tables {
            let rows = JsonRows::new(table, several.then_some(name));
            for row in 0..table.len() {
                serde_json::to_writer(&mut *out, &JsonRow { rows: &rows, row }).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

/// All results, serialised row by row, so that a million groups need no second copy in memory.
struct JsonResults<'r>(&'r Results<'r>);

impl Serialize for JsonResults<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.0.named().iter().try_for_each(|(name, tables)| object.serialize_entry(name, &JsonList(tables)))?;
        self.0.about.iter().try_for_each(|(name, value)| object.serialize_entry(name, value))?;
        object.end()
    }
}

/// All rows of the tables with the same name.
struct JsonList<'r>(&'r [&'r ResultTable<'r>]);

impl Serialize for JsonList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.iter().map(|table| table.len()).sum()))?;
        for table in self.0 {
            let rows = JsonRows::new(table, None);
            (0..table.len()).try_for_each(|row| list.serialize_element(&JsonRow { rows: &rows, row }))?;
        }
        list.end()
    }
}

/// The rows of a table, with the values of its groups and, if every row contains it, the table's name.
struct JsonRows<'r> {
    table: &'r ResultTable<'r>,
    groups: Option<NameValues<'r>>,
    name: Option<&'static str>,
}

impl<'r> JsonRows<'r> {
    fn new(table: &'r ResultTable<'r>, name: Option<&'static str>) -> Self {
        Self { table, groups: table.keys.map(|keys| keys.values()), name }
    }
}

/// One row.
struct JsonRow<'r> {
    rows: &'r JsonRows<'r>,
    row: usize,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        if let Some(name) = self.rows.name {
            object.serialize_entry("table", name)?;
        }
        if self.rows.groups.is_some() {
            object.serialize_entry("group", &JsonGroup(self))?;
        }
        let table = self.rows.table;
        for column in table.columns() {
            object.serialize_entry(&column.description.name, &table.cell(self.row, column))?;
        }
        object.end()
    }
}

/// The group of a row.
struct JsonGroup<'r>(&'r JsonRow<'r>);

impl Serialize for JsonGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let JsonRow { rows: JsonRows { table, groups, .. }, row } = self.0;
        let columns = table.keys.into_iter().flat_map(GroupNames::columns);
        let values = groups.iter().zip(table.group(*row)).flat_map(|(values, group)| values.group_values(group));
        serializer.collect_map(columns.zip(values))
    }
}

impl Serialize for ResultCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None | Self::Unlimited => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(count) => serializer.serialize_u64(*count),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Warnings(estimate) => serializer.collect_seq(estimate.warnings_by_stratum().map(warning)),
            Self::Nested(value) => value.serialize(serializer),
        }
    }
}

/// Returns a warning for programs: its code, severity, stratum, fields and sentence.
fn warning((stratum, warning): (Option<&str>, &Warning)) -> Value {
    let identity = [("code", warning.code().into()), ("severity", warning.severity().to_string().into())];
    let identity = identity.into_iter().chain(stratum.map(|stratum| ("stratum", stratum.into())));
    let fields = warning.fields().into_iter().map(|(name, value)| (name, json!(value)));
    let message = [("message", Value::from(warning.to_string()))];
    let entries = identity.chain(fields).chain(message);
    entries.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
}
