//! Layout of printed tables and p-values.

use crate::error::respond;
use crate::request::to_size;
use crate::value::Value;
use savvy::{Result, Sexp, StringSexp, savvy};
use truecount_analysis::results::{format_p_value, text};

/// Lays out the cells of a table, row by row. The first `left` columns are narrowed if a line would
/// exceed `width`.
#[savvy]
pub fn align_table(header: StringSexp, cells: StringSexp, left: f64, width: f64) -> Result<Sexp> {
    respond(|| {
        let header = header.to_vec();
        let cells = cells.to_vec();
        let rows: Vec<_> = cells.chunks(header.len().max(1)).map(<[_]>::to_vec).collect();
        Ok(Value::texts(text::align(&header, &rows, to_size(left), to_size(width))))
    })
}

/// Returns a p-value as tables print it.
#[savvy]
pub fn format_p(p: f64) -> Result<Sexp> {
    respond(|| Ok(Value::text(format_p_value(p))))
}
