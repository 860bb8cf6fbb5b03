//! Experiments that cross data sets, classifiers, labelled samples, protocols and methods.
//!
//! `design` reads the experiment's specification, and `protocol` says how samples differ from the
//! labelled scores. `rows` has the tidy table with a row for every sample and method, `errors` the
//! means of its rows over parts of the experiment, `ranking` the comparison of methods over data
//! sets, `results` the columns, and `tables` the tables for people, programs and papers.

mod design;
mod errors;
mod protocol;
mod ranking;
mod results;
mod rows;
mod tables;

pub use design::{ExperimentDesign, ExperimentSpec, ScoreFiles, TrainingSpec};
pub use errors::{ExperimentSummary, MeanErrors, SampleOutcome};
pub use protocol::{Domain, Protocol, ShiftProtocol, experiment_error};
pub use ranking::{RankedMethod, Ranking};
pub use results::{Facet, FacetRow, SettingErrorRow, facets, setting_rows};
pub use rows::{ExperimentCell, SampleEstimate, SampleRow, columns};
pub use tables::{ExperimentTables, PAPER, SAMPLES, SUMMARY, tables};
