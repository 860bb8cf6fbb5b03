//! Prevalences from counts for every form, and below them which interval it is and what it accounts for.

use crate::output::warnings_of;
use serde_json::json;
use truecount::Target;
use truecount::counts::RateInterval;
use truecount_analysis::results::{CountRow, Results, count_notes, count_table};
use truecount_tables::groups::Keys;

/// What was found, and how it was asked for.
pub struct Counted {
    pub keys: Keys,
    pub rows: Vec<CountRow>,
    pub interval: RateInterval,
    pub target: Target,
}

impl Counted {
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("interval", json!(self.interval.to_string())),
            ("target", json!(self.target.to_string())),
            ("accounts_for", json!(self.interval.accounts_for())),
        ];
        Results {
            about,
            tables: vec![count_table(&self.rows).with_groups(&self.keys)],
            notes: count_notes(&self.rows, self.interval, self.target),
            warnings: self.warnings(),
        }
    }

    /// Warnings as sentences.
    pub fn warnings(&self) -> Vec<String> {
        warnings_of(self.rows.iter().map(|row| &row.found), &self.keys, self.rows.len(), 0)
    }
}
