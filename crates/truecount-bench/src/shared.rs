//! Imports from the `truecount` command and from the crates that it shares with this program.

pub use truecount_analysis::results::{CellFormat, Note, ResultColumn, ResultRow, ResultTable, Results, Unit};
pub use truecount_cli::shared::{
    CliError, FileRoles, OutputFormat, ProgressBars, SUCCESS, exit_status, pool, print, stop_flag,
};
pub use truecount_report::drawing::boxes;
pub use truecount_report::drawing::palette::{BLUE, GREEN, SERIES, VERMILION};
pub use truecount_report::hex;
pub use truecount_tables::groups::ScoreColumns;
pub use truecount_tables::{LabelledFile, input, whole_file};
