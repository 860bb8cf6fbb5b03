//! The `truecount` command: reads tables and writes tables. The mathematics is in the library; the
//! list of commands is in `program`.

mod allocator;
mod audit;
mod check;
mod compare;
mod completions;
mod counts;
mod error;
mod estimate;
mod evaluate;
mod experiment;
mod figure;
mod finish;
mod fit;
mod help;
mod hints;
mod man;
mod models;
mod monitor;
mod options;
mod output;
mod parallel;
mod plan;
mod program;
mod progress;
mod reference;
mod report;
mod requests;
mod signals;
mod sql;
mod strata;
mod tallies;
mod tally;

pub use allocator::ExitingAllocator;
pub use program::run;
