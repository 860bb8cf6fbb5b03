//! A table in few digits, for people: what the terminal, Markdown and LaTeX have in common.

use super::Mark;
use super::cell::Cell;
use super::column::{Look, Unit};
use super::numbers::visible;
use super::table::{Bound, Table};
use crate::groups::{GroupNames, Texts};

/// What a dagger means.
const UNRELIABLE: &str = "not to be relied on: see the warnings";

/// What people see in the place of a group.
const TOTAL: &str = "total";

/// A table for people. Its texts are safe to show on a terminal.
pub struct Readable<'t> {
    table: &'t Table<'t>,
    groups: Option<Texts<'t>>,
    /// The columns; where one is the lower end of an interval, the upper end is beside it.
    columns: Vec<(&'t Bound, Option<&'t Bound>)>,
    /// The headings.
    pub header: Vec<String>,
    /// How many of the first columns are names; the others are numbers.
    pub names: usize,
    /// Whether any row has a mark.
    marked: bool,
}

/// One row.
pub struct Line {
    /// Its values.
    pub cells: Vec<String>,
    /// What follows it.
    pub mark: Mark,
}

impl<'t> Readable<'t> {
    fn new(table: &'t Table<'t>) -> Self {
        let keys = table.keys.into_iter().flat_map(GroupNames::columns);
        let mut header: Vec<String> = keys.map(|column| visible(column).into_owned()).collect();
        let mut columns = Vec::new();
        let mut names = header.len();
        for column in table.columns() {
            let Some(heading) = &column.heading else { continue };
            if names == header.len() && column.description.unit == Unit::Text && column.look == Look::AsIs {
                names += 1;
            }
            header.push(visible(heading).into_owned());
            let upper = match column.look {
                Look::IntervalTo(upper) | Look::SignedIntervalTo(upper) | Look::RatioTo(upper) => {
                    table.columns().iter().find(|column| column.description.name == upper)
                }
                _ => None,
            };
            columns.push((column, upper));
        }
        let marked = (0..table.len()).any(|row| table.mark(row) != Mark::None);
        Self { table, groups: table.keys.map(|keys| keys.texts()), columns, header, names, marked }
    }

    /// The rows one by one, as there may be a million.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        (0..self.table.len()).map(|row| {
            let mark = self.table.mark(row);
            let mut cells = Vec::with_capacity(self.header.len());
            match (&self.groups, self.table.group(row)) {
                (Some(texts), Some(group)) => {
                    cells.extend(texts.of(group).map(|value| visible(&value).into_owned()));
                }
                // All groups together.
                (Some(_), None) => {
                    let columns = self.table.keys.into_iter().flat_map(GroupNames::columns);
                    cells.extend(columns.enumerate().map(|(place, _)| if place == 0 { TOTAL } else { "" }.to_owned()));
                }
                (None, _) => {}
            }
            cells.extend(self.columns.iter().map(|(column, upper)| {
                let blank = mark != Mark::None && column.blank_where_marked;
                let upper = upper.map(|upper| self.table.cell(row, upper));
                let cell = if blank { Cell::None } else { self.table.cell(row, column) };
                column.look.of(&cell, upper.as_ref(), column.missing)
            }));
            Line { cells, mark }
        })
    }

    /// The cells of each row, in text of fixed width: if any row has a mark, the last cell ends with it or with its space.
    pub fn marked_lines(&self) -> impl Iterator<Item = Vec<String>> {
        self.lines().map(|Line { mut cells, mark }| {
            if let Some(last) = cells.last_mut().filter(|_| self.marked) {
                last.push_str(match mark {
                    Mark::None => "  ",
                    Mark::Star => " *",
                    Mark::Dagger => " †",
                });
            }
            cells
        })
    }

    /// What the marks mean, and those columns that need an explanation.
    pub fn explained(&self) -> impl Iterator<Item = String> {
        let there = |mark| (0..self.table.len()).any(|row| self.table.mark(row) == mark);
        let star = [(Mark::Star, self.table.star()), (Mark::Dagger, UNRELIABLE)];
        let star = star.into_iter().filter(move |(mark, _)| self.marked && there(*mark));
        let star = star.map(|(mark, means)| format!("{} {means}", mark.text()));
        let explained = self.columns.iter().filter(|(column, _)| column.explained);
        let explained = explained.map(|(column, _)| &column.description);
        star.chain(explained.map(|column| format!("{}: {}", column.name, column.what)))
    }
}

impl Table<'_> {
    /// The table as people read it.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }
}
