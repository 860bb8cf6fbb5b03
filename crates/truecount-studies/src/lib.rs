//! Simulation studies of truecount's methods that anyone can rerun: `truecount study NAME`.
//!
//! A [`Study`] is a list of settings and a function that makes one replication of a setting from a random stream.
//! [`run`] does the rest: every setting × replication has a stream of its own, so the same seed gives the same bits on
//! any number of threads; the run can be stopped between two replications, and continues from the [`Results`] of the
//! settings it has finished. Nothing here reads or writes a file.
//!
//! ```text
//! Study ──replicate──▶ Outcome per arm ──Statistics──▶ Results, one row per setting and arm ──▶ summary, figure
//! ```
//!
//! # Layout
//!
//! `study`: what a study is. `run`: settings and replications in parallel. `results`: the rows and their text form.
//! `data`: samples of two classes. `fitted`: methods that are fitted together. [`paper`]: the studies of Kloos et al.
//! [`audit`]: what labels inside the target give. [`breach`]: what widened intervals buy. [`coverage`]: the study of the intervals.
//! [`together`]: that of differences, ratios and totals. [`monitor`]: that of the alarm over time. [`pools`]: intervals and errors
//! on real scores. [`intervals`]: what they find.

pub mod audit;
pub mod breach;
pub mod coverage;
mod data;
mod fitted;
pub mod intervals;
pub mod monitor;
pub mod paper;
pub mod pools;
mod results;
mod run;
mod study;
pub mod together;

pub use results::{Misread, Results};
pub use run::{Ended, Plan, run};
pub use study::{Outcome, Statistics, Study};
use truecount_report::drawing::palette;
