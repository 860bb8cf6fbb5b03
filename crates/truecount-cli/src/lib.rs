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
mod finish;
mod fit;
mod help;
mod hints;
mod influence;
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

/// Parts of the command that truecount-bench and the Python package use too, without a promise of stability.
#[doc(hidden)]
pub mod shared {
    pub use crate::error::{CliError, SUCCESS};
    pub use crate::experiment::{ExperimentArgs, FinishedExperiment, OtherMethod, Predict, run_missing_cells};
    pub use crate::output::{FileRoles, OutputFormat, print};
    pub use crate::parallel::pool;
    pub use crate::program::exit_status;
    pub use crate::progress::ProgressBars;
    pub use crate::signals::stop_flag;
}
