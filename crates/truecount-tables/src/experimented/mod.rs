//! An experiment: data sets, classifiers, labelled samples, protocols and methods, each with each; a row for every sample and method.
//!
//! `rows`: the one tidy table, a Parquet file. `parts`: it is written in parts, so that a run can be stopped, and put together at the end.
//! `read`: what the summary needs of its rows. `errors`: their means, over parts of the experiment. `ranking`: methods over data sets.
//! `results`: columns and views for people.

mod errors;
mod parts;
mod ranking;
mod read;
mod results;
mod rows;

pub use errors::{Errors, Summary};
pub use parts::{is_part, join, write_part};
pub use ranking::{Ranked, Ranking};
pub use read::summarise;
pub use results::{Facet, FacetRow, PartRow, facets, part_rows};
pub use rows::{Cell, Found, SampleRow};
