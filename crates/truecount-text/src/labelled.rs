//! Labelled scores from rows that are grouped by label, and by cluster and stratum if there are
//! such columns.

use crate::Progress;
use crate::files::TextFiles;
use crate::numbers::LabelValue;
use crate::rows::{GroupRows, ScoreColumns};
use crate::source::name;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use truecount::error::{ErrorLocation, Position, Problem};
use truecount::scores::PerClass;
use truecount::{Error, LabelledScores};
use truecount_analysis::{ScoreValues, TableProblem};

/// Maximum number of labels. A column with more values is not a column of labels, and reading
/// stops.
const MAX_LABELS: usize = 1000;

/// The class that each label stands for.
#[derive(Clone, Copy)]
pub struct LabelClasses<'a> {
    /// The label of positives.
    pub positive: &'a str,
    /// The labels whose rows are left out.
    pub ignored: &'a [String],
    /// Whether every other label counts as negative; otherwise only one other label is allowed.
    pub rest: bool,
}

impl<'a> LabelClasses<'a> {
    /// Two classes, with a label each.
    pub fn two(positive: &'a str) -> Self {
        Self { positive, ignored: &[], rest: false }
    }

    /// Returns whether a label is that of the positives.
    pub fn is_positive(&self, label: &LabelValue) -> bool {
        *label == LabelValue::new(self.positive)
    }

    /// Returns whether rows with a label are left out.
    pub fn is_ignored(&self, label: &LabelValue) -> bool {
        self.ignored.iter().any(|ignored| LabelValue::new(ignored) == *label)
    }

    /// Returns notes on the labels that are left out and on those that count as negative. `labels`
    /// are all labels of the file, each with its number of rows.
    pub fn notes<'l>(&self, file: &str, labels: impl Iterator<Item = (&'l str, usize)> + Clone) -> Vec<String> {
        let list = |labels: Vec<String>| labels.join(", ");
        let count = |ignored: &String| {
            let value = LabelValue::new(ignored);
            let rows = labels.clone().filter(|(label, _)| LabelValue::new(label) == value).map(|(_, n)| n);
            format!("'{ignored}' ({})", rows.sum::<usize>())
        };
        let mut notes = Vec::new();
        if !self.ignored.is_empty() {
            let ignored = self.ignored.iter().map(count).collect();
            notes.push(format!("note: left out: {file}: rows labelled {}", list(ignored)));
        }
        if self.rest {
            let is_rest = |label: &LabelValue| !self.is_positive(label) && !self.is_ignored(label);
            let rest = labels.filter(|(label, _)| is_rest(&LabelValue::new(label)));
            notes.push(format!(
                "note: {file}: counted as negative: {}",
                list(rest.map(|(label, n)| format!("'{label}' ({n})")).collect())
            ));
        }
        notes
    }
}

/// The columns of labelled scores whose values make groups.
#[derive(Clone, Copy)]
pub struct LabelColumns<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The column with the labels.
    pub label: &'a str,
    /// The class of each label.
    pub classes: LabelClasses<'a>,
    /// The column with the cluster of each row.
    pub cluster: Option<&'a str>,
    /// The column with the stratum that each row was drawn in.
    pub label_stratum: Option<&'a str>,
    /// The column with the stratum of each row, each of which has a model of its own.
    pub stratum: Option<&'a str>,
}

impl LabelColumns<'_> {
    /// Reads all scores of a text file with their labels. `unit_interval` names the feature that needs scores strictly
    /// between 0 and 1, if any.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not have exactly two labels including the positive label.
    pub fn read_text(
        &self,
        columns: ScoreColumns,
        unit_interval: Option<&'static str>,
        progress: &dyn Progress,
    ) -> Result<LabelledScores, Error> {
        let (paths, by) = ([self.path.to_owned()], self.by());
        let files = TextFiles::new(&paths, columns, &by, progress);
        LabelledTable::new(self, files.labelled_rows(unit_interval, self.max_groups())?)?.scores(None)
    }

    /// Returns the names of the columns to group rows by.
    pub fn by(&self) -> Vec<String> {
        [Some(self.label), self.cluster, self.label_stratum, self.stratum]
            .into_iter()
            .flatten()
            .map(str::to_owned)
            .collect()
    }

    /// Returns the number of groups at which reading may stop; unlimited with clusters or strata.
    pub fn max_groups(&self) -> usize {
        if self.cluster.or(self.label_stratum).or(self.stratum).is_some() { usize::MAX } else { MAX_LABELS }
    }

    fn location(&self, column: &str) -> ErrorLocation {
        ErrorLocation::file(name(self.path)).column(column)
    }
}

/// The rows of one label, or of one class after the other.
struct LabelRows {
    label: String,
    rows: ScoreValues<Vec<f64>>,
    /// The clusters of the rows, the strata that they were drawn in, and their strata; each empty
    /// without such a column.
    units: [Vec<u32>; 3],
    first_row: Position,
}

