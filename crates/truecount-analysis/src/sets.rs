//! Test sets in memory. Each set has its own columns, or is a group of rows of common columns.

use crate::ScoreValues;
use crate::groups::group_starts;
use std::ops::Range;
use truecount::Error;

/// A test set: scores with optional probabilities and weights.
pub type TestSet<'a> = ScoreValues<&'a [f64]>;

/// Test sets, with the groups of the caller's rows.
#[derive(Clone)]
pub struct TestSets<'a> {
    /// The sets.
    pub sets: Vec<TestSet<'a>>,
    /// The group of each row in the caller's order, if the sets are groups of rows.
    pub groups: Option<&'a [u32]>,
}

impl TestSets<'_> {
    /// Returns the total number of scores.
    pub fn number_of_scores(&self) -> usize {
        self.sets.iter().map(|set| set.scores.len()).sum()
    }

    /// Returns whether any set has weights.
    pub fn are_weighted(&self) -> bool {
        self.sets.iter().any(|set| set.weights.is_some())
    }

    /// Replaces the row number of an error, which counts the rows of one set, by the caller's.
    pub fn map_row(&self, error: Error) -> Error {
        let (Some(groups), Some(set)) = (self.groups, error.location().set) else { return error };
        let mut rows = (0..).zip(groups).filter(|(_, group)| **group as usize == set).map(|(row, _)| row);
        error.renumber_row(|row| rows.nth(row).unwrap_or(row))
    }
}

/// Splits columns into sets at `starts`, which ends with the end of the last set. Returns `None` if
/// a set extends beyond the columns.
pub fn split_at_starts<'a>(whole: TestSet<'a>, starts: &[usize]) -> Option<Vec<TestSet<'a>>> {
    let slice =
        |column: Option<&'a [f64]>, rows: Range<usize>| column.map(|column| column.get(rows).ok_or(())).transpose();
    let set = |limits: &[usize]| {
        let rows = || limits[0]..limits[1];
        let scores = whole.scores.get(rows())?;
        let (probabilities, weights) = (slice(whole.probabilities, rows()).ok()?, slice(whole.weights, rows()).ok()?);
        Some(TestSet { scores, probabilities, weights })
    };
    starts.windows(2).map(set).collect()
}

/// Sorts the rows of columns by group. Returns the columns, and the start of each of `number`
/// groups followed by the end of the last group.
pub fn sort_by_group(columns: &[&[f64]], groups: &[u32], number: usize) -> (Vec<Vec<f64>>, Vec<usize>) {
    let starts = group_starts(groups, number);
    // Each value is moved once. Sorting row numbers first would take longer for a single column.
    let by_group = |column: &&[f64]| {
        let mut sorted = vec![0.0; groups.len()];
        let mut next = starts.clone();
        for (value, group) in column.iter().zip(groups) {
            let index = &mut next[*group as usize];
            sorted[*index] = *value;
            *index += 1;
        }
        sorted
    };
    (columns.iter().map(by_group).collect(), starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::error::{ErrorLocation, Field, Problem};

    #[test]
    fn an_error_of_a_group_names_the_row_of_the_caller() {
        let groups = [1, 0, 1, 0, 1];
        let (columns, starts) = sort_by_group(&[&[0.1, 0.2, 0.3, 0.4, f64::NAN]], &groups, 2);
        assert_eq!(columns[0][..4], [0.2, 0.4, 0.1, 0.3]);
        let whole = TestSet { scores: &columns[0], probabilities: None, weights: None };
        let sets = TestSets { sets: split_at_starts(whole, &starts).unwrap(), groups: Some(&groups) };
        assert_eq!(sets.sets.iter().map(|set| set.scores.len()).collect::<Vec<_>>(), [2, 3]);
        let negative = Problem::WeightOutOfRange { value: Field::Number(-1.0) };
        let error = |row| ErrorLocation::value("weights", row).error(negative.clone()).in_set(1);
        assert_eq!(sets.map_row(error(2)), error(4));
    }

    #[test]
    fn a_set_beyond_a_column_is_none() {
        let whole = TestSet { scores: &[0.1, 0.2], probabilities: Some(&[0.5]), weights: None };
        assert!(split_at_starts(whole, &[0, 2]).is_none() && split_at_starts(whole, &[1, 0]).is_none());
        assert_eq!(split_at_starts(whole, &[0, 1]).unwrap().len(), 1);
    }
}
