//! Experiments that cross data sets, classifiers, labelled samples, protocols and methods.
//!
//! `rows` has the tidy table with a row for every sample and method, `errors` the means of its rows
//! over parts of the experiment, `ranking` the comparison of methods over data sets, and `results`
//! the columns and tables for people.

mod errors;
mod ranking;
mod results;
mod rows;

pub use errors::{ExperimentSummary, MeanErrors, SampleOutcome};
pub use ranking::{RankedMethod, Ranking};
pub use results::{Facet, FacetRow, PartRow, facets, part_rows};
pub use rows::{ExperimentCell, SampleEstimate, SampleRow, columns};
