//! What can be typed: groups of options that commands put together. None of them knows a command.

mod audited;
mod by;
mod choices;
mod clusters;
mod columns;
mod estimated;
mod labelled;
mod origin;
mod reported;
mod share;
mod sorted;
mod source;
mod strata;
mod summed;
mod tested;
mod train;

pub use audited::Audited;
pub use by::By;
pub use choices::one_of;
pub use columns::{ColumnNames, ScoreNames, Written};
pub use estimated::Estimated;
pub use labelled::{LABEL, Labelled, POSITIVE};
pub use origin::{INTERVALS, Origin};
pub use reported::{Checked, Level, Reported};
pub use share::share;
pub use sorted::Sorted;
pub use source::Source;
pub use strata::StrataArgs;
pub use summed::{TotalArgs, reference};
pub use tested::Tested;
pub use train::Train;
