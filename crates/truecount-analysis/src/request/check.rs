//! Requests for checks of prior probability shift and of the fit of families.

use crate::AnalysisProblem;
use crate::estimates::first_error;
use crate::executor::Executor;
use crate::family_test::fit_families;
use crate::results::{CheckRow, FitRow};
use crate::sets::{TestSet, TestSets};
use crate::shift_test::{Check, CheckResult, CheckTally};
use serde::Deserialize;
use truecount::scores::{PerClass, Transform};
use truecount::{Error, LabelledScores};

/// A request for a check.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct CheckRequest {
    pub by: Vec<String>,
    pub weight: Option<String>,
    pub contamination: Option<f64>,
    pub transform: String,
    pub resamples: Option<u32>,
    pub seed: u64,
}

impl Default for CheckRequest {
    fn default() -> Self {
        let transform = Transform::default().to_string();
        Self { by: Vec::new(), weight: None, contamination: None, transform, resamples: None, seed: 1 }
    }
}

impl CheckRequest {
    /// Tests every set and returns a row for each in `order`, which names every set once. `folds` has
    /// the fold of each labelled score by class.
    ///
    /// # Errors
    /// Returns the errors of [`Check::new`], and those about a set with its number.
    pub fn run(
        &self,
        executor: &impl Executor,
        labelled: &LabelledScores,
        folds: Option<&PerClass<Vec<u32>>>,
        sets: &TestSets,
        order: &[usize],
    ) -> Result<CheckResult, Error> {
        let test = Check::new(labelled, folds)?;
        let tallies = first_error(executor.map(&sets.sets, |set: &TestSet| test.tally_set(set)));
        let tallies = tallies.map_err(|error| sets.map_row(error))?;
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, set)| ranks[*set] = rank);
        let sort = |rows: &mut [CheckRow]| rows.sort_by_key(|row| ranks[row.group]);
        self.answer(&test, &tallies, sort).map_err(|error| sets.map_row(error.in_set(0)))
    }

    /// Tests tallied groups, and returns their rows as `sort` orders them.
    ///
    /// # Errors
    /// Returns an error for a group without test scores, and if the contamination is not a share.
    pub fn answer(
        &self,
        test: &Check,
        groups: &[CheckTally],
        sort: impl FnOnce(&mut [CheckRow]),
    ) -> Result<CheckResult, Error> {
        let mut rows = test.rows(groups)?;
        sort(&mut rows);
        let contamination = self.contamination.map(|share| test.contamination(share, &rows, groups)).transpose()?;
        Ok(CheckResult { rows, folds: test.folds.clone(), contamination })
    }

    /// Transforms the labelled scores and fits every family to each class.
    ///
    /// # Errors
    /// Returns an error for scores that cannot be transformed, [`AnalysisProblem::WeightedOrClustered`]
    /// for scores with weights or clusters, and [`Interrupted`](crate::executor::Interrupted) if the
    /// user interrupts the work.
    pub fn families(&self, executor: &impl Executor, labelled: &LabelledScores) -> Result<Vec<FitRow>, Error> {
        if !labelled.is_simple_random_sample() {
            return Err(AnalysisProblem::WeightedOrClustered { name: "families" }.into());
        }
        let scores = self.transform.parse::<Transform>()?.apply_to_labelled(labelled)?;
        Ok(fit_families(executor, &scores, self.resamples.map(|resamples| (resamples, self.seed)))?)
    }
}
