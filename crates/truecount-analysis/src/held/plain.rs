//! Tables as values that any language can take: columns to compute with, and lines to read.

use crate::results::{Cell, Row, Table, Unit};
use truecount::Warning;

/// A table taken apart.
pub struct Plain<'t> {
    /// The columns, by their names.
    pub columns: Vec<(String, Values<'t>)>,
    /// Which of those of numbers may lack a value, which is NaN.
    pub optional: Vec<String>,
    /// For people: the headings.
    pub header: Vec<String>,
    /// How many of these are of names.
    pub names: usize,
    /// The cells of each row.
    pub lines: Vec<Vec<String>>,
    /// What needs an explanation.
    pub explained: Vec<String>,
}

/// The values of a column.
pub enum Values<'t> {
    /// Names or words.
    Text(Vec<Option<String>>),
    /// Counts.
    Whole(Vec<u64>),
    /// Any other numbers: what is not known is NaN, and what has no end is infinite.
    Number(Vec<f64>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Warnings, which many rows may share.
    Warnings(Vec<&'t [Warning]>),
}

/// The columns of a table by their names, and which of those of numbers may lack a value, which is NaN. Lists and objects are left out.
pub fn columns<'t>(table: &'t Table) -> (Vec<(String, Values<'t>)>, Vec<String>) {
    let (mut columns, mut optional) = (Vec::new(), Vec::new());
    for (column, cells) in table.values() {
        let values = match column.unit {
            Unit::Text => Values::Text(cells.map(text).collect()),
            Unit::Count if !column.optional => Values::Whole(cells.map(|cell| whole(&cell)).collect()),
            Unit::Count | Unit::Share | Unit::Number | Unit::PValue | Unit::Score => {
                if column.optional {
                    optional.push(column.name.to_string());
                }
                Values::Number(cells.map(|cell| number(&cell)).collect())
            }
            Unit::Flag => Values::Flag(cells.map(|cell| flag(&cell)).collect()),
            Unit::Warnings => Values::Warnings(cells.map(|cell| warnings(&cell)).collect()),
            Unit::Nested => continue,
        };
        columns.push((column.name.to_string(), values));
    }
    (columns, optional)
}

/// Of the one table its columns; of the other, for people, the lines.
pub fn plain<'t>(table: &'t Table, shown: &Table) -> Plain<'t> {
    let (columns, optional) = columns(table);
    let readable = shown.readable();
    Plain {
        columns,
        optional,
        header: readable.header.clone(),
        names: readable.names,
        lines: readable.marked_lines().collect(),
        explained: readable.explained().collect(),
    }
}

/// The number of the group of each row.
pub fn groups<R: Row>(rows: &[R]) -> Vec<Option<usize>> {
    rows.iter().map(Row::group).collect()
}

fn text(cell: Cell) -> Option<String> {
    if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None }
}

fn whole(cell: &Cell) -> u64 {
    if let Cell::Whole(count) = cell { *count } else { 0 }
}

fn number(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(number) => *number,
        Cell::Whole(count) => *count as f64,
        Cell::Unlimited => f64::INFINITY,
        _ => f64::NAN,
    }
}

fn flag(cell: &Cell) -> Option<bool> {
    if let Cell::Flag(flag) = cell { Some(*flag) } else { None }
}

fn warnings<'t>(cell: &Cell<'t>) -> &'t [Warning] {
    if let Cell::Warnings(warnings) = cell { warnings } else { &[] }
}
