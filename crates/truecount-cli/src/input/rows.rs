//! What is read of a table's rows, many at a time.

use crate::failure::Failure;
use arrow::array::ArrayRef;
use arrow::buffer::ScalarBuffer;
use truecount::Batch;

/// The columns to read. Without `by` all rows are one group.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub score: &'a str,
    /// The column with a classifier's probabilities.
    pub probability: Option<&'a str>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// What needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

/// What to do with scores that are no probabilities.
pub const OF_ANY_SIZE: &str = "scores of any size are for --transform none or rank, with any --family but beta";

/// Rows that were read and checked together: all scores are finite numbers, and so on.
pub struct Chunk {
    pub numbers: Numbers<ScalarBuffer<f64>>,
    /// The columns that make groups.
    pub by: Vec<ArrayRef>,
    pub places: Places,
}

/// Scores with the columns of numbers beside them that there are.
#[derive(Clone, Default)]
pub struct Numbers<T> {
    pub scores: T,
    pub probabilities: Option<T>,
    pub weights: Option<T>,
}

impl<T> Numbers<T> {
    /// Each column as something else.
    pub fn map<'a, U>(&'a self, mut column: impl FnMut(&'a T) -> U) -> Numbers<U> {
        Numbers {
            scores: column(&self.scores),
            probabilities: self.probabilities.as_ref().map(&mut column),
            weights: self.weights.as_ref().map(&mut column),
        }
    }
}

impl<T: AsRef<[f64]>> Numbers<T> {
    pub fn batch(&self) -> Result<Batch<'_>, Failure> {
        let batch = match &self.probabilities {
            None => Batch::from(self.scores.as_ref()),
            Some(probabilities) => Batch::with_probabilities(self.scores.as_ref(), probabilities.as_ref())?,
        };
        Ok(match &self.weights {
            None => batch,
            Some(weights) => batch.with_weights(weights.as_ref())?,
        })
    }
}

/// Where rows stand in their file, ascending: lines of a text, or rows counted from 1.
#[derive(Default)]
pub struct Places {
    rows: usize,
    next: u64,
    /// From which row on which places follow one another.
    runs: Vec<(usize, u64)>,
}

impl Places {
    /// So many rows one after the other.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, next: first + rows as u64, runs: vec![(0, first)] }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn push(&mut self, place: u64) {
        if place != self.next || self.runs.is_empty() {
            self.runs.push((self.rows, place));
        }
        self.rows += 1;
        self.next = place + 1;
    }

    pub fn of(&self, row: usize) -> u64 {
        let (first, place) = self.runs[self.runs.partition_point(|(first, _)| *first <= row) - 1];
        place + (row - first) as u64
    }
}
