//! Tables: rows of one type, with their groups and columns.

use super::Mark;
use super::cell::ResultCell;
use super::column::{CellFormat, CellOf, ColumnDescription, ResultColumn};
use super::row::{ResultRow, Span};
use crate::groups::GroupNames;
use std::borrow::Cow;

/// A table of rows of one type.
pub struct ResultTable<'a> {
    name: &'static str,
    title: Vec<String>,
    pub(super) audience: Audience,
    star: Cow<'static, str>,
    /// The indices of the selected rows; `None` if all rows are in the table.
    selected: Option<Vec<usize>>,
    /// The names of the groups, if the table has groups.
    pub keys: Option<&'a dyn GroupNames>,
    columns: Vec<TableColumn>,
    rows: Box<dyn RowSource + 'a>,
}

/// The audience of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    All,
    People,
    Programs,
}

/// A column as used by a table.
pub(super) struct TableColumn {
    pub(super) description: ColumnDescription,
    pub(super) heading: Option<Cow<'static, str>>,
    pub(super) format: CellFormat,
    pub(super) explained: bool,
    /// Whether the value is hidden from people in rows with a mark.
    pub(super) blank_where_marked: bool,
    /// The index of the column's function in [`TypedRows::cells`].
    index: usize,
}

/// Rows of any type.
trait RowSource: Sync {
    fn len(&self) -> usize;
    fn cell(&self, row: usize, column: usize) -> ResultCell<'_>;
    fn row(&self, row: usize) -> &dyn AnyRow;
}

/// The properties of a row of any type.
trait AnyRow {
    fn group(&self) -> Option<usize>;
    fn mark(&self) -> Mark;
    fn span(&self) -> Option<Span>;
}

/// Rows of one type, with the functions that return their values.
struct TypedRows<'a, R> {
    rows: &'a [R],
    cells: Vec<CellOf<R>>,
}

impl<R: ResultRow> AnyRow for R {
    fn group(&self) -> Option<usize> {
        ResultRow::group(self)
    }

    fn mark(&self) -> Mark {
        ResultRow::mark(self)
    }

    fn span(&self) -> Option<Span> {
        ResultRow::span(self)
    }
}

impl<R: ResultRow> RowSource for TypedRows<'_, R> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> ResultCell<'_> {
        self.cells[column](&self.rows[row])
    }

    fn row(&self, row: usize) -> &dyn AnyRow {
        &self.rows[row]
    }
}

impl<'a> ResultTable<'a> {
    /// Creates a table of these rows, without groups.
    pub fn new<R: ResultRow>(rows: &'a [R]) -> Self {
        let (mut columns, mut cells) = (Vec::new(), Vec::new());
        for (index, column) in R::columns().into_iter().enumerate() {
            let ResultColumn { description, heading, format, explained, cell } = column;
            let blank_where_marked = false;
            columns.push(TableColumn { description, heading, format, explained, blank_where_marked, index });
            cells.push(cell);
        }
        Self {
            name: R::NAME,
            title: Vec::new(),
            audience: Audience::All,
            star: "see the warnings".into(),
            selected: None,
            keys: None,
            columns,
            rows: Box::new(TypedRows { rows, cells }),
        }
    }

    /// Adds the values of the rows' groups.
    #[must_use]
    pub fn with_groups(self, keys: &'a dyn GroupNames) -> Self {
        Self { keys: Some(keys), ..self }
    }

    /// Adds lines above the table, for people.
    #[must_use]
    pub fn titled(self, title: Vec<String>) -> Self {
        Self { title, ..self }
    }

    /// Selects these columns, in this order, as a view for people; programs read the table itself.
    ///
    /// # Panics
    /// Panics if no column has one of these names.
    #[must_use]
    pub fn view(mut self, columns: &[&str]) -> Self {
        self.audience = Audience::People;
        let take = |name: &&str| {
            let index = self.columns.iter().position(|column| column.description.name == *name);
            self.columns.swap_remove(index.unwrap_or_else(|| panic!("there is a column '{name}'")))
        };
        self.columns = columns.iter().map(take).collect();
        self
    }

