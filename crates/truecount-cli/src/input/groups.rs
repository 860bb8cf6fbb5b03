//! Test scores from a table by group: tallied in one pass, or kept as they are.

use super::table::Table;
use super::{Columns, Keys};
use crate::failure::Failure;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use indexmap::IndexMap;
use std::path::Path;
use std::sync::Arc;
use truecount::check::ShiftCheck;
use truecount::{Batch, Model, Tally};

/// Rows a group keeps before they are tallied together.
const BATCH: usize = 64;

/// Where test scores are read.
pub struct TestFile<'a> {
    pub path: &'a Path,
    pub columns: &'a Columns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// What every group is tallied for besides, where the labelled scores allow it.
    pub shift: Option<&'a ShiftCheck>,
}

/// Groups in order of first appearance; a single one without `--by`.
pub struct Groups<T> {
    pub keys: Keys,
    /// What is known of each group's scores.
    pub contents: Vec<T>,
    pub shift: Shifts,
}

/// Tallies of the shift check.
pub enum Shifts {
    None,
    /// Each group's.
    Each(Vec<Tally>),
    /// That of all groups together, where they are too many for each to have its own.
    Together(Tally),
}

/// One group while it is read.
struct Group<T> {
    values: Vec<String>,
    content: T,
    shift: Option<Tally>,
}

/// What one row holds.
struct Row {
    score: f64,
    probability: Option<f64>,
    weight: Option<f64>,
}

/// Scores with the columns beside them that there are.
#[derive(Default)]
pub struct Rows {
    scores: Vec<f64>,
    probabilities: Vec<f64>,
    weights: Vec<f64>,
}

/// Tallies, one for each of the model's quantifiers, and scores that are not yet in them.
struct Tallied {
    tallies: Vec<Tally>,
    pending: Rows,
}

impl Groups<Vec<Tally>> {
    /// Every group's tallies; of constant size for most methods.
    pub fn tallied(file: &TestFile, model: &Model) -> Result<Self, Failure> {
        let empty = if file.weight.is_some() { model.weighted_tallies()? } else { model.tallies() };
        let new = || Tallied { tallies: empty.clone(), pending: Rows::default() };
        let groups = Groups::read(file, model.unit_interval(), new, |tallied, row| {
            tallied.pending.push(&row);
            if tallied.pending.scores.len() == BATCH { tallied.flush(model) } else { Ok(()) }
        })?;
        let tallied = groups.map(|mut tallied| tallied.flush(model).map(|()| tallied.tallies))?;
        // A group has rows; if none counts, their weights are 0.
        let Some(empty) = tallied.contents.iter().position(|tallies| tallies.iter().any(|tally| tally.n() == 0)) else {
            return Ok(tallied);
        };
        let values = tallied.keys.texts().of(empty).collect::<Vec<_>>().join(", ");
        let of = if file.by.is_empty() { String::new() } else { format!(" of '{values}'") };
        let name = super::name(file.path);
        Err(Failure::Data(format!("{name}: all weights{of} are 0; remove these rows, or weigh some of them")))
    }
}

impl Groups<Rows> {
    /// Every group's scores, in memory.
    pub fn kept(file: &TestFile, model: &Model) -> Result<Self, Failure> {
        Groups::read(file, model.unit_interval(), Rows::default, |scores, row| {
            scores.push(&row);
            Ok(())
        })
    }
}

impl Groups<()> {
    /// Every group's tally of the shift check alone.
    pub fn checked(file: &TestFile) -> Result<Self, Failure> {
        Groups::read(file, None, || (), |(), _| Ok(()))
    }
}

impl<T> Groups<T> {
    /// What needs scores strictly between 0 and 1, if anything does; how a group begins, and what it keeps of a row.
    fn read(
        file: &TestFile,
        unit_interval: Option<&str>,
        new: impl Fn() -> T,
        mut add: impl FnMut(&mut T, Row) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let mut table = Table::open(file.path)?;
        let score = table.column(file.columns.score)?;
        let probability = file.columns.probability.map(|name| table.column(name)).transpose()?;
        let weight = file.weight.map(|name| table.column(name)).transpose()?;
        let by = file.by.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let mut groups: IndexMap<Vec<u8>, Group<T>> = IndexMap::new();
        let mut key = Vec::new();
        while table.next()? {
            let row = Row {
                score: table.score(score, unit_interval)?,
                probability: probability.map(|column| table.probability(column)).transpose()?,
                weight: weight.map(|column| table.weight(column)).transpose()?,
            };
            key.clear();
            for column in &by {
                // Length first: no two different rows share a key.
                let cell = table.text(*column)?.as_bytes();
                key.extend(cell.len().to_le_bytes());
                key.extend(cell);
            }
            let group = if let Some(group) = groups.get_mut(key.as_slice()) {
                group
            } else {
                let values = by.iter().map(|c| table.text(*c).map(str::to_owned)).collect::<Result<_, _>>()?;
                let shift = file.shift.map(ShiftCheck::tally);
                groups.entry(key.clone()).or_insert(Group { values, content: new(), shift })
            };
            // What has weight 0 counts for nothing.
            if let (Some(check), Some(tally)) = (file.shift, &mut group.shift)
                && row.weight != Some(0.0)
            {
                check.push(tally, &[row.score])?;
            }
            add(&mut group.content, row)?;
        }
        if groups.is_empty() {
            return Err(table.without_rows());
        }
        let column = |i: usize| -> ArrayRef {
            Arc::new(groups.values().map(|group| Some(group.values[i].as_str())).collect::<StringArray>())
        };
        let fields = file.by.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>();
        let keys = RecordBatch::try_new_with_options(
            Arc::new(Schema::new(fields)),
            (0..file.by.len()).map(column).collect(),
            &RecordBatchOptions::new().with_row_count(Some(groups.len())),
        );
        let keys = Keys::new(keys.expect("columns of equal length"));
        let (contents, shifts): (Vec<_>, Vec<_>) = groups.into_values().map(|g| (g.content, g.shift)).unzip();
        let shift = shifts.into_iter().collect::<Option<_>>().map_or(Shifts::None, Shifts::Each);
        Ok(Self { keys, contents, shift })
    }

    /// Does the same to every group.
    pub fn map<U>(self, each: impl FnMut(T) -> Result<U, Failure>) -> Result<Groups<U>, Failure> {
        let contents = self.contents.into_iter().map(each).collect::<Result<_, Failure>>()?;
        Ok(Groups { keys: self.keys, contents, shift: self.shift })
    }
}

impl Rows {
    fn push(&mut self, row: &Row) {
        self.scores.push(row.score);
        self.probabilities.extend(row.probability);
        self.weights.extend(row.weight);
    }

    pub fn batch(&self) -> Result<Batch<'_>, Failure> {
        let batch = match self.probabilities.as_slice() {
            [] => Batch::from(&self.scores),
            probabilities => Batch::with_probabilities(&self.scores, probabilities)?,
        };
        Ok(if self.weights.is_empty() { batch } else { batch.with_weights(&self.weights)? })
    }
}

impl Tallied {
    fn flush(&mut self, model: &Model) -> Result<(), Failure> {
        model.push(&mut self.tallies, self.pending.batch()?)?;
        self.pending.scores.clear();
        self.pending.probabilities.clear();
        self.pending.weights.clear();
        Ok(())
    }
}
