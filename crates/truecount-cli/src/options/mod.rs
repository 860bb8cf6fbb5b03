//! What can be typed: groups of options that commands put together. None of them knows a command.

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

pub use choices::one_of;
pub use columns::ColumnNames;
pub use estimated::Estimated;
pub use labelled::Labelled;
pub use origin::{INTERVALS, Origin};
pub use reported::{Checked, Reported};
pub use share::share;
pub use sorted::Sorted;
pub use source::Source;
pub use strata::{Few, Strata};
pub use summed::{Sizes, Summed};
pub use tested::Tested;
pub use train::Train;
