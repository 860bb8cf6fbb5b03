//! The order of groups.

use super::by::{Names, names};
use crate::failure::Failure;
use truecount_analysis::results::{Row, Sort, sortable};

/// The order in which groups are written.
#[derive(clap::Args)]
pub struct Sorted {
    /// Columns to sort groups by, separated by commas, of the results or of --by, with - before a name from the largest value to the smallest;
    /// none for the order in which groups appear [default: the --by columns, dates by time, numbers by size]
    #[arg(long, value_name = "COL", value_parser = names, allow_hyphen_values = true)]
    sort: Vec<Names>,
}

/// What stands for the order of appearance.
const NONE: &str = "none";

impl Sorted {
    /// The order of such rows of groups by these columns.
    pub fn of<R: Row>(&self, by: &[String]) -> Result<Sort, Failure> {
        let columns = sortable::<R>(by);
        let typed: Vec<String> = self.sort.iter().flat_map(|Names(names)| names.clone()).collect();
        let sort = match typed.as_slice() {
            [] => Sort::Groups,
            [none] if none == NONE && !columns.contains(none) => Sort::Appearance,
            columns => Sort::By(columns.to_vec()),
        };
        match sort.unknown(&columns) {
            Some(name) => Err(Failure::Usage(format!(
                "--sort {name}: there is no such column; it can be {} or {NONE}",
                columns.join(", ")
            ))),
            None => Ok(sort),
        }
    }
}
