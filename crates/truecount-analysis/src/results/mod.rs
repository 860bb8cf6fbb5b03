//! Tables of results, which are described once and written in every format.
//!
//! Each type of row describes its columns ([`ResultRow::columns`]): name, unit, meaning, format for people, and the
//! function that returns the value in a row. All output formats are derived from that description: CSV, JSON, JSON
//! lines, Parquet, Markdown and LaTeX here, the terminal's table in the command, data frames in Python, and the
//! reference in the book. A new column is one entry; a new output format is one file.

mod accuracy;
mod agreement;
mod audits;
mod cell;
mod checks;
mod class_checks;
mod class_shares;
mod column;
mod contamination;
mod counts;
mod csv;
mod differences;
mod drawn_rows;
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
mod publication;
mod readable;
mod row;
mod sort;
mod standardised;
mod style;
mod table;
pub mod text;

pub use accuracy::AccuracyRow;
pub use agreement::{AgreementRow, AgreementRows, LabelErrorRow};
pub use audits::{AuditGoal, AuditPlanRow, audit_plan_notes};
pub use cell::ResultCell;
pub use checks::CheckRow;
pub use class_checks::ClassCheckRow;
pub use class_shares::ClassShareRow;
pub use column::{CellFormat, ColumnDescription, ResultColumn, Unit};
pub use contamination::ContaminationRow;
pub use counts::{CountRow, count_notes, count_table};
pub(crate) use csv::write_block;
pub use differences::{CLASS, DifferenceRow, ReferenceShare};
pub use drawn_rows::{AuditDraw, DrawnRow, ROW};
pub(crate) use estimates::{APPARENT, LEFT_OUT, PUBLISH, is_unreliable, is_widened};
pub use estimates::{EstimateRow, NUMBERS, Number, OPTIONAL_COLUMNS, Publication, se_widened};
pub use evidence::{EvidenceRow, evidence_notes, evidence_tables, explain_recommendation};
pub use fits::FitRow;
pub use folds::FoldsRow;
pub use mark::Mark;
pub use monitor::{MonitorRow, describe_bound};
pub use note::Note;
pub use numbers::{
    all_digits, decimals_for, escape_untrusted, format_e_value, format_p_value, format_se, percent, points,
};
pub use plans::{AlarmForecast, PlanRow};
pub use publication::PublicationRule;
pub use readable::{ReadableRow, ReadableTable, TOTAL, ValueColumn};
pub use row::{ResultRow, Span, TableDescription, describe_table};
pub use sort::{Sort, sortable};
pub use standardised::{StandardisedRow, StandardisedSets};
pub use style::NumberStyle;
use table::Audience;
pub use table::ResultTable;

use crate::executor::Executor;
use serde_json::Value;
use std::io::{self, Write};

/// A command's results: tables, with notes and warnings about them.
#[derive(Default)]
pub struct Results<'a> {
    /// Values that apply to every row, for programs: names and values.
    pub about: Vec<(&'static str, Value)>,
    /// The tables, in the order in which people read them. For programs, tables with the same name are merged.
    pub tables: Vec<ResultTable<'a>>,
    /// The notes below the tables.
    pub notes: Vec<Note>,
    /// Warnings as sentences, for formats that write them together with the tables.
    pub warnings: Vec<String>,
    /// The notation of numbers for people.
    pub style: NumberStyle,
}

/// An output format of results.
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
    /// Removes the parameters of the model and the notes with parameters of the methods.
    #[must_use]
    pub fn concise(mut self) -> Self {
        self.notes.retain(|note| !note.is_diagnostic);
        self.about.retain(|(name, _)| *name != "model");
        self
    }

    /// Writes the results in this format.
    ///
    /// # Errors
    /// Returns the error of the writer; a closed pipe keeps its error kind.
    pub fn write(&self, executor: &impl Executor, format: ResultFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            ResultFormat::Markdown => markdown::write(self, out),
            ResultFormat::Latex => latex::write(self, out),
            ResultFormat::Json => json::write(self, out),
            ResultFormat::Jsonl => json::write_lines(self, out),
            ResultFormat::Csv => csv::write(self, executor, out),
        }
    }

    /// Returns the non-empty tables that people read.
    pub fn readable(&self) -> impl Iterator<Item = (&ResultTable<'_>, ReadableTable<'_>)> {
        self.readable_in(self.style)
    }

    /// Returns the tables for people that are not empty, with numbers in this notation.
    pub fn readable_in(&self, style: NumberStyle) -> impl Iterator<Item = (&ResultTable<'_>, ReadableTable<'_>)> {
        let shown = self.tables.iter().filter(|table| table.audience != Audience::Programs && !table.is_empty());
        shown.map(move |table| (table, table.readable(style)))
    }

    /// Returns the explanations below the tables. Views of the same rows share their marks, and each
    /// mark is explained once.
    pub fn explanations(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (_, table) in self.readable() {
            let new: Vec<String> = table.explanations().filter(|line| !all.contains(line)).collect();
            all.extend(new);
        }
        all
    }

    /// Returns the tables that programs read, grouped by name.
    fn named(&self) -> Vec<(&'static str, Vec<&ResultTable<'_>>)> {
        let mut named: Vec<(&'static str, Vec<&ResultTable<'_>>)> = Vec::new();
        for table in self.tables.iter().filter(|table| table.audience != Audience::People) {
            match named.iter_mut().find(|(name, _)| *name == table.name()) {
                Some((_, same)) => same.push(table),
                None => named.push((table.name(), vec![table])),
            }
        }
        named
    }
}
