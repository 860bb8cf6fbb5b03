//! Rows of results as Python has them: their columns, as the rows describe them (`truecount_io::results`), and the table that people read.

use crate::error::Caveats;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use truecount_io::results::{Cell, Line, Mark, Row, Table, Unit};

/// What Python computes with and shows: of the one table the columns by their names, and which of those of numbers may lack a value, NaN; of the
/// other, for people, the headings, how many of these are names, the cells of each row, and what needs an explanation. Lists and objects are left out.
pub fn described<'py>(py: Python<'py>, table: &Table, shown: &Table) -> PyResult<Bound<'py, PyDict>> {
    let (columns, mut caveats) = (PyDict::new(py), Caveats::new(py));
    let mut optional = Vec::new();
    for (column, cells) in table.values() {
        let name = column.name.as_ref();
        match column.unit {
            Unit::Text => columns.set_item(name, cells.map(text).collect::<Vec<_>>())?,
            Unit::Count if !column.optional => {
                columns.set_item(name, cells.map(|cell| whole(&cell)).collect::<Vec<_>>().into_pyarray(py))?;
            }
            Unit::Count | Unit::Share | Unit::Number | Unit::PValue | Unit::Score => {
                if column.optional {
                    optional.push(name.to_owned());
                }
                columns.set_item(name, cells.map(|cell| number(&cell)).collect::<Vec<_>>().into_pyarray(py))?;
            }
            Unit::Flag => {
                let flags: Vec<Option<bool>> = cells.map(|cell| flag(&cell)).collect();
                match flags.iter().copied().collect::<Option<Vec<bool>>>() {
                    Some(known) => columns.set_item(name, known.into_pyarray(py))?,
                    None => columns.set_item(name, flags)?,
                }
            }
            Unit::Warnings => {
                let mut of = |cell: Cell| match cell {
                    Cell::Warnings(warnings) => {
                        let each = warnings.iter().map(|warning| caveats.of(warning)).collect::<PyResult<Vec<_>>>()?;
                        PyTuple::new(py, each)
                    }
                    _ => Ok(PyTuple::empty(py)),
                };
                columns.set_item(name, cells.map(&mut of).collect::<PyResult<Vec<_>>>()?)?;
            }
            Unit::Nested => {}
        }
    }
    let found = PyDict::new(py);
    found.set_item("columns", columns)?;
    found.set_item("optional", optional)?;
    let readable = shown.readable();
    let marked = |line: Line| {
        let mark = readable.marked.then(|| line.mark.text().to_owned());
        line.cells.into_iter().chain(mark).collect::<Vec<_>>()
    };
    let mark = readable.marked.then(|| Mark::None.text().to_owned());
    found.set_item("header", readable.header.iter().cloned().chain(mark).collect::<Vec<_>>())?;
    found.set_item("names", readable.names)?;
    found.set_item("lines", readable.lines().map(marked).collect::<Vec<_>>())?;
    found.set_item("explained", readable.explained().collect::<Vec<_>>())?;
    Ok(found)
}

/// The number of the group of each row.
pub fn groups<R: Row>(rows: &[R]) -> Vec<Option<usize>> {
    rows.iter().map(Row::group).collect()
}

fn text(cell: Cell) -> Option<String> {
    if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None }
}

#[allow(clippy::cast_possible_wrap)] // at most 2^53
fn whole(cell: &Cell) -> i64 {
    if let Cell::Whole(count) = cell { *count as i64 } else { 0 }
}

/// What is not known is NaN, and what has no end is infinite.
#[allow(clippy::cast_precision_loss)] // at most 2^53
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
