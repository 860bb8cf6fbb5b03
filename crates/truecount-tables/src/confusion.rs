//! Audited rows with a predicted class each, or counts of such rows, with the sizes of their strata.

use crate::Progress;
use crate::audit::with_weight;
use crate::groups::{Groups, Keys, ScoreColumns, ScoreWords, TestFiles, read_sizes};
use crate::input::{self, ScoreValues};
use indexmap::IndexSet;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount::audit::ConfusionCount;
use truecount::error::{ErrorLocation, Problem};
use truecount_analysis::groups::{GroupKeys, GroupNames};
use truecount_analysis::output::ConfusionCounts;
use truecount_analysis::request::Sizes;
use truecount_analysis::{AUDIT_WEIGHT, AnalysisProblem, TableProblem};
use truecount_text::{SizeFormat, compare_classes, group_sizes, sum_counts};

/// The file with audited rows, the columns to read, and the source of the sizes of the strata.
pub struct ConfusionFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// How the file is read: its sheet and its numbers.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The column with the predicted classes.
    pub prediction: &'a str,
    /// The column with the strata, by default that of the predicted classes.
    pub stratum: Option<&'a str>,
    /// The column with the number of audited rows, for a table of counts.
    pub count: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// A table of sizes with the columns of groups and strata, instead of the test rows.
    pub population: Option<&'a Path>,
    /// The files of all rows, with the columns of groups and strata.
    pub test: &'a [PathBuf],
    /// How they are read.
    pub test_columns: ScoreColumns<'a>,
}

impl ConfusionFile<'_> {
    /// Reads the counts of every group, and the names of the classes.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if a row has no label, prediction or stratum, if a stratum has
    /// no size or no audited row, and if a count is not whole.
    pub fn read(&self, progress: &dyn Progress) -> Result<(Groups<ConfusionCounts>, Vec<String>), Error> {
        let by = self.by.len();
        let stratum = self.stratum.filter(|stratum| *stratum != self.prediction);
        let names = [stratum, Some(self.prediction), Some(self.label)].into_iter().flatten().map(str::to_owned);
        let names: Vec<String> = names.collect();
        let columns = [self.by, &names].concat();
        let paths = [self.path.to_owned()];
        // Counts are read as weights. Without counts, weights of the draw are read to see whether they are equal.
        let Groups { keys, contents, .. } = with_weight(self.path, self.count, |weight| {
            TestFiles { weight, ..rows(&paths, self.columns, &columns, &names, progress) }.scores(None)
        })?;
        let (strata, numbers) = keys.group_by(0..=by)?;
        let (group_keys, groups) = keys.group_by(0..by)?;
        let sizes = self.sizes(&strata, progress)?;
        let texts = |column: usize| {
            let reader = keys.reader();
            (0..keys.number()).map(|row| reader.text(row, column)).collect::<Vec<_>>()
        };
        let (labels, predictions) = (texts(columns.len() - 1), texts(columns.len() - 2));
        let mut classes: IndexSet<&String> = labels.iter().chain(&predictions).collect();
        classes.sort_by(|a, b| compare_classes(a, b));
        let class = |name| classes.get_index_of(name).expect("a known class");
        let mut result: Vec<ConfusionCounts> = Vec::new();
        result.resize_with(group_keys.number(), ConfusionCounts::default);
        let mut places: Vec<Option<usize>> = vec![None; strata.number()];
        let mut draw_weights: Vec<Option<f64>> = vec![None; strata.number()];
        for (row, values) in contents.iter().enumerate() {
            let ConfusionCounts { counts, strata: known } = &mut result[groups[row] as usize];
            let stratum = numbers[row] as usize;
            let place = *places[stratum].get_or_insert_with(|| {
                known.push((strata.name(stratum).unwrap_or_default(), sizes[stratum]));
                known.len() - 1
            });
            let n = self.number(values, &mut draw_weights[stratum])?;
            counts.push(ConfusionCount {
                stratum: place,
                label: class(&labels[row]),
                prediction: class(&predictions[row]),
                n,
            });
        }
        let classes = classes.into_iter().cloned().collect();
        Ok((Groups { keys: group_keys, contents: result, shift_total: None }, classes))
    }

    /// Returns the number of audited rows. `draw_weight` is the weight of earlier rows of the stratum.
    ///
    /// # Errors
    /// Returns an error if a number is not whole, and for rows that were drawn with other probabilities.
    fn number(&self, values: &ScoreValues<Vec<f64>>, draw_weight: &mut Option<f64>) -> Result<u64, Error> {
        let n = values.scores.len() as u64;
        let Some(weights) = &values.weights else { return Ok(n) };
        if self.count.is_none() {
            let first = *draw_weight.get_or_insert(weights[0]);
            return if weights.iter().all(|weight| (weight / first - 1.0).abs() < 1e-6) {
                Ok(n)
            } else {
                let problem = format!(
                    "{{--prediction}} needs rows of a stratum drawn with the same probability; their weights in \
                     '{AUDIT_WEIGHT}' differ"
                );
                Err(AnalysisProblem::option_conflict(problem, "draw rows with {--uniform}")
                    .in_file(input::name(self.path)))
            };
        }
        let location = || ErrorLocation::file(input::name(self.path)).column(self.count.unwrap_or_default());
        sum_counts(weights).map_err(|(_, problem)| location().error(problem))
    }

    /// Returns the size of each stratum: the number of its rows in the test files, or from the table of sizes.
    fn sizes(&self, strata: &Keys, progress: &dyn Progress) -> Result<Vec<f64>, Error> {
        let decimal = self.columns.decimal;
        let read = |path: &Path, by: &[String], may_lack| {
            if self.population.is_some() {
                return read_sizes(path, by, may_lack, (decimal, progress));
            }
            let groups = rows(self.test, self.test_columns, by, by, progress).scores(None)?;
            groups.map(|rows| Ok(ScoreValues { scores: vec![rows.scores.len() as f64], ..ScoreValues::default() }))
        };
        let path = self.population.unwrap_or_else(|| &self.test[0]).to_owned();
        let format = SizeFormat { decimal, read: &read };
        let sizes = group_sizes(strata, strata.columns().count(), [None, Some(&Sizes::Table(path))], &format);
        let (_, sizes) = sizes.map_err(|error| match error.problem() {
            Some(TableProblem::SizeUnused { group }) => {
                let location = ErrorLocation::file(input::name(self.path));
                ErrorLocation { group: Some(group.clone()), ..location }.error(Problem::AuditEmpty)
            }
            _ => error,
        })?;
        Ok(sizes.populations.expect("sizes were requested"))
    }
}

/// Returns files whose rows are counted by these columns; the last one stands for the scores.
fn rows<'a>(
    paths: &'a [PathBuf],
    columns: ScoreColumns<'a>,
    by: &'a [String],
    required: &'a [String],
    progress: &'a dyn Progress,
) -> TestFiles<'a> {
    let score = by.last().map(String::as_str);
    let columns = ScoreColumns { score, probability: None, words: Some(ScoreWords::Any), ..columns };
    TestFiles { required, ..TestFiles::new(paths, columns, by, progress) }
}
