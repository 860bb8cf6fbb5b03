//! Imports from the `truecount` command and from the crates that it shares with this program.

pub use truecount_analysis::evaluation::{Evaluation, MethodErrors, MethodEstimates, SampleEstimates, SampleTruth};
pub use truecount_analysis::notes::{diagnostics, fit_notes};
pub use truecount_analysis::results::{
    CellFormat, Note, ResultCell, ResultColumn, ResultRow, ResultTable, Results, Unit, all_digits,
};
pub use truecount_cli::shared::{
    CliError, FIGURES, FileRoles, OutputFormat, ProgressBars, SUCCESS, evaluation, exit_status, figures, learn,
    map_range, one_of, pool, print, print_message, stop_flag, try_map_range, warn, write_estimates,
};
pub use truecount_report::drawing::boxes;
pub use truecount_report::drawing::palette::{BLUE, GREEN, SERIES, VERMILION};
pub use truecount_report::hex;
pub use truecount_tables::groups::ScoreColumns;
pub use truecount_tables::{LabelledFile, NoProgress, input, whole_file};
