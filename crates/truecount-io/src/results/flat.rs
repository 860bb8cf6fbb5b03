//! All tables of a result as one, for forms that have but one: their columns merged, and a first column that names the table
//! where there are several.

use super::column::{Description, Unit};
use super::table::Table;
use super::{Cell, Results};
use crate::groups::Keys;

/// The first column of several tables.
const TABLE: &str = "table";

/// One table of all rows.
pub(super) struct Flat<'r> {
    pub(super) keys: Option<&'r Keys>,
    pub(super) columns: Vec<Description>,
    parts: Vec<Part<'r>>,
    several: bool,
}

/// The rows of one table, with the place of each of the merged columns in it.
pub(super) struct Part<'r> {
    pub(super) table: &'r Table<'r>,
    places: Vec<Option<usize>>,
}

impl<'r> Flat<'r> {
    pub(super) fn new(results: &'r Results<'_>) -> Self {
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

    /// The names of the columns behind those of the groups.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let table = self.several.then_some(TABLE);
        table.into_iter().chain(self.columns.iter().map(|column| column.name.as_ref()))
    }

    pub(super) fn is_several(&self) -> bool {
        self.several
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &Part<'r>> {
        self.parts.iter()
    }
}

impl Part<'_> {
    /// The value in one of the merged columns.
    pub(super) fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        self.places[column].map_or(Cell::None, |place| self.table.cell(row, &self.table.columns()[place]))
    }
}

/// Adds the columns that are new, each before the next one that is known, and lists and objects not at all.
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
