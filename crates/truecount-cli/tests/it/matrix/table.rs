//! The table of cases, `cases.json`, which Python's tests read too.
//!
//! An entry is one case, or many: `over` gives the values of some fields, of which every combination is a case, and `each` lists what
//! further cases have of their own. Equal cases count once.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub struct Cases {
    pub columns: Vec<String>,
    pub tables: BTreeMap<String, Table>,
    entries: Vec<Map<String, Value>>,
}

/// Rows, or those of another table with other cells.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    pub rows: Vec<String>,
    /// The table whose rows these are.
    #[serde(default)]
    from: String,
    /// What is written after each of its scores, such as `e305`.
    #[serde(default)]
    suffix: String,
    /// By column, the cells that stand for others.
    #[serde(default)]
    cells: BTreeMap<String, BTreeMap<String, String>>,
    /// The table that the model is learnt from.
    #[serde(default)]
    pub model: Option<String>,
    /// Scores from here up are counted by Classify & Count.
    pub cutoff: String,
    /// What is said with its estimates, in which `*` stands for anything; nothing, if there is none.
    #[serde(default)]
    pub warning: Option<String>,
    /// Why nothing can be learnt from this table.
    #[serde(default)]
    pub fit: Option<String>,
    /// Why nothing can be checked with it.
    #[serde(default)]
    pub check: Option<String>,
}

/// One input, and what must come of it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub struct Case {
    pub name: String,

    // What it holds.
    pub table: String,
    /// The columns in their order; what is no column of the table is filled with a note.
    pub columns: Vec<String>,
    /// Other names of columns.
    pub titles: BTreeMap<String, String>,
    /// A cell (row from 1, column) that is written otherwise.
    pub cell: Option<(usize, String, String)>,
    /// All cells of a column that are written otherwise.
    pub cells: BTreeMap<String, BTreeMap<String, String>>,
    /// No table at all, but this text or these bytes.
    pub text: Option<String>,
    pub hex: Option<String>,
    /// Rows of one column up to so many bytes, then an empty line, then more rows.
    pub until: Option<usize>,

    // How that is written.
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
    pub null: Option<(usize, String)>,
    /// The file twice, one after the other.
    pub joined: bool,
    /// So many thousandths of the bytes, from the beginning.
    pub keep: usize,

    // How it is given, and what is asked.
    /// What the file is called; its extension belongs to its format otherwise.
    pub file: Option<String>,
    pub given: Vec<String>,
    pub by: bool,
    pub prob: bool,
    pub weighted: bool,
    pub doors: Vec<String>,

    // What must come of it: the answer of the table, or an error.
    /// How the answer names groups, where that is not as they are written.
    pub found: BTreeMap<String, String>,
    /// The message, in which `*` stands for anything.
    pub error: Option<String>,
    pub code: i32,
    /// Which doors say so; the others answer.
    pub wrong_for: Vec<String>,
    /// The message of `fit`, where it is another.
    pub fit: Option<String>,
    /// Python's code for these values, and `missing` where SQL counts the row as such.
    pub python: Option<String>,
    pub sql: Option<String>,
    /// Why the answer is not yet the expected one.
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
            given: vec![text("file")],
            by: true,
            prob: false,
            weighted: false,
            doors: ["estimate", "tally", "fit", "check"].map(text).to_vec(),
            found: BTreeMap::new(),
            error: None,
            code: 1,
            wrong_for: ["estimate", "tally", "fit", "check"].map(text).to_vec(),
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
            let cell =
                |(column, text): (&String, &str)| match table.cells.get(column).and_then(|others| others.get(text)) {
                    Some(other) => other.clone(),
                    None if column == "score" => format!("{text}{}", table.suffix),
                    None => text.to_owned(),
                };
            let with = |row: &String| cases.columns.iter().zip(row.split(',')).map(cell).collect::<Vec<_>>().join(",");
            table.rows = plain[&table.from].rows.iter().map(with).collect();
        }
        cases
    }

    /// Every case, each once.
    pub fn all(&self) -> Vec<Case> {
        let mut all: Vec<Case> = Vec::new();
        for fields in self.entries.iter().flat_map(expanded) {
            let said = Value::Object(fields.clone()).to_string();
            let case: Case = serde_json::from_value(Value::Object(fields)).unwrap_or_else(|e| panic!("{e}: {said}"));
            let nameless = |case: &Case| Case { name: String::new(), ..case.clone() };
            if all.iter().all(|other| nameless(other) != nameless(&case)) {
                all.push(case);
            }
        }
        all
    }
}

fn expanded(entry: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut base = entry.clone();
    let (over, each) = (base.remove("over"), base.remove("each"));
    let mut cases = vec![base];
    for (field, values) in over.iter().filter_map(Value::as_object).flatten() {
        let fields = |value: &Value| Map::from_iter([(field.clone(), value.clone())]);
        cases = product(&cases, &values.as_array().unwrap().iter().map(fields).collect::<Vec<_>>());
    }
    if let Some(each) = &each {
        let fields = each.as_array().unwrap().iter().map(|own| own.as_object().unwrap().clone());
        cases = product(&cases, &fields.collect::<Vec<_>>());
    }
    cases
}

fn product(cases: &[Map<String, Value>], own: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let with = |case: &Map<String, Value>, own: &Map<String, Value>| {
        let mut fields = case.clone();
        fields.extend(own.clone());
        let name = own.get("name").and_then(Value::as_str).map_or_else(
            || {
                own.iter()
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
    cases.iter().flat_map(|case| own.iter().map(move |own| with(case, own))).collect()
}
