//! Layout of printed tables and p-values.

use crate::asked::size;
use crate::failure::answer;
use crate::value::Value;
use savvy::{Result, Sexp, StringSexp, savvy};
use truecount_analysis::results::{format_p_value, text};

/// Lays out the cells of a table, row by row; the first `left` columns are narrowed if a line would exceed `width`.
#[savvy]
pub fn align_table(header: StringSexp, cells: StringSexp, left: f64, width: f64) -> Result<Sexp> {
    answer(|| {
        let header = header.to_vec();
        let cells = cells.to_vec();
        let rows: Vec<_> = cells.chunks(header.len().max(1)).map(<[_]>::to_vec).collect();
        Ok(Value::texts(text::align(&header, &rows, size(left), size(width))))
    })
}

/// Returns a p-value as tables print it.
#[savvy]
pub fn format_p(p: f64) -> Result<Sexp> {
    answer(|| Ok(Value::text(format_p_value(p))))
}
