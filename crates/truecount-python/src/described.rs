//! Rows of results as Python has them: their columns, as the rows describe them (`truecount_analysis::results`), and the table that people read.

use crate::error::Caveats;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::{ColumnValues, TableValues, table_values};

/// What Python computes with and shows: of the one table the columns by their names, and which of those of numbers may lack a value, NaN; of the
/// other, for people, the headings, how many of these are names, the cells of each row, and what needs an explanation. Lists and objects are left out.
pub fn described<'py>(py: Python<'py>, table: &ResultTable, shown: &ResultTable) -> PyResult<Bound<'py, PyDict>> {
    let TableValues { columns, optional, header, names, lines, explained } = table_values(table, shown);
    let found = PyDict::new(py);
    found.set_item("columns", dict(py, columns)?)?;
    found.set_item("optional", optional)?;
    found.set_item("header", header)?;
    found.set_item("names", names)?;
    found.set_item("lines", lines)?;
    found.set_item("explained", explained)?;
    Ok(found)
}

/// The columns by their names.
pub fn dict<'py>(py: Python<'py>, columns: Vec<(String, ColumnValues)>) -> PyResult<Bound<'py, PyDict>> {
    let (found, mut caveats) = (PyDict::new(py), Caveats::new(py));
    for (name, values) in columns {
        match values {
            ColumnValues::Text(texts) => found.set_item(name, texts)?,
            ColumnValues::Whole(counts) => {
                #[allow(clippy::cast_possible_wrap)] // at most 2^53
                let counts: Vec<i64> = counts.into_iter().map(|count| count as i64).collect();
                found.set_item(name, counts.into_pyarray(py))?;
            }
            ColumnValues::Number(numbers) => found.set_item(name, numbers.into_pyarray(py))?,
            ColumnValues::Flag(flags) => match flags.iter().copied().collect::<Option<Vec<bool>>>() {
                Some(known) => found.set_item(name, known.into_pyarray(py))?,
                None => found.set_item(name, flags)?,
            },
            ColumnValues::Warnings(warnings) => {
                let each = warnings.into_iter().map(|warnings| caveats.all_of(warnings));
                found.set_item(name, each.collect::<PyResult<Vec<_>>>()?)?;
            }
        }
    }
    Ok(found)
}
