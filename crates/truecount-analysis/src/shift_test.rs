//! The test of prior probability shift: whether the test scores of each group are a mix of the
//! labelled classes, and the known causes if they are not.
//!
//! A [`Check`] is created from labelled scores. Test scores are added to a [`CheckTally`]
//! for each group, from memory or from files.

use crate::AnalysisProblem;
use crate::results::{CheckRow, ContaminationRow, ResultTable, format_p_value};
use crate::sets::TestSet;
use truecount::scores::PerClass;
use truecount::shift_test::{Cause, FoldComparison, ScoreProfile, ScoreProfileCounts, ShiftCheck, ShiftTally, Verdict};
use truecount::{Error, LabelledScores};

/// A check of whether test scores are a mix of the labelled classes.
pub struct Check<'a> {
    labelled: &'a LabelledScores,
    shift: ShiftCheck,
    profile: ScoreProfile,
    /// The comparison of the folds, if the labelled scores come from several.
    pub folds: Option<FoldComparison>,
}

/// The tally of a group's test scores.
pub struct CheckTally {
    tally: ShiftTally,
    profile: ScoreProfileCounts,
}

/// The result of the test for several groups of test scores.
pub struct CheckResult {
    /// A row for every group.
    pub rows: Vec<CheckRow>,
    /// The comparison of the folds, if the labelled scores come from several.
    pub folds: Option<FoldComparison>,
    /// The sensitivity to contamination, if it was requested: two rows for every group.
    pub contamination: Option<Vec<ContaminationRow>>,
}

impl CheckTally {
    /// Returns the number of test scores with a weight above 0.
    pub fn n(&self) -> u64 {
        self.tally.n()
    }

    /// Adds the scores of another tally of the same test.
    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally).expect("tallies of one test");
        self.profile.merge(&other.profile);
    }
}

impl<'a> Check<'a> {
    /// Creates a test that compares test scores with these labelled scores. `folds` has the fold of
    /// each labelled score by class.
    ///
    /// # Errors
    /// Returns an error if there are too few labelled scores for the check, if the folds cannot be
    /// compared by [`ShiftCheck::folds`], and [`AnalysisProblem::FoldsNotComparable`] if no class has
    /// scores of two folds.
    pub fn new(labelled: &'a LabelledScores, folds: Option<&PerClass<Vec<u32>>>) -> Result<Self, Error> {
        let check = ShiftCheck::new(labelled)?;
        let not_comparable = || Error::from(AnalysisProblem::FoldsNotComparable { name: "fold" });
        let compare = |numbers| check.folds(labelled.scores(), numbers)?.ok_or_else(not_comparable);
        let folds = folds.map(compare).transpose()?;
        Ok(Self { labelled, shift: check, profile: ScoreProfile::new(labelled.scores()), folds })
    }

    /// Returns an empty tally.
    pub fn tally(&self) -> CheckTally {
        CheckTally { tally: self.shift.tally(), profile: ScoreProfileCounts::default() }
    }

    /// Adds test scores to the tally of their group.
    ///
    /// # Errors
    /// Returns an error for columns of different lengths, and for a score that the check cannot
    /// use.
    pub fn update(&self, group: &mut CheckTally, rows: &TestSet) -> Result<(), Error> {
        self.shift.update(&mut group.tally, rows.batch()?)?;
        self.profile.update(&mut group.profile, rows.scores, rows.weights);
        Ok(())
    }

    /// Returns the tally of a set, whose errors are those of a test of the set.
    pub(crate) fn tally_set(&self, set: &TestSet) -> Result<CheckTally, Error> {
        let mut tally = self.tally();
        self.update(&mut tally, set)?;
        self.shift.test(&tally.tally).map(|_| tally)
    }

    /// Tests all groups, and returns a row for each.
    pub(crate) fn rows(&self, groups: &[CheckTally]) -> Result<Vec<CheckRow>, Error> {
        let verdicts = self.shift.test_all(groups.iter().map(|group| &group.tally))?;
        let row = |(group, (CheckTally { tally, profile }, result)): (usize, (&_, _))| {
            let causes = self.shift.causes(&result, tally, (&self.profile, profile), self.folds.as_ref())?;
            Ok(CheckRow { group, result, causes })
        };
        groups.iter().zip(verdicts).enumerate().map(row).collect()
    }

    /// Returns the sensitivity of these rows' estimates to contamination, in which a share of a
    /// class scores differently from the labelled rows. There are two rows for each group.
    pub(crate) fn contamination(
        &self,
        share: f64,
        rows: &[CheckRow],
        groups: &[CheckTally],
    ) -> Result<Vec<ContaminationRow>, Error> {
        let tallies: Vec<&ShiftTally> = groups.iter().map(|group| &group.tally).collect();
        ContaminationRow::for_groups(share, self.labelled, rows, &tallies)
    }
}

impl CheckResult {
    /// Returns the table for programs.
    pub fn table(&self) -> ResultTable<'_> {
        ResultTable::new(&self.rows)
    }

    /// Returns the table for people. With several groups there is only room without the unexplained
    /// share; with one group the adjusted p-value is redundant.
    pub fn readable_table(&self) -> ResultTable<'_> {
        self.table().hidden(if self.rows.len() > 1 { "unexplained" } else { "p_value_holm" })
    }
}

/// Splits numbers, one for each row, by the class of the row.
pub fn split_by_class(numbers: &[u32], positive: &[bool]) -> PerClass<Vec<u32>> {
    let in_class = |class: bool| {
        let rows = numbers.iter().zip(positive).filter(|(_, is_positive)| **is_positive == class);
        rows.map(|(number, _)| *number).collect()
    };
    PerClass { positive: in_class(true), negative: in_class(false) }
}

/// Describes the known causes of deviations from a mix of the classes. Each kind of cause has one
/// sentence, about the group with the smallest p-value.
pub fn describe_causes(groups: &[CheckRow]) -> Vec<String> {
    let doubtful = || groups.iter().filter(|row| row.result.verdict() != Verdict::Plausible);
    let mut causes: Vec<(&Cause, usize)> = Vec::new();
    for row in doubtful() {
        for cause in &row.causes {
            if causes.iter().all(|(other, _)| other.name() != cause.name()) {
                let is_same_kind = |other: &&Cause| other.name() == cause.name();
                let rows = doubtful().filter(|row| row.causes.iter().any(|other| is_same_kind(&other)));
                let worst =
                    rows.clone().min_by(|a, b| a.result.statistics.p_value.total_cmp(&b.result.statistics.p_value));
                let worst_cause = worst.and_then(|row| row.causes.iter().find(is_same_kind));
                causes.push((worst_cause.unwrap_or(cause), rows.count()));
            }
        }
    }
    let sentence = |(cause, number): (&Cause, usize)| match groups.len() {
        1 => cause.to_string(),
        _ => format!("In {number} of the {} doubtful or rejected groups: {cause}", doubtful().count()),
    };
    causes.into_iter().map(sentence).collect()
}

/// Describes in a sentence whether the classifiers of the folds score alike.
pub fn describe_folds(folds: &FoldComparison) -> String {
    let FoldComparison { folds: number, p_value, .. } = folds;
    let p = format_p_value(*p_value);
    if folds.differ() {
        format!(
            "The labelled scores of the {number} folds differ by more than chance explains (p {p}): the folds' \
             classifiers score differently, so the test scores must come from these same classifiers."
        )
    } else {
        format!("The labelled scores of the {number} folds do not differ by more than chance explains (p {p}).")
    }
}
