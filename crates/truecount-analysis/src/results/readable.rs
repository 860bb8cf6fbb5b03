//! A table with rounded numbers, for people: the common part of the terminal, Markdown and LaTeX.

use super::cell::ResultCell;
use super::column::{CellFormat, Unit};
use super::numbers::escape_untrusted;
use super::table::{ResultTable, TableColumn};
use super::{Mark, NumberStyle};
use crate::groups::{GroupNames, NameTexts};

/// The text shown instead of a missing number.
const MISSING: &str = "–";

/// The meaning of a dagger.
const UNRELIABLE: &str = "unreliable: see the warnings";

/// The name of the total among the groups.
pub const TOTAL: &str = "total";

/// A table for people, whose texts are safe to show on a terminal.
pub struct ReadableTable<'t> {
    table: &'t ResultTable<'t>,
    groups: Option<NameTexts<'t>>,
    /// The columns, each with the column of the upper end if it is the lower end of an interval.
    columns: Vec<(&'t TableColumn, Option<&'t TableColumn>)>,
    /// The headings.
    pub header: Vec<String>,
    /// The number of leading columns with names; the other columns are numbers.
    pub names: usize,
    has_marks: bool,
    style: NumberStyle,
}

/// A row of a table for people.
pub struct ReadableRow {
    /// The formatted values.
    pub cells: Vec<String>,
    /// The mark after the row.
    pub mark: Mark,
}

/// A column of a table for people in which every cell has a single value.
pub struct ValueColumn<'t> {
    /// The heading.
    pub heading: String,
    /// Excel's format of the numbers; an empty text for the general format.
    pub number_format: String,
    table: &'t ResultTable<'t>,
    column: &'t TableColumn,
    blank_where_marked: bool,
}

impl<'t> ValueColumn<'t> {
    /// Returns the value in a row.
    pub fn cell(&self, row: usize) -> ResultCell<'t> {
        let is_blank = self.blank_where_marked && self.table.mark(row) != Mark::None;
        if is_blank { ResultCell::None } else { self.table.cell(row, self.column) }
    }
}

impl<'t> ReadableTable<'t> {
    fn new(table: &'t ResultTable<'t>, style: NumberStyle) -> Self {
        let keys = table.keys.into_iter().flat_map(GroupNames::columns);
        let mut header: Vec<String> = keys.map(|column| escape_untrusted(column).into_owned()).collect();
        let mut columns = Vec::new();
        let mut names = header.len();
        for column in table.columns() {
            let Some(heading) = &column.heading else { continue };
            if names == header.len() && column.description.unit == Unit::Text && column.format == CellFormat::AsIs {
                names += 1;
            }
            let heading = escape_untrusted(heading).into_owned();
            header.push(style.heading(heading, column.description.unit, column.format));
            let other = column.format.other_column();
            let is_other = |column: &&TableColumn| other.is_some_and(|other| column.description.name == other);
            columns.push((column, table.columns().iter().find(is_other)));
        }
        let has_marks = (0..table.len()).any(|row| table.mark(row) != Mark::None);
        Self { table, groups: table.keys.map(|keys| keys.texts()), columns, header, names, has_marks, style }
    }

    /// Returns the columns after the grouping columns; the ends of an interval are two columns.
    pub fn value_columns(&self) -> Vec<ValueColumn<'t>> {
        let table = self.table;
        let mut all = Vec::new();
        for (column, other) in &self.columns {
            // The cells themselves show the sign of per cent.
            let heading = column.heading.as_deref().unwrap_or_default();
            let number_format = self.style.excel_format(column.description.unit, column.format);
            let mut add = |heading: String, value| {
                let (number_format, blank_where_marked) = (number_format.clone(), column.blank_where_marked);
                all.push(ValueColumn { heading, number_format, table, column: value, blank_where_marked });
            };
            match *other {
                None => add(heading.to_owned(), *column),
                Some(other) if matches!(column.format, CellFormat::WidenedStandardError(_)) => {
                    add(heading.to_owned(), other);
                }
                // Several ranges of counts have the same heading.
                Some(other) if matches!(column.format, CellFormat::CountTo(_)) => {
                    for end in [*column, other] {
                        add(end.description.name.replace('_', " "), end);
                    }
                }
                Some(other) => {
                    add(format!("{heading}, lower"), *column);
                    add(format!("{heading}, upper"), other);
                }
            }
        }
        all
    }

    /// Returns the rows lazily, as there may be a million.
    pub fn lines(&self) -> impl Iterator<Item = ReadableRow> {
        (0..self.table.len()).map(|row| {
            let mark = self.table.mark(row);
            let mut cells = Vec::with_capacity(self.header.len());
            match (&self.groups, self.table.group(row)) {
                (Some(texts), Some(group)) => {
                    cells.extend(texts.group_texts(group).map(|value| escape_untrusted(&value).into_owned()));
                }
                // The total of all groups.
                (Some(_), None) => {
                    let columns = self.table.keys.into_iter().flat_map(GroupNames::columns);
                    cells.extend(columns.enumerate().map(|(i, _)| if i == 0 { TOTAL } else { "" }.to_owned()));
                }
                (None, _) => {}
            }
            cells.extend(self.columns.iter().map(|(column, upper)| {
                let blank = mark != Mark::None && column.blank_where_marked;
                let upper = upper.map(|upper| self.table.cell(row, upper));
                let cell = if blank { ResultCell::None } else { self.table.cell(row, column) };
                let missing = if column.description.unit == Unit::Text { "" } else { MISSING };
                let text = column.format.format(&cell, upper.as_ref(), missing);
                self.style.number(text, column.description.unit, column.format)
            }));
            ReadableRow { cells, mark }
        })
    }

    /// Returns the cells of each row, for text of fixed width: if any row has a mark, the last cell
    /// of each row ends with its mark or with spaces.
    pub fn marked_lines(&self) -> impl Iterator<Item = Vec<String>> {
        self.lines().map(|ReadableRow { mut cells, mark }| {
            if let Some(last) = cells.last_mut().filter(|_| self.has_marks) {
                last.push_str(match mark {
                    Mark::None => "  ",
                    Mark::Star => " *",
                    Mark::Dagger => " †",
                });
            }
            cells
        })
    }

    /// Returns explanations of the marks, and of the columns that need one.
    pub fn explanations(&self) -> impl Iterator<Item = String> {
        let occurs = |mark| (0..self.table.len()).any(|row| self.table.mark(row) == mark);
        let marks = [(Mark::Star, self.table.star()), (Mark::Dagger, UNRELIABLE)];
        let marks = marks.into_iter().filter(move |(mark, _)| self.has_marks && occurs(*mark));
        let marks = marks.map(|(mark, meaning)| format!("{} {meaning}", mark.text()));
        let columns = self.columns.iter().filter(|(column, _)| column.explained);
        let columns = columns.map(|(column, _)| &column.description);
        marks.chain(columns.map(|column| format!("{}: {}", column.name, column.meaning)))
    }
}

impl ResultTable<'_> {
    /// Returns the table for people, with numbers in this notation.
    pub fn readable(&self, style: NumberStyle) -> ReadableTable<'_> {
        ReadableTable::new(self, style)
    }
}
