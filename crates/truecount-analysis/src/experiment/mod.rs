//! An experiment: data sets, classifiers, labelled samples, protocols and methods, each with each; a row for every sample and method.
//!
//! `rows`: the one tidy table. `errors`: the means of its rows, over parts of the experiment. `ranking`: methods over data sets. `results`:
//! columns and views for people.

mod errors;
mod ranking;
mod results;
mod rows;

pub use errors::{MeanErrors, SampleOutcome, ExperimentSummary};
pub use ranking::{RankedMethod, Ranking};
pub use results::{Facet, FacetRow, PartRow, facets, part_rows};
pub use rows::{ExperimentCell, SampleEstimate, SampleRow, columns};