    /// Restricts the table to people; programs read its rows in other tables.
    #[must_use]
    pub fn for_people(self) -> Self {
        Self { audience: Audience::People, ..self }
    }

    /// Renames the table.
    #[must_use]
    pub fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Restricts the table to programs; people read views of it.
    #[must_use]
    pub fn for_programs(self) -> Self {
        Self { audience: Audience::Programs, ..self }
    }

    /// Keeps only the rows with these indices.
    #[must_use]
    pub fn only(self, rows: Vec<usize>) -> Self {
        Self { selected: Some(rows), ..self }
    }

    /// Sets the explanation of a star after a row.
    #[must_use]
    pub fn star_means(self, meaning: impl Into<Cow<'static, str>>) -> Self {
        Self { star: meaning.into(), ..self }
    }

    /// Removes a column.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.columns.retain(|column| column.description.name != name);
        self
    }

    /// Hides a column from people.
    #[must_use]
    pub fn hidden(mut self, name: &str) -> Self {
        self.column(name).heading = None;
        self
    }

    /// Hides the values of a column from people in rows with a mark.
    #[must_use]
    pub fn blank_where_marked(mut self, name: &str) -> Self {
        self.column(name).blank_where_marked = true;
        self
    }

    /// Renames a column, for programs and people.
    #[must_use]
    pub fn renamed(mut self, name: &str, other: &str) -> Self {
        let column = self.column(name);
        column.description.name = other.to_owned().into();
        column.heading = Some(other.to_owned().into());
        self
    }

    /// Changes the heading of a column.
    #[must_use]
    pub fn headed(mut self, name: &str, heading: String) -> Self {
        self.column(name).heading = Some(heading.into());
        self
    }

    fn column(&mut self, name: &str) -> &mut TableColumn {
        let column = self.columns.iter_mut().find(|column| column.description.name == name);
        column.unwrap_or_else(|| panic!("there is a column '{name}'"))
    }

    /// Returns the table's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.selected.as_ref().map_or_else(|| self.rows.len(), Vec::len)
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the lines above the table.
    pub fn title(&self) -> &[String] {
        &self.title
    }

    /// Returns the descriptions of the columns.
    pub fn descriptions(&self) -> impl Iterator<Item = &ColumnDescription> {
        self.columns.iter().map(|column| &column.description)
    }

    /// Returns the columns with their value in every row.
    pub fn values(&self) -> impl Iterator<Item = (&ColumnDescription, impl Iterator<Item = ResultCell<'_>>)> {
        let cells = move |column| (0..self.len()).map(move |row| self.cell(row, column));
        self.columns.iter().map(move |column| (&column.description, cells(column)))
    }

    /// Returns the bars of the rows, if every row has one.
    pub fn spans(&self) -> Option<Vec<Span>> {
        (0..self.len()).map(|row| self.row(row).span()).collect()
    }

    pub(super) fn star(&self) -> &str {
        &self.star
    }

    pub(super) fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// Returns the value of a row in a column.
    pub(super) fn cell(&self, row: usize, column: &TableColumn) -> ResultCell<'_> {
        self.rows.cell(self.row_index(row), column.index)
    }

    /// Returns the group of a row, if it belongs to one.
    pub fn group(&self, row: usize) -> Option<usize> {
        self.row(row).group()
    }

    /// Returns the mark of a row.
    pub fn mark(&self, row: usize) -> Mark {
        self.row(row).mark()
    }

    fn row(&self, row: usize) -> &dyn AnyRow {
        self.rows.row(self.row_index(row))
    }

    /// Returns the index of a selected row among all rows.
    fn row_index(&self, row: usize) -> usize {
        self.selected.as_ref().map_or(row, |selected| selected[row])
    }
}
