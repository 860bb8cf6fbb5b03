//! Reports of truecount: one self-contained HTML file, and the figures of every analysis, from rows
//! of results.
//!
//! The crate opens no files and knows no terminal: test scores come in groups with names, an
//! [`Executor`](truecount_analysis::executor::Executor) does the work, and the output is a page, a
//! sentence or an SVG file.
//!
//! [`ReportModels`] and test scores make [`ReportData`], these make [`Figures`], and both together
//! make a [`page`]. `words` has the
//! sentences, `audit` the estimates from audited rows, `provenance` the command and files.
//! [`drawing`] has the tools of all figures,
//! [`charts`] the figures of single analyses, and [`tables`] writes results as HTML. Only this
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
pub use data::{ReportData, ReportModels, ReportOptions, ShiftChecks};
pub use figures::{Figures, weights};
pub use page::render as page;
pub use provenance::{FileContent, InputFile, Provenance, command_line, hex};
pub use words::{POSITIVE_NAME, ROW_NAME, Words, family_fits, stratum_advice};
