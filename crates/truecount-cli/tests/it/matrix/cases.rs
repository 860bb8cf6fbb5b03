//! The table of cases, `cases.json`, which Python's tests also read.
//!
//! An entry stands for one or more cases: for every combination of the values in `over`, with each
//! set of fields in `each`. Duplicates are removed.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub struct Cases {
    pub columns: Vec<String>,
    pub tables: BTreeMap<String, Table>,
    entries: Vec<Map<String, Value>>,
}

/// A table: its own rows, or the rows of another table with changed cells.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    pub rows: Vec<String>,
    /// The table that the rows are copied from.
    #[serde(default)]
    from: String,
    /// A suffix for each score, such as `e305`.
    #[serde(default)]
    suffix: String,
    /// Replacements of cells, by column.
    #[serde(default)]
    cells: BTreeMap<String, BTreeMap<String, String>>,
    /// The table that the model is fitted to; `None` for this table.
    #[serde(default)]
    pub model: Option<String>,
    /// The cutoff of Classify & Count.
    pub cutoff: String,
    /// The expected warnings of `estimate`, in which `*` stands for any text.
    #[serde(default)]
    pub warning: Option<String>,
    /// The expected error of `fit`, if any.
    #[serde(default)]
    pub fit: Option<String>,
    /// The expected error of `check`, if any.
    #[serde(default)]
    pub check: Option<String>,
}

/// One input with its expected outcome.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub struct Case {
    pub name: String,

    // The content.
    pub table: String,
    /// The columns in their order; columns that the table does not have are filled with "note".
    pub columns: Vec<String>,
    /// New names of columns.
    pub titles: BTreeMap<String, String>,
    /// A replaced cell: row (from 1), column, text.
    pub cell: Option<(usize, String, String)>,
    /// Replacements of cells, by column.
    pub cells: BTreeMap<String, BTreeMap<String, String>>,
    /// This text instead of the table.
    pub text: Option<String>,
    /// These bytes instead of the table.
    pub hex: Option<String>,
    /// One column whose empty line ends at this byte, with further rows after it, instead of the table.
    pub until: Option<usize>,

    // The encoding.
    pub format: String,
    pub delimiter: String,
    pub ends: String,
    pub mark: bool,
    pub quotes: String,
    pub last: String,
    pub encoding: String,
    pub packing: String,
    pub types: BTreeMap<String, String>,
    pub compression: String,
    /// Rows in a row group or a batch.
    pub parts: usize,
    /// A null: row (from 1), column.
    pub null: Option<(usize, String)>,
    /// Whether the file's content is written twice, one after the other.
    pub joined: bool,
    /// The number of thousandths of the bytes that are kept, from the beginning.
    pub keep: usize,

    // The command line.
    /// The name of the file; by default its extension fits the format.
    pub file: Option<String>,
    /// How each input is passed, such as `file`, `-` or `fifo`.
    #[serde(rename = "given")]
    pub inputs: Vec<String>,
    pub by: bool,
    pub prob: bool,
    pub weighted: bool,
    pub commands: Vec<String>,

    // The expected outcome: the answer for the table, or an error.
    /// Names of groups in the output that differ from those in the input.
    pub output_groups: BTreeMap<String, String>,
    /// The expected note about how the input is read, in which `*` stands for any text.
    pub note: Option<String>,
    /// The expected error, in which `*` stands for any text.
    pub error: Option<String>,
    pub code: i32,
    /// The commands that fail with the error; the others succeed.
    pub fails_in: Vec<String>,
    /// The error of `fit`, if it differs.
    pub fit: Option<String>,
    /// Python's error code for these values.
    pub python: Option<String>,
    /// `missing` if SQL counts the row as missing.
    pub sql: Option<String>,
    /// The reason for which the case does not pass yet.
    pub pending: Option<String>,
}

