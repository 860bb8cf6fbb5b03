//! Result tables as plain values, which the language bindings convert to their own types.

use crate::results::{NumberStyle, ResultCell, ResultRow, ResultTable, Unit};
use truecount::Estimate;

/// A result table as columns of values and as formatted lines.
pub struct TableValues<'t> {
    /// Columns by name.
    pub columns: Vec<(String, ColumnValues<'t>)>,
    /// Names of the numeric columns that may have missing values, which are NaN.
    pub optional: Vec<String>,
    /// Headings of the formatted table.
    pub header: Vec<String>,
    /// Number of leading columns with names of groups.
    pub names: usize,
    /// Formatted cells of each row.
    pub lines: Vec<Vec<String>>,
    /// Notes that explain marks in the table.
    pub explained: Vec<String>,
}

/// The values of a column.
pub enum ColumnValues<'t> {
    /// Names or words.
    Text(Vec<Option<String>>),
    /// Counts.
    Whole(Vec<u64>),
    /// Other numbers; unknown values are NaN, and unlimited values are infinite.
    Number(Vec<f64>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// The warnings of each row; `None` for a suppressed estimate.
    Warnings(Vec<Option<&'t Estimate>>),
}

/// Returns the columns of a table by name, and the names of the numeric columns that may have
/// missing values, which are NaN. Lists and objects are left out.
pub fn column_values<'t>(table: &'t ResultTable) -> (Vec<(String, ColumnValues<'t>)>, Vec<String>) {
    let (mut columns, mut optional) = (Vec::new(), Vec::new());
    for (column, cells) in table.values() {
        let values = match column.unit {
            Unit::Text => ColumnValues::Text(cells.map(text).collect()),
            Unit::Count if !column.optional => ColumnValues::Whole(cells.map(|cell| whole(&cell)).collect()),
            Unit::Count | Unit::Share | Unit::Number | Unit::PValue | Unit::Score => {
                if column.optional {
                    optional.push(column.name.to_string());
                }
                ColumnValues::Number(cells.map(|cell| number(&cell)).collect())
            }
            Unit::Flag => ColumnValues::Flag(cells.map(|cell| flag(&cell)).collect()),
            Unit::Warnings => ColumnValues::Warnings(cells.map(|cell| estimate(&cell)).collect()),
            Unit::Nested => continue,
        };
        columns.push((column.name.to_string(), values));
    }
    (columns, optional)
}

/// Returns the columns of `table` with the formatted lines of `shown`, its form for people.
pub fn table_values<'t>(table: &'t ResultTable, shown: &ResultTable) -> TableValues<'t> {
    let (columns, optional) = column_values(table);
    let readable = shown.readable(NumberStyle::default());
    TableValues {
        columns,
        optional,
        header: readable.header.clone(),
        names: readable.names,
        lines: readable.marked_lines().collect(),
        explained: readable.explanations().collect(),
    }
}

/// Returns the number of each row's group.
pub fn group_values<R: ResultRow>(rows: &[R]) -> Vec<Option<usize>> {
    rows.iter().map(ResultRow::group).collect()
}

fn text(cell: ResultCell) -> Option<String> {
    if let ResultCell::Text(text) = cell { Some(text.into_owned()) } else { None }
}

fn whole(cell: &ResultCell) -> u64 {
    if let ResultCell::Whole(count) = cell { *count } else { 0 }
}

fn number(cell: &ResultCell) -> f64 {
    match cell {
        ResultCell::Number(number) => *number,
        ResultCell::Whole(count) => *count as f64,
        ResultCell::Unlimited => f64::INFINITY,
        _ => f64::NAN,
    }
}

fn flag(cell: &ResultCell) -> Option<bool> {
    if let ResultCell::Flag(flag) = cell { Some(*flag) } else { None }
}

fn estimate<'t>(cell: &ResultCell<'t>) -> Option<&'t Estimate> {
    if let ResultCell::Warnings(estimate) = cell { Some(estimate) } else { None }
}
