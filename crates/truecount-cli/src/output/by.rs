//! Checks that the results can tell grouping columns apart.

use super::OutputFormat;
use crate::failure::CliError;
use truecount_analysis::advice;
use truecount_analysis::results::ColumnDescription;

/// Refuses grouping columns that results in this form, with these columns of their own, could not tell apart.
pub fn check_by(by: &[String], form: OutputFormat, own: &[ColumnDescription]) -> Result<(), CliError> {
    advice::check_by(by, form.is_flat().then(|| form.name()).as_deref(), own).map_err(CliError::Usage)
}
