//! Imports from the crates that other programs use too.

pub use truecount_report::drawing::boxes;
pub use truecount_report::drawing::palette::{BLUE, GREEN, SERIES, VERMILION};
pub use truecount_report::hex;
pub use truecount_tables::groups::ScoreColumns;
pub use truecount_tables::{FileRoles, LabelledFile, NoProgress, input, threads, whole_file};
