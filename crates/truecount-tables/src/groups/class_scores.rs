//! Probabilities of several classes, in a column for each class.

use super::numbered_rows::NumberedRowCollector;
use super::read::{accumulate, open};
use super::replicates::matching_columns;
use super::{Groups, NumberedRows, TestFiles};
use crate::input;
use truecount::Error;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::request::{ClassColumn, class_labels};
use truecount_text::{LabelClasses, LabelValue, ScoreColumns};

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
            if self.paths.iter().any(|path| input::is_stdio(path)) {
                return Err(AnalysisProblem::option_conflict(
                    format!("{{--class-scores={text}}}: a star cannot stand for columns of standard input"),
                    "write the names of the columns",
                ));
            }
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
    /// Returns an error if a file cannot be read, and if the probabilities of a row do not have the sum 1.
    pub(super) fn read_class_scores(&self, columns: &[ClassColumn]) -> Result<Groups<ClassProbabilities>, Error> {
        self.read_class_rows(columns)?.map(|rows| self.probabilities(&rows, columns.len()))
    }

    fn read_class_rows(&self, columns: &[ClassColumn]) -> Result<Groups<NumberedRows>, Error> {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let columns = ScoreColumns { score: Some(&names[0]), classes: &names, ..self.columns };
        let files = TestFiles { columns, ..*self };
        let (mut reading, mut interner) = open(&files, None, &[])?;
        let rows = NumberedRowCollector::default();
        Ok(accumulate(&mut reading, &mut interner, &files, usize::MAX, rows)?.groups)
    }

    /// Returns the probabilities of rows in the order of their numbers.
    fn probabilities(&self, rows: &NumberedRows, classes: usize) -> Result<ClassProbabilities, Error> {
        let mut order: Vec<usize> = (0..rows.rows.len()).collect();
        order.sort_by_key(|row| rows.rows[*row]);
        let values = |row: &usize| &rows.classes[row * classes..(row + 1) * classes];
        let values: Vec<f64> = order.iter().flat_map(values).copied().collect();
        let number = |row: usize| usize::try_from(rows.rows[order[row]]).expect("a row in memory");
        let in_row = |error: Error| error.renumber_row(number).in_file(input::title(self.paths));
        let weights = rows.numbers.weights.as_ref();
        let weights = weights.map(|weights| order.iter().map(|row| weights[*row]).collect());
        ClassProbabilities::new(&values, classes).and_then(|table| table.with_weights(weights)).map_err(in_row)
    }

    /// Reads labelled probabilities, with these columns for the classes. The only grouping column has the
    /// labels.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if the probabilities of a row do not have the sum 1, and unless
    /// each column has a label and each label a column.
    pub fn read_labelled_classes(
        &self,
        columns: &[ClassColumn],
        classes: &LabelClasses,
    ) -> Result<LabelledProbabilities, Error> {
        let Groups { keys, contents, .. } = self.read_class_rows(columns)?;
        let texts = keys.texts();
        let label = |group: usize| texts.group_texts(group).next().expect("the column with the labels");
        let kept: Vec<(String, NumberedRows)> = contents
            .into_iter()
            .enumerate()
            .map(|(group, rows)| (label(group), rows))
            .filter(|(label, _)| !classes.is_ignored(&LabelValue::new(label)))
            .collect();
        let labels: Vec<String> = kept.iter().map(|(label, _)| label.clone()).collect();
        let names = class_labels(columns, &labels)?;
        let class = |label: &String| names.iter().position(|name| name == label).expect("a label with a column");
        let numbers: Vec<usize> = kept.iter().flat_map(|(label, rows)| vec![class(label); rows.rows.len()]).collect();
        let rows = kept.iter().map(|(_, rows)| self.probabilities(rows, columns.len()));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let in_file = |error: Error| error.in_file(input::title(self.paths));
        LabelledProbabilities::new(&names, ClassProbabilities::concat(&rows.iter().collect::<Vec<_>>()), &numbers)
            .map_err(in_file)
    }
}
