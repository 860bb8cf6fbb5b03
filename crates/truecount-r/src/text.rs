//! How tables and p-values are printed.

use crate::failure::answer;
use crate::value::Value;
use savvy::{Result, Sexp, StringSexp, savvy};
use truecount_analysis::results::{short_p, text};

/// The lines of a table with these cells, row by row, whose first `left` columns are narrowed if lines would be wider than `width`.
#[savvy]
pub fn align_table(header: StringSexp, cells: StringSexp, left: usize, width: usize) -> Result<Sexp> {
    answer(|| {
        let header = header.to_vec();
        let cells = cells.to_vec();
        let rows: Vec<_> = cells.chunks(header.len().max(1)).map(<[_]>::to_vec).collect();
        Ok(Value::texts(text::align(&header, &rows, left, width)))
    })
}

/// A p-value as tables have it.
#[savvy]
pub fn format_p(p: f64) -> Result<Sexp> {
    answer(|| Ok(Value::text(short_p(p))))
}
