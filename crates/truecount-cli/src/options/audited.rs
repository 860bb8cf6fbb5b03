//! Audited rows: rows of the target that people have labelled.

use clap::Args;
use std::path::{Path, PathBuf};
use truecount_tables::AuditFile;
use truecount_tables::groups::ScoreColumns;

/// The audited rows, and how they were drawn.
#[derive(Args)]
pub struct Audited {
    /// Table of audited rows: rows of the test table drawn at random and labelled, with their scores; - for standard input
    #[arg(long, value_name = "FILE")]
    pub audit: Option<PathBuf>,
    /// Column of the audited table with the number of rows that each stands for, one over its probability of being drawn; only
    /// their ratios count [default: audit_weight, where there is one, else all alike]
    #[arg(long, value_name = "COL", requires = "audit")]
    pub audit_weight: Option<String>,
    /// The audited rows are not among the rows of the test table: they are added to them
    #[arg(long, requires = "audit")]
    pub beside: bool,
}

impl Audited {
    /// The table, with labels in such a column.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        columns: ScoreColumns<'a>,
        (label, positive): (&'a str, &'a str),
        by: &'a [String],
    ) -> AuditFile<'a> {
        AuditFile { path, columns, label, positive, weight: self.audit_weight.as_deref(), by }
    }
}
