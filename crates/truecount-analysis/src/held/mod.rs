//! What doors need that hold columns in memory: between the arguments of their language and the library. A door makes slices and plain
//! structs of what it is given, says how work is shared out (an [`Executor`](crate::executor::Executor)), and gives back rows of results ([`plain`] takes them apart) or
//! a [`Failure`], which knows what it is of.
//!
//! Nothing here needs Arrow, a thread pool or a file. `refused`, `executor`: what may go wrong, and who works. `fitted`, `asked`, `names`: the
//! model, and what is chosen by name. `parts`, `sets`: columns → test sets. `estimates`, `bootstrap`: of each. `cells`, `summed`, `together`:
//! of tallied groups and clusters, one by one, added up and compared; `strata`, `blocks`: with a model for each stratum. `plain`:
//! tables as values of any language.

mod asked;
mod blocks;
mod bootstrap;
mod cells;
mod estimates;
mod fitted;
mod names;
mod parts;
mod plain;
mod refused;
mod sets;
mod strata;
mod summed;
mod together;

pub use asked::{AskedReporting, AskedSettings, one_of};
pub use blocks::{Blocks, Few, blocks};
pub use bootstrap::bootstrap;
pub use cells::Cells;
pub(crate) use estimates::first_error;
pub use estimates::{estimates, tallied};
pub use fitted::Fitted;
pub use names::{methods_that, names};
pub use plain::{Plain, Values, columns, groups, plain};
pub use refused::{Failure, Place, Refused, Tested, Untold, cell};
pub use sets::{Set, Sets, cut, sorted};
pub use strata::Strata;
pub use summed::{Finished, Summed, added_up, finish};
pub use together::{Differences, Kinship, Levels, covariances, groups_apart, methods_apart, samples_apart};
