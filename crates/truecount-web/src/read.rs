//! What is read of files: the only module that knows how.

use crate::error::PageError;
use std::fs::File;
use std::path::{Path, PathBuf};
use truecount::{Estimates, IntervalOptions, LabelledScores, Model, Tallies};
use truecount_analysis::ScoreValues;
use truecount_analysis::groups::TextNames;
use truecount_report::{FileContent, InputFile};
use truecount_text::{LabelledText, ScoreColumns, Silent, TextFiles};

/// Groups of rows with the names that the text gives them.
pub type PageGroups<T> = truecount_analysis::groups::NamedGroups<T, TextNames>;

/// Where the labelled scores are.
pub struct PageLabels<'a> {
    /// The file.
    pub path: &'a Path,
    /// The column with the scores.
    pub score: Option<&'a str>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// What needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

/// Where the test scores are.
pub struct Tests<'a> {
    /// The files.
    pub paths: &'a [PathBuf],
    /// The column with the scores.
    pub score: Option<&'a str>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
}

fn columns(score: Option<&str>) -> ScoreColumns<'_> {
    ScoreColumns { score, probability: None, decimal: None, sheet: None }
}

impl PageLabels<'_> {
    /// All scores, with their labels.
    pub fn read(&self) -> Result<LabelledScores, PageError> {
        let Self { path, score, label, positive, unit_interval } = *self;
        let columns = columns(score);
        let file = LabelledText { path, columns, label, positive, unit_interval };
        Ok(file.read(&Silent)?)
    }
}

impl Tests<'_> {
    /// Every group's scores.
    pub fn scores(&self, model: &Model) -> Result<PageGroups<ScoreValues<Vec<f64>>>, PageError> {
        Ok(self.files(model).kept(model)?)
    }

    /// Every group's tallies.
    pub fn tallies(&self, model: &Model) -> Result<PageGroups<Tallies>, PageError> {
        Ok(self.files(model).tallied(model)?)
    }

    /// Every group's estimates.
    pub fn estimates(&self, model: &Model, reporting: &IntervalOptions) -> Result<PageGroups<Estimates>, PageError> {
        Ok(self.files(model).estimated(model, reporting)?)
    }

    fn files(&self, model: &Model) -> TextFiles<'_> {
        let Self { paths, score, weight, by } = *self;
        let columns = columns(score).for_model(model);
        TextFiles { paths, columns, weight, by, progress: &Silent }
    }
}

/// Shows the cells of so many rows, row by row in the order of the columns, and returns the
/// columns' names.
pub fn first_rows(
    path: &Path,
    most: usize,
    see: &mut dyn FnMut(usize, &str, Option<f64>),
) -> Result<Vec<String>, PageError> {
    Ok(truecount_text::first_rows(path, most, &Silent, see)?)
}

/// What a file is called.
pub fn name(path: &Path) -> String {
    truecount_text::name(path)
}

/// The size of a file and its hash.
pub fn input_file(path: &Path) -> Result<InputFile, PageError> {
    let name = name(path);
    let content = File::open(path).and_then(|mut file| FileContent::read(&mut file)).map_err(PageError::at(&name))?;
    Ok(InputFile { name, content: Some(content) })
}
