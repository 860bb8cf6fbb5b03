//! Audited rows from a table: rows of the target that people have labelled, with the group that each is of.

use crate::Progress;
use crate::groups::{Keys, RowCollector, ScoreColumns, TestFiles};
use crate::input::{self, ScoreValues};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::{AuditedRows, Error, ErrorLocation, Model};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::{AUDIT_WEIGHT, TableProblem};
use truecount_text::{GroupRows, LabelValue};

/// Which file and columns audited rows are read from.
pub struct AuditFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The column with the scores.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The column with one over the probability of drawing each row, or a multiple of it; without a name it is `audit_weight`, where there
    /// is one (standard input can be read only once, and has none then).
    pub weight: Option<&'a str>,
    /// The columns whose values make a group, as in the table of all rows.
    pub by: &'a [String],
}

/// Audited rows.
pub struct AuditTable {
    file: String,
    scores: Vec<f64>,
    positive: Vec<bool>,
    weights: Option<Vec<f64>>,
    /// The name of each row's group.
    names: Vec<Vec<String>>,
}

impl AuditFile<'_> {
    /// All rows.
    ///
    /// # Errors
    /// If the file cannot be read, or has other labels than the positive one and another. All rows may have the same label if it is the
    /// positive one, or 0.
    pub fn read(&self, progress: &dyn Progress) -> Result<AuditTable, Error> {
        if self.weight.is_some() || input::is_stdio(self.path) {
            return self.read_with(self.weight, progress);
        }
        match self.read_with(Some(AUDIT_WEIGHT), progress) {
            Err(error) if is_without(&error, AUDIT_WEIGHT) => self.read_with(None, progress),
            read => read,
        }
    }

    fn read_with(&self, weight: Option<&str>, progress: &dyn Progress) -> Result<AuditTable, Error> {
        let Self { path, columns, label, positive, by, .. } = *self;
        let paths: [PathBuf; 1] = [path.to_owned()];
        let all: Vec<String> = [label.to_owned()].into_iter().chain(by.iter().cloned()).collect();
        let files = TestFiles { paths: &paths, columns, weight, by: &all, fingerprint: None, progress };
        let groups = files.read(None, usize::MAX, &RowCollector)?.into_rows();
        let column = || ErrorLocation::file(input::name(path)).column(label);
        let is_positive = LabelValue::new(positive);
        let mut table = AuditTable {
            file: input::name(path),
            scores: Vec::new(),
            positive: Vec::new(),
            weights: weight.map(|_| Vec::new()),
            names: Vec::new(),
        };
        let mut other: Option<String> = None;
        for GroupRows { values, rows, place } in groups {
            let mut values = values.into_iter();
            let found = values.next().expect("the column with the labels");
            if found.is_empty() {
                return Err(column().at(place).error(TableProblem::Empty));
            }
            let positive = LabelValue::new(&found) == is_positive;
            if !positive {
                match &other {
                    Some(known) if LabelValue::new(known) != LabelValue::new(&found) => {
                        let found = format!("'{known}' and '{found}' beside '{}'", self.positive);
                        return Err(column().error(TableProblem::LabelNumber {
                            found,
                            remedy: "correct the others or remove their rows",
                        }));
                    }
                    Some(_) => {}
                    None => other = Some(found),
                }
            }
            let name: Vec<String> = values.collect();
            let n = rows.scores.len();
            table.scores.extend(&rows.scores);
            table.positive.extend(std::iter::repeat_n(positive, n));
            table.names.extend(std::iter::repeat_n(name, n));
            if let (Some(weights), Some(more)) = (&mut table.weights, rows.weights) {
                weights.extend(more);
            }
        }
        // All of another label: is it the negatives', or was the positive one not said?
        match other.filter(|other| !table.positive.contains(&true) && LabelValue::new(other) != LabelValue::new("0")) {
            Some(other) => {
                let found = format!("'{other}'");
                Err(column().error(TableProblem::PositiveUnknown {
                    positive: positive.to_owned(),
                    found,
                    example: other,
                }))
            }
            None => Ok(table),
        }
    }
}

/// Whether a file cannot be read because it has no such column.
fn is_without(error: &Error, name: &str) -> bool {
    use TableProblem::{ColumnUnknown, HeaderMissing};
    matches!(error.problem(), Some(ColumnUnknown { column, .. } | HeaderMissing { column, .. }) if column == name)
}

impl AuditTable {
    /// Whether rows say how many they stand for.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// A model for the rows where there are no labels from elsewhere.
    ///
    /// # Errors
    /// Those of [`AuditedRows::model`].
    pub fn model(&self) -> Result<Model, Error> {
        self.rows(&[]).model().map_err(|error| error.in_file(&self.file))
    }

    /// The group of each row, by its number among these keys.
    ///
    /// # Errors
    /// [`TableProblem::AuditUnused`] for a row of a group that is not there.
    pub fn groups(&self, keys: &Keys) -> Result<Vec<u32>, Error> {
        let texts = keys.texts();
        let number = |group: usize| u32::try_from(group).expect("fewer groups than rows");
        let known: HashMap<Vec<String>, u32> =
            (0..keys.batch().num_rows()).map(|group| (texts.group_texts(group).collect(), number(group))).collect();
        let of = |name: &Vec<String>| {
            let unused =
                || ErrorLocation::file(self.file.clone()).error(TableProblem::AuditUnused { group: name.join(", ") });
            known.get(name).copied().ok_or_else(unused)
        };
        self.names.iter().map(of).collect()
    }

    /// The rows with their groups.
    pub fn rows<'a>(&'a self, groups: &'a [u32]) -> AuditedRows<'a> {
        AuditedRows {
            scores: &self.scores,
            positive: &self.positive,
            weights: self.weights.as_deref(),
            groups: Some(groups),
        }
    }

    /// The rows as drawn from all groups together, each of which was drawn from by itself: the weights of a group's rows add up to its
    /// size. `None` if a group has no audited rows; then no weights make up for it.
    pub fn across(&self, groups: &[u32], sizes: &[usize]) -> Option<Vec<f64>> {
        let given = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let mut sums = vec![0.0; sizes.len()];
        for (row, group) in groups.iter().enumerate() {
            sums[*group as usize] += given(row);
        }
        let weight = |(row, group): (usize, &u32)| given(row) * sizes[*group as usize] as f64 / sums[*group as usize];
        (!sums.contains(&0.0)).then(|| groups.iter().enumerate().map(weight).collect())
    }

    /// Adds the rows to those of their groups.
    pub fn join(&self, groups: &[u32], rows: &mut [ScoreValues<Vec<f64>>]) {
        for (score, group) in self.scores.iter().zip(groups) {
            rows[*group as usize].scores.push(*score);
        }
    }
}
