//! The report of truecount: one HTML file that needs nothing else to be read, and the figures of every analysis, from rows of results.
//!
//! The crate opens no files and knows no terminal: test scores come in groups with names, an
//! [`Executor`](truecount_analysis::executor::Executor) says who does the work, and a page, a sentence or an SVG file comes out.
//!
//! [`ReportModels`] and test scores make [`ReportData`], these make [`Figures`], and both together make a [`page`]. `words` has the
//! sentences, `audit` what audited rows say, `provenance` what reproduces a report. [`drawing`] is what all figures are drawn with,
//! [`charts`] has those of single analyses, and [`tables`] writes results as HTML. kuva and maud are named nowhere else.

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
