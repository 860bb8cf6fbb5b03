//! Reports of truecount: a self-contained HTML page, and the figures of every analysis.
//!
//! The crate opens no files and uses no terminal. An [`Executor`](truecount_analysis::executor::Executor) provides the
//! threads. The output is a page, a sentence or an SVG file.
//!
//! [`ReportData`] is computed from [`ReportModels`] and test scores, [`Figures`] are drawn from it, and a [`page`]
//! combines both. [`counts_page`] is the page about counts, [`class_page`] that about several classes. `words` has the
//! sentences, `audit` the estimates from audited rows, and `provenance` the command and the files. [`drawing`] has the
//! tools of all figures, [`charts`] the figures of single analyses, and [`tables`] writes results as HTML. Only this
//! crate depends on kuva and maud.

mod audit;
pub mod charts;
mod data;
pub mod drawing;
mod figures;
mod page;
mod provenance;
pub mod tables;
mod words;

pub use audit::AuditData;
pub use data::{CheckOutcome, ReportData, ReportModels};
pub use figures::{Figures, draw_classes, weights};
pub use page::{render as page, render_classes as class_page, render_counts as counts_page};
pub use provenance::{FileContent, InputFile, Origin, Provenance, command_line, hex};
pub use words::{POSITIVE_NAME, ROW_NAME, TESTED_NAME, TRUE_POSITIVE_NAME, Words, stratum_advice};
