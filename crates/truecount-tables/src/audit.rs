//! Audited rows from a table: rows of the target that people have labelled, with their groups.

use crate::Progress;
use crate::groups::{Keys, RowCollector, ScoreColumns, TestFiles};
use crate::input::{self, ScoreValues};
use crate::label_file::LabelFile;
use indexmap::IndexMap;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::audit::AuditedRows;
use truecount::error::{ErrorLocation, Field, Problem};
use truecount::{Error, Model};
use truecount_analysis::audit::pooled_weights;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::{AUDIT_WEIGHT, TableProblem};
use truecount_text::{GroupRows, LabelClasses, LabelValue};

/// The file with audited rows, and the columns to read.
pub struct AuditFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The column with the scores.
    pub columns: ScoreColumns<'a>,
    /// The columns with the labels, one for each person who labelled.
    pub labels: Vec<&'a str>,
    /// The class of each label.
    pub classes: LabelClasses<'a>,
    /// The column of ids that joins the labels to the test rows, for a file without scores.
    pub id: Option<&'a str>,
    /// The test rows, for a file without scores.
    pub test: &'a [PathBuf],
    /// The columns of the test rows.
    pub test_columns: ScoreColumns<'a>,
    /// The column with the weight of each row, proportional to 1 over its sampling probability. By default
    /// `audit_weight`, if a file has that column; standard input has no default, since it can be read only once.
    pub weight: Option<&'a str>,
    /// The column with the weight of each row in the target, if rows have weights.
    pub item_weight: Option<&'a str>,
    /// The grouping columns, as in the table of all rows.
    pub by: &'a [String],
    /// The grouping columns that need a value in every row.
    pub required: &'a [String],
}

/// Audited rows.
pub struct AuditedSample {
    file: String,
    scores: Vec<f64>,
    positive: Vec<bool>,
    /// The labels of each of several people, instead of `positive`.
    people: Vec<Vec<Option<bool>>>,
    weights: Option<Vec<f64>>,
    item_weights: Option<Vec<f64>>,
    /// The group name of each row.
    names: Vec<Vec<String>>,
}

