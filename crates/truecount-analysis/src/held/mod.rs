//! What doors need that hold columns in memory: between the arguments of their language and the library. A door makes slices and plain
//! structs of what it is given, says how work is shared out (an [`Executor`](crate::executor::Executor)), and gives back rows of results ([`plain`] takes them apart) or
//! a [`Failure`], which knows what it is of.
//!
//! Nothing here needs Arrow, a thread pool or a file. `refused`, `executor`: what may go wrong, and who works. `fitted`, `asked`, `names`: the
//! model, and what is chosen by name. `parts`, `sets`: columns → test sets. `estimates`, `bootstrap`: of each. `cells`, `summed`, `together`:
//! of tallied groups and clusters, one by one, added up and compared; `strata`, `blocks`: with a model for each stratum. `monitor`, `check`,
//! `families`, `audit`, `audits`, `counts`, `plan`, `samples` ← `evaluation`: a question each. `plain`: tables as values of any language.

mod asked;
mod audit;
mod audits;
mod blocks;
mod bootstrap;
mod cells;
mod check;
mod counts;
mod estimates;
mod evaluation;
mod families;
mod fitted;
mod monitor;
mod names;
mod parts;
mod plain;
mod plan;
mod refused;
mod samples;
mod sets;
mod strata;
mod summed;
mod together;

pub use asked::{AskedReporting, AskedSettings, one_of};
pub use audit::audit;
pub use audits::{Audits, audits, draw_audit, plan_audit};
pub use blocks::{Blocks, Few, blocks};
pub use bootstrap::bootstrap;
pub use cells::Cells;
pub use check::{Shift, check, of_classes};
pub use counts::{Counted, CountedRow, RateColumn, count_rows, counts};
pub use estimates::{estimates, tallied};
pub use evaluation::{Drawing, Pool, Samples, evaluate};
pub use families::{FAMILIES_SHOWN, families};
pub use fitted::Fitted;
pub use monitor::{baseline, monitor, periods};
pub use names::{methods_that, names};
pub use plain::{Plain, Values, columns, groups, plain};
pub use plan::question;
pub use refused::{Failure, Place, Refused, Tested, Untold, cell};
pub use samples::{errors, rows_of_samples};
pub use sets::{Set, Sets, cut, sorted};
pub use strata::Strata;
pub use summed::{Finished, Summed, added_up, finish};
pub use together::{Differences, Kinship, Levels, covariances, groups_apart, methods_apart, samples_apart};
