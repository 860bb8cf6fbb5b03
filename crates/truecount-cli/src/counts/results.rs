//! Prevalences from counts for every form, and below them which interval it is and what it accounts for.

use crate::output::warnings_of;
use serde_json::json;
use truecount::Target;
use truecount::counts::{Rate, RateInterval};
use truecount_io::groups::Keys;
use truecount_io::results::{CountRow, Note, Results, Table, percent};

/// What was found, and how it was asked for.
pub struct Counted {
    pub keys: Keys,
    pub rows: Vec<CountRow>,
    pub interval: RateInterval,
    pub target: Target,
}

impl Counted {
    pub fn results(&self) -> Results<'_> {
        let level = self.rows.first().map_or(0.0, |row| row.found.estimate.level);
        let table = Table::new(&self.rows).with_groups(&self.keys);
        let about = vec![
            ("interval", json!(self.interval.to_string())),
            ("target", json!(self.target.to_string())),
            ("accounts_for", json!(self.interval.accounts_for())),
        ];
        Results {
            about,
            tables: vec![table.headed("lower", format!("{} % interval", percent(level)))],
            notes: self.notes(),
            warnings: self.warnings(),
        }
    }

    fn notes(&self) -> Vec<Note> {
        let whose = match self.target {
            Target::Population => "the prevalence of the population",
            Target::Sample => "the share among the tested themselves",
        };
        let mut notes = vec![
            Note::new(format!("se and interval: {}", self.interval.accounts_for())),
            Note::new(format!("interval: {}, for {whose}", self.interval.title())),
        ];
        let (first, rest) = self.rows.split_first().expect("a row at least");
        if rest.iter().all(|row| row.rates == first.rates) {
            let (sensitivity, specificity) = (shown(first.rates.sensitivity()), shown(first.rates.specificity()));
            notes.push(Note::source(format!("sensitivity {sensitivity}, specificity {specificity}")));
        }
        notes
    }

    /// Warnings as sentences.
    pub fn warnings(&self) -> Vec<String> {
        warnings_of(self.rows.iter().map(|row| &row.found), &self.keys, self.rows.len(), 0)
    }
}

fn shown(rate: &Rate) -> String {
    match rate {
        Rate::Exact(_) => format!("{rate} (exact)"),
        Rate::Counted { .. } | Rate::Measured { .. } => rate.to_string(),
    }
}
