//! Result tables as Python dicts: columns to compute with, and texts to show.

use crate::error::WarningCache;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::Estimate;
use truecount_analysis::results::{ResultRow, ResultTable};
use truecount_analysis::table_values::{ColumnValues, TableValues, group_values, table_values};

/// Returns the `columns` of `table` by name, without lists and objects, and the texts of `shown`.
///
/// `optional` names the numeric columns that may lack a value, which is NaN. The texts are the
/// `header`, whose first `names` columns are names, the cells of each row (`lines`), and the notes
/// below the table (`explained`).
pub fn result_dict<'py>(py: Python<'py>, table: &ResultTable, shown: &ResultTable) -> PyResult<Bound<'py, PyDict>> {
    let TableValues { columns, optional, header, names, lines, explained } = table_values(table, shown);
    let result = PyDict::new(py);
    result.set_item("columns", column_dict(py, columns)?)?;
    result.set_item("optional", optional)?;
    result.set_item("header", header)?;
    result.set_item("names", names)?;
    result.set_item("lines", lines)?;
    result.set_item("explained", explained)?;
    Ok(result)
}

/// Returns a result table of rows with the `groups` of the rows.
pub fn grouped_result<'py, R: ResultRow>(
    py: Python<'py>,
    rows: &[R],
    (table, shown): (&ResultTable, &ResultTable),
) -> PyResult<Bound<'py, PyDict>> {
    let result = result_dict(py, table, shown)?;
    result.set_item("groups", group_values(rows))?;
    Ok(result)
}

/// Returns the columns by name.
pub fn column_dict<'py>(py: Python<'py>, columns: Vec<(String, ColumnValues)>) -> PyResult<Bound<'py, PyDict>> {
    let (result, mut cache) = (PyDict::new(py), WarningCache::new(py));
    for (name, values) in columns {
        match values {
            ColumnValues::Text(texts) => result.set_item(name, texts)?,
            ColumnValues::Whole(counts) => {
                #[allow(clippy::cast_possible_wrap)] // at most 2^53
                let counts: Vec<i64> = counts.into_iter().map(|count| count as i64).collect();
                result.set_item(name, counts.into_pyarray(py))?;
            }
            ColumnValues::Number(numbers) => result.set_item(name, numbers.into_pyarray(py))?,
            ColumnValues::Flag(flags) => match flags.iter().copied().collect::<Option<Vec<bool>>>() {
                Some(known) => result.set_item(name, known.into_pyarray(py))?,
                None => result.set_item(name, flags)?,
            },
            ColumnValues::Warnings(estimates) => {
                let warnings = |estimate: &Estimate| estimate.warnings.clone();
                let rows = estimates.into_iter().map(|row| cache.get_all(&row.map(warnings).unwrap_or_default()));
                result.set_item(name, rows.collect::<PyResult<Vec<_>>>()?)?;
            }
        }
    }
    Ok(result)
}
