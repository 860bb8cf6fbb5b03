//! Columns of test scores from R, and the options of their intervals.

use crate::error::CallResult;
use crate::request::RequestList;
use savvy::{RealSexp, Result};
use truecount::IntervalOptions;
use truecount_analysis::options::IntervalArgs;
use truecount_analysis::sets::{TestSet, TestSets, sort_by_group, split_at_starts};

/// The columns of test scores, and the group of each row.
pub struct NewDataColumns {
    scores: RealSexp,
    probabilities: Option<RealSexp>,
    weights: Option<RealSexp>,
    groups: Option<Vec<u32>>,
    /// The columns with their rows sorted by group, and the first row of each group.
    sorted: Option<(Vec<Vec<f64>>, Vec<usize>)>,
}

impl NewDataColumns {
    pub fn new(columns: &RequestList) -> Result<Self> {
        let scores = columns.numbers("scores")?.ok_or_else(|| savvy::Error::new("scores are wanted"))?;
        let (probabilities, weights) = (columns.numbers("probabilities")?, columns.numbers("weights")?);
        let groups = columns.indices("groups")?;
        let number_of_groups = columns.count("number_of_groups")?;
        let slices: Vec<&[f64]> = [Some(&scores), probabilities.as_ref(), weights.as_ref()]
            .into_iter()
            .flatten()
            .map(RealSexp::as_slice)
            .collect();
        let sorted = groups.as_ref().map(|groups| sort_by_group(&slices, groups, number_of_groups));
        Ok(Self { scores, probabilities, weights, groups, sorted })
    }

    /// Returns the columns, or `None` without scores.
    pub fn optional(columns: &RequestList) -> Result<Option<Self>> {
        let has_scores = columns.numbers("scores")?.is_some();
        has_scores.then(|| Self::new(columns)).transpose()
    }

    /// Returns a test set for each group, or one set of all rows without groups.
    pub fn sets(&self) -> CallResult<TestSets<'_>> {
        let Self { probabilities, groups, sorted, .. } = self;
        let Some((columns, starts)) = sorted else { return Ok(self.whole()) };
        let mut columns = columns.iter().map(Vec::as_slice);
        let scores = columns.next().expect("scores");
        let probabilities = probabilities.as_ref().and_then(|_| columns.next());
        let whole = TestSet { scores, probabilities, weights: columns.next() };
        let sets =
            split_at_starts(whole, starts).ok_or_else(|| savvy::Error::new("the groups lie outside the columns"))?;
        Ok(TestSets { sets, groups: groups.as_deref() })
    }

    pub fn are_weighted(&self) -> bool {
        self.weights.is_some()
    }

    pub fn number_of_rows(&self) -> usize {
        self.scores.len()
    }

    /// Returns a column of the rows in the order of the sets.
    pub fn sorted(&self, column: &[f64]) -> Vec<f64> {
        match self.sorted.as_ref().zip(self.groups.as_ref()) {
            Some(((_, starts), groups)) => sort_by_group(&[column], groups, starts.len() - 1).0.concat(),
            None => column.to_vec(),
        }
    }

    pub fn whole(&self) -> TestSets<'_> {
        let set = TestSet {
            scores: self.scores.as_slice(),
            probabilities: self.probabilities.as_ref().map(RealSexp::as_slice),
            weights: self.weights.as_ref().map(RealSexp::as_slice),
        };
        TestSets { sets: vec![set], groups: None }
    }
}

/// Returns the group of each test set and the number of groups, or `None` if the sets are not the
/// clusters or strata of groups.
pub fn set_groups(request: &RequestList) -> Result<Option<(Vec<u32>, usize)>> {
    let number_of_groups = request.count("number_of_groups")?;
    Ok(request.indices("set_groups")?.map(|groups| (groups, number_of_groups)))
}

pub fn interval_options(request: &RequestList) -> CallResult<IntervalOptions> {
    Ok(request.read::<IntervalArgs>()?.parse()?)
}
