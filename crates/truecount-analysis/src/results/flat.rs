//! All tables of a result merged into one, for forms that can hold only one: their columns are merged, and if there are
//! several tables, a first column names the table of each row.

use super::column::{Description, Unit};
use super::table::Table;
use super::{Cell, Results};
use crate::groups::GroupNames;

/// The name of that first column.
const TABLE: &str = "table";

/// One table of all rows.
pub struct Flat<'r> {
    /// The names of the groups, if any table has groups.
    pub keys: Option<&'r dyn GroupNames>,
    /// The merged columns.
    pub columns: Vec<Description>,
    parts: Vec<Part<'r>>,
    several: bool,
}

/// The rows of one table, and where in it each merged column is found.
pub struct Part<'r> {
    /// The table.
    pub table: &'r Table<'r>,
    places: Vec<Option<usize>>,
}

impl<'r> Flat<'r> {
    /// Merges the tables that programs read.
    pub fn new(results: &'r Results<'_>) -> Self {
        let named = results.named();
        let several = named.len() > 1;
        let tables: Vec<&Table> = named.into_iter().flat_map(|(_, tables)| tables).collect();
        let mut columns: Vec<Description> = Vec::new();
        for table in &tables {
            merge(&mut columns, table);
        }
        let place = |table: &Table, column: &Description| table.descriptions().position(|own| own.name == column.name);
        let part = |table: &'r Table<'r>| {
            let places = columns.iter().map(|column| place(table, column)).collect();
            Part { table, places }
        };
        let parts = tables.iter().copied().map(part).collect();
        Self { keys: tables.iter().find_map(|table| table.keys), columns, parts, several }
    }

    /// The names of the columns after the grouping columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let table = self.several.then_some(TABLE);
        table.into_iter().chain(self.columns.iter().map(|column| column.name.as_ref()))
    }

    /// Returns whether there are several tables, so that each row names its own.
    pub fn is_several(&self) -> bool {
        self.several
    }

    /// Returns the tables one after another.
    pub fn parts(&self) -> impl Iterator<Item = &Part<'r>> {
        self.parts.iter()
    }
}

impl Part<'_> {
    /// The value in one of the merged columns.
    pub fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        self.places[column].map_or(Cell::None, |place| self.table.cell(row, &self.table.columns()[place]))
    }
}

/// Adds a table's new columns, each before the next one already there; lists and objects are left out.
fn merge(columns: &mut Vec<Description>, table: &Table) {
    let own: Vec<&Description> = table.descriptions().filter(|column| column.unit != Unit::Nested).collect();
    let mut before = columns.len();
    for column in own.into_iter().rev() {
        match columns.iter().position(|known| known.name == column.name) {
            Some(place) => before = place,
            None => columns.insert(before, column.clone()),
        }
    }
}