impl AuditFile<'_> {
    /// Reads all rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it has labels other than the positive and
    /// one negative label. A single label is valid only if it is the positive label or 0. With several
    /// columns of labels, cells without a value are left out.
    pub fn read(&self, progress: &dyn Progress) -> Result<AuditedSample, Error> {
        with_weight(self.path, self.weight, |weight| self.read_with(weight, progress))
    }

    fn read_with(&self, weight: Option<&str>, progress: &dyn Progress) -> Result<AuditedSample, Error> {
        let Self { path, columns, item_weight, by, .. } = *self;
        let paths: [PathBuf; 1] = [path.to_owned()];
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let is_single = self.labels.len() == 1;
        let label_columns = owned(&self.labels);
        // Several people need not label the same rows.
        let required_labels = if is_single { label_columns.clone() } else { Vec::new() };
        let item_weights = owned(item_weight.as_slice());
        let [grouping, required] = [by, self.required].map(|columns| [&item_weights, columns].concat());
        let groups = if let Some(id) = self.id {
            let scores =
                TestFiles { required: &required, ..TestFiles::new(self.test, self.test_columns, &grouping, progress) };
            LabelFile { path, id, columns }.join((&label_columns, &required_labels, weight), &scores, None)?
        } else {
            let (grouping, required) = ([label_columns, grouping].concat(), [required_labels, required].concat());
            let files =
                TestFiles { weight, required: &required, ..TestFiles::new(&paths, columns, &grouping, progress) };
            files.read(None, usize::MAX, &RowCollector)?.into_rows()
        };
        let mut labels = Labels::new(self.classes);
        let mut numbers: IndexMap<String, usize> = IndexMap::new();
        let mut table = AuditedSample {
            file: input::name(path),
            scores: Vec::new(),
            positive: Vec::new(),
            people: if is_single { Vec::new() } else { vec![Vec::new(); self.labels.len()] },
            weights: weight.map(|_| Vec::new()),
            item_weights: item_weight.map(|_| Vec::new()),
            names: Vec::new(),
        };
        for GroupRows { values, rows, place: first_row } in groups {
            let mut values = values.into_iter();
            let n = rows.scores.len();
            let location = || ErrorLocation::file(input::name(path));
            if is_single {
                *numbers.entry(values.as_slice()[0].clone()).or_default() += n;
                if self.classes.is_ignored(&LabelValue::new(&values.as_slice()[0])) {
                    continue;
                }
            }
            if values.as_slice().iter().take(self.labels.len()).all(|text| TableProblem::without_value(text).is_some())
            {
                return Err(location().at(first_row).error(Problem::AuditUnlabelled));
            }
            for (person, column) in self.labels.iter().enumerate() {
                let text = values.next().expect("a column with labels");
                let mut read = || labels.is_positive(&text, &|| location().column(*column));
                match table.people.get_mut(person) {
                    Some(person) if TableProblem::without_value(&text).is_some() => {
                        person.extend(std::iter::repeat_n(None, n));
                    }
                    Some(person) => person.extend(std::iter::repeat_n(Some(read()?), n)),
                    None => table.positive.extend(std::iter::repeat_n(read()?, n)),
                }
            }
            if let (Some(weights), Some(column)) = (&mut table.item_weights, item_weight) {
                let text = values.next().expect("the column with the weights in the target");
                let location = || location().column(column).at(first_row);
                let decimal = columns.decimal.unwrap_or_default();
                let weight = decimal.to_decimal_point(&text).and_then(|text| text.parse::<f64>().ok());
                let weight = weight.filter(|weight| *weight == 0.0 || (1e-100..=1e100).contains(weight));
                let problem = || Problem::WeightOutOfRange { value: Field::Text(text.clone()) };
                weights.extend(std::iter::repeat_n(weight.ok_or_else(|| location().error(problem()))?, n));
            }
            let name: Vec<String> = values.collect();
            table.scores.extend(&rows.scores);
            table.names.extend(std::iter::repeat_n(name, n));
            if let (Some(weights), Some(more)) = (&mut table.weights, rows.weights) {
                weights.extend(more);
            }
        }
        labels.check(&ErrorLocation::file(input::name(path)).column(self.labels[0]))?;
        let numbers = numbers.iter().map(|(label, n)| (label.as_str(), *n));
        let notes = self.classes.notes(&input::name(path), numbers).into_iter();
        notes.for_each(|note| progress.note(&input::name(path), &note));
        Ok(table)
    }
}

/// The labels that were read so far.
struct Labels<'a> {
    classes: LabelClasses<'a>,
    has_positives: bool,
    negative: Option<String>,
    /// Whether more than one label counts as negative.
    has_others: bool,
}

impl<'a> Labels<'a> {
    fn new(classes: LabelClasses<'a>) -> Self {
        Self { classes, has_positives: false, negative: None, has_others: false }
    }

    /// Returns whether a label is that of the positives.
    ///
    /// # Errors
    /// Returns an error for a second label of negatives.
    fn is_positive(&mut self, label: &str, location: &dyn Fn() -> ErrorLocation) -> Result<bool, Error> {
        if self.classes.is_positive(&LabelValue::new(label)) {
            self.has_positives = true;
            return Ok(true);
        }
        match &self.negative {
            Some(known) if self.classes.rest => {
                self.has_others |= LabelValue::new(known) != LabelValue::new(label);
                Ok(false)
            }
            Some(known) if LabelValue::new(known) != LabelValue::new(label) => {
                let found = format!("'{known}' and '{label}' in addition to '{}'", self.classes.positive);
                Err(location().error(TableProblem::LabelsNotTwo { found }))
            }
            Some(_) => Ok(false),
            None => {
                self.negative = Some(label.to_owned());
                Ok(false)
            }
        }
    }

