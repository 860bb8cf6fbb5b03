//! Tables of results: described once, written in every form.
//!
//! Each type of row describes its columns ([`Row::columns`]): name, unit, meaning, how people read it, and how to find
//! its value in a row. Everything else follows from that: CSV, JSON, JSON lines, Parquet, Markdown and LaTeX here, the
//! terminal's table in the command, data frames in Python, and the reference in the book. A new column is one entry; a
//! new form is one file.

mod audits;
mod cell;
mod checks;
mod chosen;
mod column;
mod counts;
mod csv;
mod differences;
mod estimates;
mod evidence;
mod fits;
pub mod flat;
mod folds;
mod json;
mod latex;
mod mark;
mod markdown;
mod monitored;
mod note;
mod numbers;
mod plans;
mod readable;
mod row;
mod sort;
mod supposed;
mod table;
pub mod text;

pub use audits::{AuditPlanRow, audit_plan_notes};
pub use cell::Cell;
pub use checks::CheckRow;
pub use chosen::{ChosenRow, Draw, ROW};
pub use column::{Column, Description, Look, Unit};
pub use counts::{CountRow, count_notes, count_table};
pub use differences::DifferenceRow;
pub use estimates::{EstimateRow, NUMBERS, Number, ON_REQUEST};
pub use evidence::{EvidenceRow, evidence, evidence_notes, why};
pub use fits::FitRow;
pub use folds::FoldsRow;
pub use mark::Mark;
pub use monitored::MonitorRow;
pub use note::Note;
pub use numbers::{digits, digits_at, percent, short_e, short_p, short_se, visible};
pub use plans::PlanRow;
pub use readable::{Line, Readable};
pub use row::{Described, Row, Span, described};
pub use sort::{Sort, sortable};
pub use supposed::SupposedRow;
pub use table::Table;

use crate::executor::Executor;
use serde_json::Value;
use std::io::{self, Write};

/// A command's results: tables, what they are based on, and notes and warnings about them.
#[derive(Default)]
pub struct Results<'a> {
    /// What holds for every row, for programs: names and values.
    pub about: Vec<(&'static str, Value)>,
    /// The tables, in the order in which people read them. To programs, tables with the same name are one.
    pub tables: Vec<Table<'a>>,
    /// The notes below the tables.
    pub notes: Vec<Note>,
    /// Warnings as sentences, for forms that keep them beside the tables.
    pub warnings: Vec<String>,
}

/// A form in which results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A pipe table and a list of notes.
    Markdown,
    /// A `tabular` with the rules of booktabs.
    Latex,
    /// One object, every digit.
    Json,
    /// One object per row, every digit.
    Jsonl,
    /// One line per row, every digit.
    Csv,
}

impl Results<'_> {
    /// Writes the results in this form.
    ///
    /// # Errors
    /// Those of the writer; a closed pipe stays one.
    pub fn write(&self, executor: &impl Executor, form: Form, out: &mut impl Write) -> io::Result<()> {
        match form {
            Form::Markdown => markdown::write(self, out),
            Form::Latex => latex::write(self, out),
            Form::Json => json::write(self, out),
            Form::Jsonl => json::write_lines(self, out),
            Form::Csv => csv::write(self, executor, out),
        }
    }

    /// The tables that people read: those with rows.
    pub fn readable(&self) -> impl Iterator<Item = (&Table<'_>, Readable<'_>)> {
        self.tables
            .iter()
            .filter(|table| table.is_for_people() && !table.is_empty())
            .map(|table| (table, table.readable()))
    }

    /// The tables that programs read, grouped by name.
    fn named(&self) -> Vec<(&'static str, Vec<&Table<'_>>)> {
        let mut named: Vec<(&'static str, Vec<&Table<'_>>)> = Vec::new();
        for table in self.tables.iter().filter(|table| table.is_for_programs()) {
            match named.iter_mut().find(|(name, _)| *name == table.name()) {
                Some((_, same)) => same.push(table),
                None => named.push((table.name(), vec![table])),
            }
        }
        named
    }
}
