//! Reads files. No other module depends on their format.

use crate::error::PageError;
use std::fs::File;
use std::path::{Path, PathBuf};
use truecount::{DatePeriod, Estimates, IntervalOptions, LabelledScores, Model, Tally};
use truecount_analysis::ScoreValues;
use truecount_analysis::groups::TextNames;
use truecount_report::{FileContent, InputFile};
use truecount_text::{LabelledText, MissingPolicy, NoProgress, ScoreColumns, TextFiles};

/// Groups of rows, named by their text in the file.
pub type PageGroups<T> = truecount_analysis::groups::NamedGroups<T, TextNames>;

/// The file and columns of the labelled scores.
pub struct LabelledSource<'a> {
    /// The file.
    pub path: &'a Path,
    /// The column with the scores.
    pub score: Option<&'a str>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The part of the model that needs scores strictly between 0 and 1, if one does.
    pub unit_interval: Option<&'static str>,
}

/// The files and columns of the test scores.
pub struct TestSource<'a> {
    /// The files.
    pub paths: &'a [PathBuf],
    /// The column with the scores.
    pub score: Option<&'a str>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// The period that replaces each date in the last grouping column.
    pub every: Option<DatePeriod>,
}

fn columns(score: Option<&str>) -> ScoreColumns<'_> {
    ScoreColumns { score, missing: Some(MissingPolicy::Error), ..ScoreColumns::default() }
}

impl LabelledSource<'_> {
    /// Reads all scores with their labels.
    pub fn read(&self) -> Result<LabelledScores, PageError> {
        let Self { path, score, label, positive, unit_interval } = *self;
        let columns = columns(score);
        let file = LabelledText { path, columns, label, positive, unit_interval };
        Ok(file.read(&NoProgress)?)
    }
}

impl TestSource<'_> {
    /// Reads every group's scores.
    pub fn scores(&self, model: &Model) -> Result<PageGroups<ScoreValues<Vec<f64>>>, PageError> {
        Ok(self.files(model).read_scores(model)?)
    }

    /// Reads and tallies every group's scores.
    pub fn tallies(&self, model: &Model) -> Result<PageGroups<Tally>, PageError> {
        Ok(self.files(model).tally(model)?)
    }

    /// Reads every group's scores and estimates the groups.
    pub fn estimates(&self, model: &Model, options: &IntervalOptions) -> Result<PageGroups<Estimates>, PageError> {
        Ok(self.files(model).estimate(model, options)?)
    }

    fn files(&self, model: &Model) -> TextFiles<'_> {
        let Self { paths, score, weight, by, every } = *self;
        let columns = columns(score).for_model(model);
        TextFiles { weight, every, ..TextFiles::new(paths, columns, by, &NoProgress) }
    }
}

/// Calls a function with every cell of the first rows, row by row, and returns the columns' names.
/// Its arguments are the column's index, the text, and the number, if the text is one.
pub fn first_rows(
    path: &Path,
    max_rows: usize,
    visit: &mut dyn FnMut(usize, &str, Option<f64>),
) -> Result<Vec<String>, PageError> {
    Ok(truecount_text::first_rows(path, max_rows, &NoProgress, visit)?)
}

/// Returns the name of a file as messages show it.
pub fn name(path: &Path) -> String {
    truecount_text::name(path)
}

/// Returns the name, size and hash of a file.
pub fn input_file(path: &Path) -> Result<InputFile, PageError> {
    let name = name(path);
    let content = File::open(path).and_then(|mut file| FileContent::read(&mut file)).map_err(PageError::at(&name))?;
    Ok(InputFile { name, content: Some(content) })
}
