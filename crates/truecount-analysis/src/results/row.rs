//! What a type of row describes about itself: its columns, its group, and what people see beside it.

use super::Mark;
use super::column::{ResultColumn, ColumnDescription};

/// A row of a table.
pub trait ResultRow: Sync {
    /// The name of a table of such rows.
    const NAME: &'static str;

    /// The columns, in their order.
    fn columns() -> Vec<ResultColumn<Self>>
    where
        Self: Sized;

    /// The index of its group among the keys; `None` if the row belongs to no group.
    fn group(&self) -> Option<usize> {
        None
    }

    /// What people see after it.
    fn mark(&self) -> Mark {
        Mark::None
    }

    /// What a bar beside the table shows for it.
    fn span(&self) -> Option<Span> {
        None
    }
}

/// An estimate, its interval if it has one, and whether a warning belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Between 0 and 1, as are both ends.
    pub estimate: f64,
    /// Lower and upper end.
    pub interval: Option<[f64; 2]>,
    /// Whether it has a warning.
    pub warned: bool,
}

/// The description of the tables of one type of row.
pub struct TableDescription {
    /// Their name.
    pub name: &'static str,
    /// Their columns.
    pub columns: Vec<ColumnDescription>,
}

/// The description of tables of these rows, for the reference.
pub fn describe_table<R: ResultRow>() -> TableDescription {
    TableDescription { name: R::NAME, columns: R::columns().into_iter().map(|column| column.description).collect() }
}
