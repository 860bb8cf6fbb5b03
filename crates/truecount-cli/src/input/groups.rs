//! Test scores from a table, tallied by group in one pass.

use super::Columns;
use super::table::Table;
use crate::failure::Failure;
use indexmap::IndexMap;
use std::path::Path;
use truecount::check::ShiftCheck;
use truecount::{Batch, Model, Tally};

/// Scores a group keeps before they are tallied together.
const BATCH: usize = 64;

/// What the test scores are tallied for.
#[derive(Clone, Copy)]
pub struct Purpose<'a> {
    /// Its estimates.
    pub model: Option<&'a Model>,
    /// Its test, where the labelled scores allow one.
    pub shift: Option<&'a ShiftCheck>,
}

/// One group: its values of the `--by` columns and its tallies, one for each of the model's quantifiers and one for the shift
/// check.
pub struct Group {
    pub values: Vec<String>,
    pub tallies: Vec<Tally>,
    pub shift: Option<Tally>,
    pending: Vec<f64>,
    pending_probabilities: Vec<f64>,
}

/// Groups in order of first appearance; a single one without `--by`.
pub struct Groups {
    pub columns: Vec<String>,
    pub groups: Vec<Group>,
}

impl Groups {
    pub fn read(path: &Path, columns: &Columns, by: &[String], purpose: Purpose) -> Result<Self, Failure> {
        let mut table = Table::open(path)?;
        let score = table.column(columns.score)?;
        let probability = columns.probability.map(|name| table.column(name)).transpose()?;
        let unit_interval = purpose.model.and_then(Model::unit_interval);
        let by_columns = by.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let mut groups: IndexMap<Vec<u8>, Group> = IndexMap::new();
        let mut key = Vec::new();
        while table.next()? {
            let value = table.score(score, unit_interval)?;
            key.clear();
            for column in &by_columns {
                // Length first: no two different rows share a key.
                let cell = table.text(*column)?.as_bytes();
                key.extend(cell.len().to_le_bytes());
                key.extend(cell);
            }
            let group = if let Some(group) = groups.get_mut(key.as_slice()) {
                group
            } else {
                let values = by_columns.iter().map(|c| table.text(*c).map(str::to_owned)).collect::<Result<_, _>>()?;
                let group = Group {
                    values,
                    tallies: purpose.model.map(Model::tallies).unwrap_or_default(),
                    shift: purpose.shift.map(ShiftCheck::tally),
                    pending: Vec::new(),
                    pending_probabilities: Vec::new(),
                };
                groups.entry(key.clone()).or_insert(group)
            };
            group.pending.push(value);
            if let Some(column) = probability {
                group.pending_probabilities.push(table.probability(column)?);
            }
            if group.pending.len() == BATCH {
                group.tally(purpose)?;
            }
        }
        if groups.is_empty() {
            return Err(table.without_rows());
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.iter_mut().try_for_each(|group| group.tally(purpose))?;
        Ok(Self { columns: by.to_vec(), groups })
    }
}

impl Group {
    fn tally(&mut self, purpose: Purpose) -> Result<(), Failure> {
        if let Some(model) = purpose.model {
            if self.pending_probabilities.is_empty() {
                model.push(&mut self.tallies, &self.pending)?;
            } else {
                let batch = Batch::with_probabilities(&self.pending, &self.pending_probabilities)?;
                model.push(&mut self.tallies, batch)?;
            }
        }
        if let (Some(check), Some(tally)) = (purpose.shift, &mut self.shift) {
            check.push(tally, &self.pending)?;
        }
        self.pending.clear();
        self.pending_probabilities.clear();
        Ok(())
    }
}
