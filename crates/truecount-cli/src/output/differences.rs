//! Differences as they are reported.

use truecount_analysis::results::{DifferenceRow, Table, percent};
use truecount_tables::groups::Keys;

/// Differences between groups, samples, methods or classifiers.
pub struct Differences {
    pub rows: Vec<DifferenceRow>,
    /// From what.
    pub title: String,
    /// Whether people need to see in each row what it is compared with.
    pub against: bool,
}

impl Differences {
    /// The table.
    pub fn table<'t>(&'t self, keys: &'t Keys, level: f64, several: bool) -> Table<'t> {
        let table = Table::new(&self.rows).with_groups(keys);
        let table = if several { table } else { table.hidden("method") };
        let table = if self.against { table } else { table.hidden("against") };
        table.titled(vec![format!("{}, with {} % intervals:", self.title, percent(level))])
    }
}
