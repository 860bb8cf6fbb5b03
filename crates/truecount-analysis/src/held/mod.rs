//! Questions that interfaces with columns in memory ask: rows of results, or a [`Failure`] that knows what it is of.
//!
//! `refused`: what may go wrong. `monitor`, `check`, `families`, `audit`, `audits`, `counts`, `plan`, `samples` ← `evaluation`: a question
//! each. `plain`: tables as values of any language.

mod audit;
mod audits;
mod check;
mod counts;
mod evaluation;
mod families;
mod monitor;
mod plain;
mod plan;
mod refused;
mod samples;

pub use audit::audit;
pub use audits::{Audits, audits, draw_audit, plan_audit};
pub use check::{Shift, check, of_classes};
pub use counts::{Counted, CountedRow, RateColumn, count_rows, counts};
pub use evaluation::{Drawing, Pool, Samples, evaluate};
pub use families::{FAMILIES_SHOWN, families};
pub use monitor::{baseline, monitor, periods};
pub use plain::{Plain, Values, columns, groups, plain};
pub use plan::question;
pub(crate) use refused::at_row;
pub use refused::{Failure, Place, Refused, Tested, Untold, cell};
pub use samples::{errors, rows_of_samples};
