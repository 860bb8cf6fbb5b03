//! Tables of results: described once, written in every form.
//!
//! Each type of row describes its columns ([`ResultRow::columns`]): name, unit, meaning, how people read it, and how to find
//! its value in a row. Everything else follows from that: CSV, JSON, JSON lines, Parquet, Markdown and LaTeX here, the
//! terminal's table in the command, data frames in Python, and the reference in the book. A new column is one entry; a
//! new form is one file.

mod audits;
mod cell;
mod checks;
mod drawn_rows;
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
mod monitor;
mod note;
mod numbers;
mod plans;
mod readable;
mod row;
mod sort;
mod contamination;
mod table;
pub mod text;

pub use audits::{AuditPlanRow, audit_plan_notes};
pub use cell::ResultCell;
pub use checks::CheckRow;
pub use drawn_rows::{DrawnRow, AuditDraw, ROW};
pub use column::{ResultColumn, ColumnDescription, CellFormat, Unit};
pub use counts::{CountRow, count_notes, count_table};
pub use differences::DifferenceRow;
pub use estimates::{EstimateRow, NUMBERS, Number, ON_REQUEST};
pub use evidence::{EvidenceRow, evidence_tables, evidence_notes, explain_recommendation};
pub use fits::FitRow;
pub use folds::FoldsRow;
pub use mark::Mark;
pub use monitor::MonitorRow;
pub use note::Note;
pub use numbers::{all_digits, decimals_for, percent, format_e_value, format_p_value, format_se, escape_untrusted};
pub use plans::PlanRow;
pub use readable::{ReadableRow, ReadableTable};
pub use row::{TableDescription, ResultRow, Span, describe_table};
pub use sort::{Sort, sortable};
pub use contamination::ContaminationRow;
pub use table::ResultTable;

use crate::executor::Executor;
use serde_json::Value;
use std::io::{self, Write};

/// A command's results: tables, what they are based on, and notes and warnings about them.
#[derive(Default)]
pub struct Results<'a> {
    /// What holds for every row, for programs: names and values.
    pub about: Vec<(&'static str, Value)>,
    /// The tables, in the order in which people read them. To programs, tables with the same name are one.
    pub tables: Vec<ResultTable<'a>>,
    /// The notes below the tables.
    pub notes: Vec<Note>,
    /// Warnings as sentences, for forms that keep them beside the tables.
    pub warnings: Vec<String>,
}

/// A form in which results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
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
    /// Leaves out the parameters of the model and the notes with parameters of the methods.
    #[must_use]
    pub fn concise(mut self) -> Self {
        self.notes.retain(|note| !note.is_diagnostic);
        self.about.retain(|(name, _)| *name != "model");
        self
    }

    /// Writes the results in this form.
    ///
    /// # Errors
    /// Those of the writer; a closed pipe stays one.
    pub fn write(&self, executor: &impl Executor, form: ResultFormat, out: &mut impl Write) -> io::Result<()> {
        match form {
            ResultFormat::Markdown => markdown::write(self, out),
            ResultFormat::Latex => latex::write(self, out),
            ResultFormat::Json => json::write(self, out),
            ResultFormat::Jsonl => json::write_lines(self, out),
            ResultFormat::Csv => csv::write(self, executor, out),
        }
    }

    /// The tables that people read: those with rows.
    pub fn readable(&self) -> impl Iterator<Item = (&ResultTable<'_>, ReadableTable<'_>)> {
        self.tables
            .iter()
            .filter(|table| table.is_for_people() && !table.is_empty())
            .map(|table| (table, table.readable()))
    }

    /// The tables that programs read, grouped by name.
    fn named(&self) -> Vec<(&'static str, Vec<&ResultTable<'_>>)> {
        let mut named: Vec<(&'static str, Vec<&ResultTable<'_>>)> = Vec::new();
        for table in self.tables.iter().filter(|table| table.is_for_programs()) {
            match named.iter_mut().find(|(name, _)| *name == table.name()) {
                Some((_, same)) => same.push(table),
                None => named.push((table.name(), vec![table])),
            }
        }
        named
    }
}
