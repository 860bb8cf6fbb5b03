//! Checks the names of grouping columns against the result columns.

use super::OutputFormat;
use crate::error::CliError;
use truecount_analysis::advice;
use truecount_analysis::results::ColumnDescription;

/// Returns an error if grouping columns have the same name as each other or, in a flat format, as a result column.
pub fn check_by(by: &[String], format: OutputFormat, columns: &[ColumnDescription]) -> Result<(), CliError> {
    advice::check_by(by, format.is_flat().then(|| format.name()).as_deref(), columns).map_err(CliError::Usage)
}