    /// Checks that a single label other than 0 is that of the positives, which may have been named wrongly in
    /// the options.
    fn check(self, location: &ErrorLocation) -> Result<(), Error> {
        let single = self.negative.filter(|_| !self.has_positives);
        match single.filter(|label| self.has_others || LabelValue::new(label) != LabelValue::new("0")) {
            Some(label) => Err(location.clone().error(TableProblem::PositiveUnknown {
                positive: self.classes.positive.to_owned(),
                found: format!("'{label}'"),
                example: label,
            })),
            None => Ok(()),
        }
    }
}

/// Reads audited rows with the column of weights that is named, or by default with `audit_weight` if the file has
/// it. Standard input has no default, since it can be read only once.
pub(crate) fn with_weight<T>(
    path: &Path,
    named: Option<&str>,
    read: impl Fn(Option<&str>) -> Result<T, Error>,
) -> Result<T, Error> {
    if named.is_some() || input::is_stdio(path) {
        return read(named);
    }
    match read(Some(AUDIT_WEIGHT)) {
        Err(error) if is_column_missing(&error, AUDIT_WEIGHT) => read(None),
        result => result,
    }
}

/// Returns whether a file cannot be read because it lacks this column.
fn is_column_missing(error: &Error, name: &str) -> bool {
    use TableProblem::{ColumnUnknown, HeaderMissing};
    matches!(error.problem(), Some(ColumnUnknown { column, .. } | HeaderMissing { column, .. }) if column == name)
}

impl AuditedSample {
    /// Returns whether the rows have weights.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Fits a model to the audited rows alone, for use without other labelled scores.
    ///
    /// # Errors
    /// Returns the errors of [`AuditedRows::model`].
    pub fn model(&self) -> Result<Model, Error> {
        self.rows(&[]).model().map_err(|error| error.in_file(&self.file))
    }

    /// Returns the group of each row, as an index into these keys.
    ///
    /// # Errors
    /// Returns [`TableProblem::AuditUnused`] if a row's group is not among the keys.
    pub fn groups(&self, keys: &Keys) -> Result<Vec<u32>, Error> {
        let texts = keys.texts();
        let number = |group: usize| u32::try_from(group).expect("fewer groups than rows");
        let known: HashMap<Vec<String>, u32> =
            (0..keys.batch().num_rows()).map(|group| (texts.group_texts(group).collect(), number(group))).collect();
        let group = |name: &Vec<String>| {
            let unused =
                || ErrorLocation::file(self.file.clone()).error(TableProblem::AuditUnused { group: name.join(", ") });
            known.get(name).copied().ok_or_else(unused)
        };
        self.names.iter().map(group).collect()
    }

    /// Returns the rows with their groups.
    pub fn rows<'a>(&'a self, groups: &'a [u32]) -> AuditedRows<'a> {
        AuditedRows {
            scores: &self.scores,
            positive: &self.positive,
            people: &self.people,
            weights: self.weights.as_deref(),
            groups: Some(groups),
            item_weights: self.item_weights.as_deref(),
            ..AuditedRows::default()
        }
    }

    /// Returns weights for an audit across groups that was sampled within each group: the weights
    /// of a group's rows add up to the size of the group. `None` if a group has no audited rows.
    pub fn pooled_weights(&self, groups: &[u32], sizes: &[usize]) -> Option<Vec<f64>> {
        pooled_weights(groups, self.weights.as_deref(), sizes)
    }

    /// Appends the audited scores to the rows of their groups.
    pub fn append_scores(&self, groups: &[u32], rows: &mut [ScoreValues<Vec<f64>>]) {
        for (score, group) in self.scores.iter().zip(groups) {
            rows[*group as usize].scores.push(*score);
        }
    }
}
