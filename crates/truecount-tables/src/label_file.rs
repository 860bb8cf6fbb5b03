//! Labels in a table of their own, joined by an id to the rows that have the scores.

use crate::groups::{RowCollector, ScoreColumns, ScoreWords, TestFiles};
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;
use truecount_text::{GroupRows, MissingPolicy, name, title};

/// A table with labels and ids.
#[derive(Clone, Copy)]
pub struct LabelFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The column with the ids, in both tables.
    pub id: &'a str,
    /// How the table is read: its sheet and its numbers.
    pub columns: ScoreColumns<'a>,
}

impl LabelFile<'_> {
    /// Joins the labels to the scores by id. Each returned row has the values of the columns `by` of
    /// the labels, then those of the grouping columns of the scores, and the weight of its label.
    /// Scores without a label are left out, with a note.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if a labelled id occurs twice in either table, or if a
    /// label has no score. With [`MissingPolicy::Drop`], labels without a score are left out instead,
    /// unless all are.
    pub fn join(
        &self,
        (by, required, weight): (&[String], &[String], Option<&str>),
        scores: &TestFiles,
        unit_interval: Option<&'static str>,
    ) -> Result<Vec<GroupRows>, Error> {
        let Self { path, id, columns } = *self;
        let with_id = |by: &[String]| [&[id.to_owned()], by].concat();
        let read = |files: &TestFiles, unit_interval| -> Result<Vec<GroupRows>, Error> {
            let (by, required) = (with_id(files.by), with_id(files.required));
            let files = TestFiles { by: &by, required: &required, ..*files };
            Ok(files.read(unit_interval, usize::MAX, &RowCollector)?.into_rows())
        };
        let paths: [PathBuf; 1] = [path.to_owned()];
        let ids = ScoreColumns { score: Some(id), words: Some(ScoreWords::Any), probability: None, ..columns };
        let labels = TestFiles { weight, required, ..TestFiles::new(&paths, ids, by, scores.progress) };
        let twice = |files: &TestFiles, value: &str, row: &GroupRows| {
            let location = ErrorLocation::file(title(files.paths)).column(id).at(row.place);
            location.error(TableProblem::DuplicateId { id: value.to_owned() })
        };
        let mut labelled: IndexMap<String, (GroupRows, bool)> = IndexMap::new();
        for mut row in read(&labels, None)? {
            let value = row.values.remove(0);
            if row.rows.scores.len() > 1 || labelled.contains_key(&value) {
                return Err(twice(&labels, &value, &row));
            }
            labelled.insert(value, (row, false));
        }
        let (mut joined, mut unlabelled) = (Vec::new(), 0);
        for mut row in read(scores, unit_interval)? {
            let value = row.values.remove(0);
            let Some((label, is_joined)) = labelled.get_mut(&value) else {
                unlabelled += row.rows.scores.len();
                continue;
            };
            if row.rows.scores.len() > 1 || std::mem::replace(is_joined, true) {
                return Err(twice(scores, &value, &row));
            }
            row.values.splice(0..0, std::mem::take(&mut label.values));
            row.rows.weights = label.rows.weights.take();
            joined.push(GroupRows { place: label.place, ..row });
        }
        let (file, other) = (name(path), title(scores.paths));
        let mut unmatched = labelled.iter().filter(|(_, (_, is_joined))| !is_joined);
        let total = labelled.len();
        if let Some((first, (row, _))) = unmatched.next() {
            let problem = TableProblem::UnmatchedId {
                rows: 1 + unmatched.count(),
                total,
                id: first.clone(),
                file: other.clone(),
            };
            let error = ErrorLocation::file(file.as_str()).column(id).at(row.place).error(problem);
            if joined.is_empty() || columns.missing != Some(MissingPolicy::Drop) {
                return Err(error);
            }
            scores
                .progress
                .note(&file, &format!("warning: left out: {}{}", error.location(), error.condition().problem()));
        }
        let rest = match unlabelled {
            0 => String::new(),
            1 => format!("; one row of {other} has no label"),
            n => format!("; {n} rows of {other} have no label"),
        };
        let n = joined.len();
        scores.progress.note(&file, &format!("note: {n} labels of {file} have a score in {other}{rest}"));
        Ok(joined)
    }
}
