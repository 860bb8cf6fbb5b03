//! Labelled scores from a table of any format.

use crate::Progress;
use crate::groups::{RowCollector, ScoreColumns, TestFiles};
use std::path::{Path, PathBuf};
use truecount::{Error, LabelledScores};
use truecount_text::{LabelColumns, LabelledTable};

/// Which file and columns labelled scores are read from.
pub struct LabelledFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The column whose values say which rows belong together.
    pub cluster: Option<&'a str>,
    /// The name of what needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

impl LabelledFile<'_> {
    /// All scores, with their labels.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not have exactly two labels, one of them the positive one.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        self.table(None, progress)?.scores(None)
    }

    /// All rows, with the values of a column that strata differ in, if it is named.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn table(&self, stratum: Option<&str>, progress: &dyn Progress) -> Result<LabelledTable, Error> {
        let Self { path, columns, label, positive, weight, cluster, unit_interval } = *self;
        let label = LabelColumns { path, label, positive, cluster, stratum };
        let (paths, by): ([PathBuf; 1], _) = ([path.to_owned()], label.by());
        let files = TestFiles { paths: &paths, columns, weight, by: &by, fingerprint: None, progress };
        LabelledTable::new(&label, files.read(unit_interval, label.max_groups(), &RowCollector)?.into_rows())
    }
}
