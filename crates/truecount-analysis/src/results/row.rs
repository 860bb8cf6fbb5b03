//! Rows of tables: each type describes its columns, group, mark and bar.

use super::Mark;
use super::cell::{CellValue, ResultCell};
use super::column::{ColumnDescription, ResultColumn, Unit};
use std::borrow::Cow;

/// Defines functions that return a column of numbers or flags for programs only, which
/// [`ResultColumn::heading`] shows to people, too.
macro_rules! column_of {
    ($($name:ident, $unit:ident, $values:literal;)+) => {$(
        #[doc = concat!("Returns a column of ", $values, ", which is optional if its values are.")]
        fn $name<T: CellValue>(
            name: impl Into<Cow<'static, str>>,
            meaning: impl Into<Cow<'static, str>>,
            value: impl Fn(&Self) -> T + Sync + 'static,
        ) -> ResultColumn<Self>
        where
            Self: Sized,
        {
            let column = ResultColumn::new(name, Unit::$unit, meaning, move |row| value(row).into());
            if T::IS_OPTIONAL { column.optional() } else { column }
        }
    )+};
}

/// A row of a table.
pub trait ResultRow: Sync {
    /// The name of a table of such rows.
    const NAME: &'static str;

    /// Columns by which groups can be sorted, which have one value in all rows of a group; `None` for all columns.
    const GROUP_COLUMNS: Option<&'static [&'static str]> = None;

    /// Returns the columns in order.
    fn columns() -> Vec<ResultColumn<Self>>
    where
        Self: Sized;

    /// Returns the index of the row's group; `None` if the row belongs to no group.
    fn group(&self) -> Option<usize> {
        None
    }

    /// Returns the mark that people see after the row.
    fn mark(&self) -> Mark {
        Mark::None
    }

    /// Returns the estimate and interval that a bar next to the table shows for the row.
    fn span(&self) -> Option<Span> {
        None
    }

    /// Returns a column of texts.
    fn text(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        text: impl for<'r> Fn(&'r Self) -> ResultCell<'r> + Sync + 'static,
    ) -> ResultColumn<Self>
    where
        Self: Sized,
    {
        ResultColumn::new(name, Unit::Text, meaning, text)
    }

    column_of! {
        count, Count, "counts";
        share, Share, "shares";
        number, Number, "numbers without a unit";
        p_value, PValue, "p-values";
        score, Score, "scores";
        flag, Flag, "flags";
    }
}

/// An estimate with its interval, as shown by a bar.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The estimate, in [0, 1].
    pub estimate: f64,
    /// The lower and upper ends of the interval, in [0, 1], if there is one.
    pub interval: Option<[f64; 2]>,
    /// Whether the estimate has a warning.
    pub warned: bool,
}

/// The description of the tables of a type of row.
pub struct TableDescription {
    /// The name of the tables.
    pub name: &'static str,
    /// The columns of the tables.
    pub columns: Vec<ColumnDescription>,
}

/// Returns the description of tables of these rows, for the reference.
pub fn describe_table<R: ResultRow>() -> TableDescription {
    TableDescription { name: R::NAME, columns: R::columns().into_iter().map(|column| column.description).collect() }
}
