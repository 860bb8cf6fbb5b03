//! Simulation studies of truecount's methods that anyone can rerun: `truecount study NAME`.
//!
//! A [`Study`] is a list of settings and a function that makes one replication of a setting from a random stream. [`run`]
//! does the rest: every setting × replication has a stream of its own, so the same seed gives the same bits on any number of
//! threads; the run can be stopped between two replications, and continues from the [`Results`] of the settings it has
//! finished. Nothing here reads or writes a file.
//!
//! ```text
//! Study ──replicate──▶ Outcome per arm ──Statistics──▶ Results, one row per setting and arm ──▶ summary, figure
//! ```
//!
//! # Layout
//!
//! `study`: what a study is. `run`: settings and replications in parallel. `statistics`: what is computed of the
//! replications. `results`: the rows and their text form. [`coverage`]: the study of the intervals. [`palette`]: the colours of
//! all pictures.

pub mod coverage;
pub mod palette;
mod results;
mod run;
mod statistics;
mod study;

pub use results::{Misread, Results};
pub use run::{Ended, Plan, run};
pub use statistics::Statistics;
pub use study::{Outcome, Study};