/// Labelled rows by class.
pub struct LabelledTable {
    file: String,
    /// All rows; those of the positives come first.
    rows: LabelRows,
    positives: usize,
    /// The label of the negatives.
    negative: String,
    /// The column of the clusters.
    cluster: Option<String>,
    /// The names of the strata that rows were drawn in.
    label_strata: Vec<String>,
    strata: Vec<String>,
    /// Notes on the labels that are left out, and on those that count as negative.
    notes: Vec<String>,
}

/// Numbers the clusters or strata of a column in order of appearance.
struct UnitInterner<'a> {
    column: Option<&'a str>,
    numbers: HashMap<LabelValue, u32>,
    names: Vec<String>,
}

impl<'a> UnitInterner<'a> {
    fn new(column: Option<&'a str>) -> Self {
        Self { column, numbers: HashMap::new(), names: Vec::new() }
    }

    /// Returns the unit number of each of the next `rows` rows; empty without a column.
    fn intern(&mut self, values: &mut impl Iterator<Item = String>, rows: usize) -> Vec<u32> {
        if self.column.is_none() {
            return Vec::new();
        }
        let value = values.next().expect("a column that is read");
        let next = u32::try_from(self.names.len()).expect("no more units than rows in memory");
        let number = *self.numbers.entry(LabelValue::new(&value)).or_insert(next);
        if number == next {
            self.names.push(value);
        }
        vec![number; rows]
    }
}

/// The clusters of labelled rows of several classes, and the strata that they were drawn in.
pub(crate) struct LabelUnits<'a>([(UnitInterner<'a>, Vec<u32>); 2]);

impl<'a> LabelUnits<'a> {
    /// Creates the units of columns of clusters and strata, without rows.
    pub(crate) fn new(columns: [Option<&'a str>; 2]) -> Self {
        Self(columns.map(|column| (UnitInterner::new(column), Vec::new())))
    }

    /// Appends this number of rows, whose values after the label are these.
    pub(crate) fn extend(&mut self, values: &mut impl Iterator<Item = String>, rows: usize) {
        self.0.iter_mut().for_each(|(interner, units)| units.extend(interner.intern(values, rows)));
    }

    /// Returns the cluster and the stratum of each row, if there are such columns.
    pub(crate) fn columns(&self) -> [Option<&[u32]>; 2] {
        self.0.each_ref().map(|(interner, units)| interner.column.map(|_| units.as_slice()))
    }

    /// Adds the column of clusters, or the name of the stratum, to an error about them.
    pub(crate) fn locate(&self, error: Error) -> Error {
        locate_units(error, self.0[0].0.column, &self.0[1].0.names)
    }
}

/// Adds the column of clusters, or the name of the stratum, to an error about them.
fn locate_units(error: Error, cluster: Option<&str>, strata: &[String]) -> Error {
    let stratum = error.location().set.map(|set| &strata[set]);
    let error = stratum.into_iter().fold(error, Error::in_group);
    match (error.problem(), cluster) {
        (Some(Problem::TooFewClusters { .. } | Problem::ClustersAcrossStrata { .. }), Some(column)) => {
            error.or_location(ErrorLocation::default().column(column))
        }
        _ => error,
    }
}

impl LabelledTable {
    /// Creates the table from rows that are grouped by these columns, with a value in each.
    ///
    /// # Errors
    /// Returns an error if there are not exactly two labels including the positive label.
    pub fn new(columns: &LabelColumns, groups: impl IntoIterator<Item = GroupRows>) -> Result<Self, Error> {
        let mut labels: Vec<LabelRows> = Vec::new();
        let mut label_indices: HashMap<LabelValue, usize> = HashMap::new();
        let mut units = [columns.cluster, columns.label_stratum, columns.stratum].map(UnitInterner::new);
        for GroupRows { values, rows, place: first_row } in groups {
            let mut values = values.into_iter();
            let label = values.next().expect("the column with the labels");
            let row_units = units.each_mut().map(|units| units.intern(&mut values, rows.scores.len()));
            let value = LabelValue::new(&label);
            let more = LabelRows { label, rows, units: row_units, first_row };
            match label_indices.entry(value) {
                Entry::Occupied(existing) => labels[*existing.get()].extend(&more),
                Entry::Vacant(new) => {
                    new.insert(labels.len());
                    labels.push(more);
                }
            }
        }
        let file = name(columns.path);
        let numbers = labels.iter().map(|rows| (rows.label.as_str(), rows.rows.scores.len()));
        let notes = columns.classes.notes(&file, numbers);
        let [mut rows, negatives] = classes(columns, labels)?;
        let positives = rows.rows.scores.len();
        rows.extend(&negatives);
        let [_, label_strata, strata] = units.map(|units| units.names);
        let (negative, cluster) = (negatives.label, columns.cluster.map(str::to_owned));
        Ok(Self { file, rows, positives, negative, cluster, label_strata, strata, notes })
    }

