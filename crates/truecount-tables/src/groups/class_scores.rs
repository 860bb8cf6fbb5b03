//! Probabilities of several classes, in a column for each class.

use super::numbered_rows::NumberedRowCollector;
use super::read::{accumulate, open};
use super::replicates::matching_columns;
use super::{Groups, NumberedRows, TestFiles};
use crate::input::{self, MissingPolicy};
use truecount::Error;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::request::{ClassColumn, class_labels};
use truecount_text::{LabelClasses, LabelValue, NoProgress, ScoreColumns};

/// The numbers of rows, and their values in each column.
type ColumnRows = (Vec<u64>, Vec<Vec<f64>>);

impl TestFiles<'_> {
    /// Returns the columns that are named, written as label=column or matched by a pattern with a star.
    ///
    /// # Errors
    /// Returns an error if no column matches a pattern, and if the table cannot be read.
    pub fn class_columns(&self, typed: &[String]) -> Result<Vec<ClassColumn>, Error> {
        let mut columns = Vec::new();
        for text in typed {
            if !text.contains('*') || text.contains('=') {
                columns.push(ClassColumn::parse(text));
                continue;
            }
            self.check_not_standard_input()?;
            let names = matching_columns(text, self)?;
            if names.is_empty() {
                return Err(AnalysisProblem::option_conflict(
                    format!("{{--class-scores={text}}}: no column has such a name"),
                    "a star stands for any characters, as in 'p_*'",
                ));
            }
            columns.extend(names.into_iter().map(|name| ClassColumn { label: None, name }));
        }
        Ok(columns)
    }

    /// Reads the probabilities of every group, with these columns for the classes.
    ///
    /// # Errors
    /// Returns an error for standard input, which cannot be read once for each column, if a file cannot be
    /// read, and if the probabilities of a row do not have the sum 1.
    pub fn read_class_scores(&self, columns: &[ClassColumn]) -> Result<Groups<ClassProbabilities>, Error> {
        self.read_class_columns(columns)?.map(|rows| self.probabilities(&rows))
    }

    fn check_not_standard_input(&self) -> Result<(), Error> {
        if self.paths.iter().any(|path| input::is_stdio(path)) {
            let hint = "write the table to a file: it is read once for each class";
            return Err(AnalysisProblem::option_conflict("{--class-scores} cannot read standard input", hint));
        }
        Ok(())
    }

    /// Reads the columns of every group.
    fn read_class_columns(&self, columns: &[ClassColumn]) -> Result<Groups<ColumnRows>, Error> {
        self.check_not_standard_input()?;
        if self.columns.missing == Some(MissingPolicy::Drop) {
            return Err(AnalysisProblem::option_conflict(
                "{--class-scores} cannot be used with {--missing=drop}",
                "leave out the rows without a value",
            ));
        }
        let mut all: Option<Groups<ColumnRows>> = None;
        for ClassColumn { name, .. } in columns {
            let scores = ScoreColumns { score: Some(name), probability: Some(name), ..self.columns };
            // Notes about the groups would be the same for each column.
            let progress = if all.is_none() { self.progress } else { &NoProgress };
            let files = TestFiles { columns: scores, progress, ..*self };
            let (mut reading, mut interner) = open(&files, None, &[])?;
            let rows = NumberedRowCollector::default();
            let groups = accumulate(&mut reading, &mut interner, &files, usize::MAX, rows)?.groups;
            let Groups { keys, contents, .. } = groups;
            let numbers = contents.into_iter().map(|NumberedRows { rows, numbers }| {
                let mut sorted: Vec<(u64, f64)> = rows.into_iter().zip(numbers.scores).collect();
                sorted.sort_by_key(|(row, _)| *row);
                sorted.into_iter().unzip::<u64, f64, Vec<_>, Vec<_>>()
            });
            let numbers: Vec<_> = numbers.collect();
            let all = all.get_or_insert_with(|| {
                let contents = numbers.iter().map(|(rows, _)| (rows.clone(), Vec::new())).collect();
                Groups { keys, contents, shift_total: None }
            });
            all.contents.iter_mut().zip(numbers).for_each(|((_, columns), (_, values))| columns.push(values));
        }
        Ok(all.expect("at least one column"))
    }

    /// Returns the probabilities of rows.
    fn probabilities(&self, (rows, columns): &ColumnRows) -> Result<ClassProbabilities, Error> {
        let values: Vec<f64> = (0..rows.len()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        let number = |row: usize| usize::try_from(rows[row]).expect("a row in memory");
        let in_row = |error: Error| error.renumber_row(number).in_file(input::title(self.paths));
        ClassProbabilities::new(&values, columns.len()).map_err(in_row)
    }

    /// Reads labelled probabilities, with these columns for the classes. The only grouping column has the
    /// labels.
    ///
    /// # Errors
    /// Returns the errors of [`read_class_scores`](Self::read_class_scores), and an error unless each column
    /// has a label and each label a column.
    pub fn read_labelled_classes(
        &self,
        columns: &[ClassColumn],
        classes: &LabelClasses,
    ) -> Result<LabelledProbabilities, Error> {
        let Groups { keys, contents, .. } = self.read_class_columns(columns)?;
        let texts = keys.texts();
        let label = |group: usize| texts.group_texts(group).next().expect("the column with the labels");
        let kept: Vec<(String, ColumnRows)> = contents
            .into_iter()
            .enumerate()
            .map(|(group, rows)| (label(group), rows))
            .filter(|(label, _)| !classes.is_ignored(&LabelValue::new(label)))
            .collect();
        let labels: Vec<String> = kept.iter().map(|(label, _)| label.clone()).collect();
        let names = class_labels(columns, &labels)?;
        let class = |label: &String| names.iter().position(|name| name == label).expect("a label with a column");
        let numbers: Vec<usize> = kept.iter().flat_map(|(label, rows)| vec![class(label); rows.0.len()]).collect();
        let rows = kept.iter().map(|(_, rows)| self.probabilities(rows)).collect::<Result<Vec<_>, _>>()?;
        let in_file = |error: Error| error.in_file(input::title(self.paths));
        LabelledProbabilities::new(&names, ClassProbabilities::concat(&rows), &numbers).map_err(in_file)
    }
}
