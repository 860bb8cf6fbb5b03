//! All tables of a result merged into one, for formats that can contain only one. If there are
//! several tables, the first column names the table of each row.

use super::column::{ColumnDescription, Unit};
use super::table::ResultTable;
use super::{ResultCell, Results};
use crate::groups::GroupNames;

/// The name of the first column.
const TABLE: &str = "table";

/// All tables merged into one.
pub struct FlatTable<'r> {
    /// The names of the groups, if any table has groups.
    pub keys: Option<&'r dyn GroupNames>,
    /// The merged columns.
    pub columns: Vec<ColumnDescription>,
    parts: Vec<MergedTable<'r>>,
    several: bool,
}

/// The rows of a table, with the index of each merged column among its columns.
pub struct MergedTable<'r> {
    /// The table.
    pub table: &'r ResultTable<'r>,
    /// Whether the table has each of the merged grouping columns.
    pub has_key: Vec<bool>,
    column_indices: Vec<Option<usize>>,
}

impl<'r> FlatTable<'r> {
    /// Merges the tables that programs read.
    pub fn new(results: &'r Results<'_>) -> Self {
        let named = results.named();
        let several = named.len() > 1;
        let tables: Vec<&ResultTable> = named.into_iter().flat_map(|(_, tables)| tables).collect();
        let mut columns: Vec<ColumnDescription> = Vec::new();
        for table in &tables {
            merge(&mut columns, table);
        }
        let keys = tables.iter().find_map(|table| table.keys);
        let part = |table: &'r ResultTable<'r>| {
            let own_keys: Vec<&str> = table.keys.into_iter().flat_map(GroupNames::columns).collect();
            let has_key = keys.into_iter().flat_map(GroupNames::columns).map(|key| own_keys.contains(&key)).collect();
            let index = |column: &ColumnDescription| table.descriptions().position(|own| own.name == column.name);
            MergedTable { table, has_key, column_indices: columns.iter().map(index).collect() }
        };
        let parts = tables.iter().copied().map(part).collect();
        Self { keys, columns, parts, several }
    }

    /// Returns the names of the columns after the grouping columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let table = self.several.then_some(TABLE);
        table.into_iter().chain(self.columns.iter().map(|column| column.name.as_ref()))
    }

    /// Returns whether there are several tables, so that each row names its table.
    pub fn is_several(&self) -> bool {
        self.several
    }

    /// Returns the tables one after another.
    pub fn parts(&self) -> impl Iterator<Item = &MergedTable<'r>> {
        self.parts.iter()
    }
}

impl MergedTable<'_> {
    /// Returns the value of a row in a merged column.
    pub fn cell(&self, row: usize, column: usize) -> ResultCell<'_> {
        self.column_indices[column].map_or(ResultCell::None, |index| self.table.cell(row, &self.table.columns()[index]))
    }
}

/// Adds a table's new columns, each before the table's next column that is already present. Lists
/// and objects are left out.
fn merge(columns: &mut Vec<ColumnDescription>, table: &ResultTable) {
    let own: Vec<&ColumnDescription> = table.descriptions().filter(|column| column.unit != Unit::Nested).collect();
    let mut before = columns.len();
    for column in own.into_iter().rev() {
        match columns.iter().position(|known| known.name == column.name) {
            Some(index) => before = index,
            None => columns.insert(before, column.clone()),
        }
    }
}
