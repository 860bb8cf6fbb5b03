//! What a kind of row says of itself: its columns, its group, and what people see beside it.

use super::column::{Column, Description};

/// What a row of a table is.
pub trait Row: Sync {
    /// What the table of such rows is called.
    const NAME: &'static str;

    /// The columns, in their order.
    fn columns() -> Vec<Column<Self>>
    where
        Self: Sized;

    /// The place of its group among the keys; none where the row is of no group.
    fn group(&self) -> Option<usize> {
        None
    }

    /// Whether people see a star behind it.
    fn is_starred(&self) -> bool {
        false
    }

    /// What a bar beside the table shows of it.
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
    /// Whether something is to be known of it.
    pub warned: bool,
}

/// What tables of one kind of row are.
pub struct Described {
    /// What they are called.
    pub name: &'static str,
    /// Their columns.
    pub columns: Vec<Description>,
}

/// Tables of these rows, for the reference.
pub fn described<R: Row>() -> Described {
    Described { name: R::NAME, columns: R::columns().into_iter().map(|column| column.description).collect() }
}