    /// Returns notes on the labels that are left out, and on those that count as negative.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the names of the strata, in order of appearance.
    pub fn strata(&self) -> &[String] {
        &self.strata
    }

    /// Returns the number of labelled rows of each class in a stratum.
    pub fn sizes(&self, stratum: usize) -> PerClass<usize> {
        let size = |class: &[u32]| class.iter().filter(|row| **row as usize == stratum).count();
        let (positive, negative) = self.strata_of_rows();
        PerClass { positive: size(positive), negative: size(negative) }
    }

    /// Returns the stratum number of each row, by class, in the order of the scores.
    pub fn row_strata(&self) -> PerClass<Vec<u32>> {
        let (positive, negative) = self.strata_of_rows();
        PerClass { positive: positive.to_vec(), negative: negative.to_vec() }
    }

    fn strata_of_rows(&self) -> (&[u32], &[u32]) {
        let strata = &self.rows.units[2];
        strata.split_at(self.positives.min(strata.len()))
    }

    /// Returns the labelled scores of all strata, or of the given ones.
    ///
    /// # Errors
    /// Returns the errors of [`LabelledScoresBuilder::build`](truecount::scores::LabelledScoresBuilder::build).
    pub fn scores(&self, strata: Option<&[usize]>) -> Result<LabelledScores, Error> {
        let LabelRows { rows, units, .. } = &self.rows;
        let is_selected = |row: &usize| strata.is_none_or(|strata| strata.contains(&(units[2][*row] as usize)));
        let selected: Vec<usize> = (0..rows.scores.len()).filter(is_selected).collect();
        let positive: Vec<bool> = selected.iter().map(|row| *row < self.positives).collect();
        let values = rows.map(|column| selected.iter().map(|row| column[*row]).collect::<Vec<f64>>());
        let [clusters, label_strata, _] = units
            .each_ref()
            .map(|units| (!units.is_empty()).then(|| selected.iter().map(|row| units[*row]).collect::<Vec<u32>>()));
        let labelled = LabelledScores::builder(&values.scores, &positive)
            .probabilities(values.probabilities.as_deref())
            .weights(values.weights.as_deref())
            .clusters(clusters.as_deref())
            .strata(label_strata.as_deref())
            .build();
        labelled.map_err(|error| {
            let other = Some(self.negative.clone());
            let error = match error.problem() {
                Some(&Problem::ClassesInverted { discordance, .. }) => {
                    Problem::ClassesInverted { discordance, other }.into()
                }
                _ => error,
            };
            locate_units(error.in_file(&self.file), self.cluster.as_deref(), &self.label_strata)
        })
    }
}

impl LabelRows {
    /// Appends the rows of another label.
    fn extend(&mut self, more: &Self) {
        self.rows.extend(&more.rows.map(Vec::as_slice));
        self.units.iter_mut().zip(&more.units).for_each(|(units, more)| units.extend(more));
    }
}

/// Returns the rows of the positives and those of the negatives.
fn classes(columns: &LabelColumns, mut labels: Vec<LabelRows>) -> Result<[LabelRows; 2], Error> {
    let column = || columns.location(columns.label);
    labels.retain(|rows| !columns.classes.is_ignored(&LabelValue::new(&rows.label)));
    let positive = labels.iter().position(|rows| columns.classes.is_positive(&LabelValue::new(&rows.label)));
    match (labels.len(), positive) {
        (0, _) => Err(column().error(TableProblem::OneLabel { found: "none".to_owned() })),
        (1, is_positive) if is_positive.is_some() || !columns.classes.rest => {
            Err(column().error(TableProblem::OneLabel { found: list(&labels) }))
        }
        (3.., _) if !columns.classes.rest => Err(column().error(TableProblem::LabelsNotTwo { found: list(&labels) })),
        (_, None) => Err(column().error(TableProblem::PositiveUnknown {
            positive: columns.classes.positive.to_owned(),
            found: list(&labels),
            example: labels[0].label.clone(),
        })),
        (_, Some(index)) => {
            let positives = labels.remove(index);
            let mut rest = labels.into_iter();
            let mut negatives = rest.next().expect("another label");
            rest.for_each(|rows| negatives.extend(&rows));
            Ok([positives, negatives])
        }
    }
}

/// Lists the first few labels, with the number of rows and the first row of each.
fn list(labels: &[LabelRows]) -> String {
    let shown = 5;
    let each = labels.iter().take(shown).map(|LabelRows { label, rows, first_row, .. }| {
        let n = rows.scores.len();
        let plural = if n == 1 { "row" } else { "rows" };
        format!("'{label}' ({n} {plural}, first in {first_row})")
    });
    let more = labels.len().saturating_sub(shown);
    let at_least = if labels.len() > MAX_LABELS { "at least " } else { "" };
    let rest = if more > 0 { format!(" and {at_least}{more} more") } else { String::new() };
    each.collect::<Vec<_>>().join(", ") + &rest
}