impl Default for Case {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            name: String::new(),
            table: text("plain"),
            columns: Vec::new(),
            titles: BTreeMap::new(),
            cell: None,
            cells: BTreeMap::new(),
            text: None,
            hex: None,
            until: None,
            format: text("text"),
            delimiter: text(","),
            ends: text("\n"),
            mark: false,
            quotes: text("needed"),
            last: text("newline"),
            encoding: text("utf-8"),
            packing: text("none"),
            types: BTreeMap::new(),
            compression: text("none"),
            parts: 1000,
            null: None,
            joined: false,
            keep: 1000,
            file: None,
            inputs: vec![text("file")],
            by: true,
            prob: false,
            weighted: false,
            commands: ["estimate", "tally", "fit", "check"].map(text).to_vec(),
            output_groups: BTreeMap::new(),
            note: None,
            error: None,
            code: 1,
            fails_in: ["estimate", "tally", "fit", "check"].map(text).to_vec(),
            fit: None,
            python: None,
            sql: None,
            pending: None,
        }
    }
}

impl Cases {
    pub fn read() -> Self {
        let mut cases: Self = serde_json::from_str(include_str!("cases.json")).unwrap();
        let plain = cases.tables.clone();
        for table in cases.tables.values_mut().filter(|table| !table.from.is_empty()) {
            let cell = |(column, text): (&String, &str)| match table.cells.get(column).and_then(|texts| texts.get(text))
            {
                Some(replacement) => replacement.clone(),
                None if column == "score" => format!("{text}{}", table.suffix),
                None => text.to_owned(),
            };
            let row = |row: &String| cases.columns.iter().zip(row.split(',')).map(cell).collect::<Vec<_>>().join(",");
            table.rows = plain[&table.from].rows.iter().map(row).collect();
        }
        cases
    }

    /// Returns the name of the table that a case's model is fitted to.
    pub fn model_table<'a>(&'a self, case: &'a Case) -> &'a String {
        self.tables[&case.table].model.as_ref().unwrap_or(&case.table)
    }

    /// Returns all cases, without duplicates.
    pub fn all(&self) -> Vec<Case> {
        let mut all: Vec<Case> = Vec::new();
        for fields in self.entries.iter().flat_map(expand) {
            let json = Value::Object(fields.clone()).to_string();
            let case: Case = serde_json::from_value(Value::Object(fields)).unwrap_or_else(|e| panic!("{e}: {json}"));
            let nameless = |case: &Case| Case { name: String::new(), ..case.clone() };
            if all.iter().all(|other| nameless(other) != nameless(&case)) {
                all.push(case);
            }
        }
        all
    }
}

fn expand(entry: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut base = entry.clone();
    let (over, each) = (base.remove("over"), base.remove("each"));
    let mut cases = vec![base];
    for (field, values) in over.iter().filter_map(Value::as_object).flatten() {
        let fields = |value: &Value| Map::from_iter([(field.clone(), value.clone())]);
        cases = product(&cases, &values.as_array().unwrap().iter().map(fields).collect::<Vec<_>>());
    }
    if let Some(each) = &each {
        let fields = each.as_array().unwrap().iter().map(|fields| fields.as_object().unwrap().clone());
        cases = product(&cases, &fields.collect::<Vec<_>>());
    }
    cases
}

/// Returns every case combined with every set of additional fields.
fn product(cases: &[Map<String, Value>], additions: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let combine = |case: &Map<String, Value>, addition: &Map<String, Value>| {
        let mut fields = case.clone();
        fields.extend(addition.clone());
        let name = addition.get("name").and_then(Value::as_str).map_or_else(
            || {
                addition
                    .iter()
                    .filter(|(field, _)| *field != "error")
                    .map(|(field, value)| format!("{field} {value}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            },
            str::to_owned,
        );
        fields.insert("name".to_owned(), format!("{}; {name}", case["name"].as_str().unwrap()).into());
        fields
    };
    cases.iter().flat_map(|case| additions.iter().map(move |addition| combine(case, addition))).collect()
}
