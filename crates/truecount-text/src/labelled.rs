//! Labelled scores from rows that are grouped by label, and by cluster and stratum if there are
//! such columns.

use crate::Progress;
use crate::files::TextFiles;
use crate::numbers::LabelValue;
use crate::rows::{GroupRows, ScoreColumns};
use crate::source::name;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use truecount::error::{ErrorLocation, Position, Problem};
use truecount::scores::PerClass;
use truecount::{Error, LabelledScores};
use truecount_analysis::{ScoreValues, TableProblem};

/// Maximum number of labels. A column with more values is not a column of labels, and reading
/// stops.
const MAX_LABELS: usize = 1000;

/// The class that each label stands for.
#[derive(Clone, Copy)]
pub struct Classes<'a> {
    /// The label of positives.
    pub positive: &'a str,
    /// The labels whose rows are left out.
    pub ignored: &'a [String],
    /// Whether all other labels are those of negatives; otherwise there is only one.
    pub rest: bool,
}

impl<'a> Classes<'a> {
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

    /// Returns a note on the number of rows that are left out; `None` if no label is ignored.
    pub fn note(&self, file: &str, left_out: usize) -> Option<String> {
        let labels: Vec<String> = self.ignored.iter().map(|label| format!("'{label}'")).collect();
        let plural = if left_out == 1 { "row" } else { "rows" };
        let note = || format!("note: left out: {file}: {left_out} {plural} labelled {}", labels.join(" or "));
        (!labels.is_empty()).then(note)
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
    pub classes: Classes<'a>,
    /// The column with the cluster of each row.
    pub cluster: Option<&'a str>,
    /// The column with the stratum that each row was drawn in.
    pub label_stratum: Option<&'a str>,
    /// The column with the stratum of each row, each of which has a model of its own.
    pub stratum: Option<&'a str>,
}

/// A text file with labelled scores.
pub struct LabelledText<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The class of each label.
    pub classes: Classes<'a>,
    /// The feature that needs scores strictly between 0 and 1, if any; named in messages.
    pub unit_interval: Option<&'static str>,
}

impl LabelledText<'_> {
    /// Reads all scores with their labels.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not have exactly two labels including
    /// the positive label.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        let Self { path, columns, label, classes, unit_interval } = *self;
        let label = LabelColumns { path, label, classes, cluster: None, label_stratum: None, stratum: None };
        let (paths, by): ([PathBuf; 1], _) = ([path.to_owned()], label.by());
        let files = TextFiles::new(&paths, columns, &by, progress);
        LabelledTable::new(&label, files.labelled_rows(unit_interval, label.max_groups())?)?.scores(None)
    }
}

impl LabelColumns<'_> {
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

/// The rows of one label.
struct LabelRows {
    label: String,
    rows: ScoreValues<Vec<f64>>,
    /// The cluster of each row; empty without clusters.
    clusters: Vec<u32>,
    /// The stratum that each row was drawn in; empty without such strata.
    label_strata: Vec<u32>,
    /// The stratum of each row; empty without strata.
    strata: Vec<u32>,
    first_row: Position,
}

/// Labelled rows by class.
pub struct LabelledTable {
    file: String,
    positives: LabelRows,
    negatives: LabelRows,
    /// The names of the strata that rows were drawn in.
    label_strata: Vec<String>,
    /// The names of the strata.
    strata: Vec<String>,
    /// The number of rows whose label is ignored.
    left_out: usize,
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

impl LabelledTable {
    /// Creates the table from rows that are grouped by these columns, with a value in each.
    ///
    /// # Errors
    /// Returns an error if there are not exactly two labels including the positive label.
    pub fn new(columns: &LabelColumns, groups: impl IntoIterator<Item = GroupRows>) -> Result<Self, Error> {
        let mut labels: Vec<LabelRows> = Vec::new();
        let mut label_indices: HashMap<LabelValue, usize> = HashMap::new();
        let [mut clusters, mut label_strata, mut strata] =
            [columns.cluster, columns.label_stratum, columns.stratum].map(UnitInterner::new);
        let mut left_out = 0;
        for GroupRows { values, rows, place: first_row } in groups {
            let mut values = values.into_iter();
            let label = values.next().expect("the column with the labels");
            let n = rows.scores.len();
            let class = LabelValue::new(&label);
            if columns.classes.is_ignored(&class) {
                left_out += n;
                continue;
            }
            let is_rest = columns.classes.rest && !columns.classes.is_positive(&class);
            let class = if is_rest { LabelValue::Text(String::new()) } else { class };
            let row_clusters = clusters.intern(&mut values, n);
            let row_label_strata = label_strata.intern(&mut values, n);
            let row_strata = strata.intern(&mut values, n);
            match label_indices.entry(class) {
                Entry::Occupied(existing) => {
                    let existing = &mut labels[*existing.get()];
                    existing.rows.extend(&rows.map(Vec::as_slice));
                    existing.clusters.extend(row_clusters);
                    existing.label_strata.extend(row_label_strata);
                    existing.strata.extend(row_strata);
                }
                Entry::Vacant(new) => {
                    new.insert(labels.len());
                    labels.push(LabelRows {
                        label,
                        rows,
                        clusters: row_clusters,
                        label_strata: row_label_strata,
                        strata: row_strata,
                        first_row,
                    });
                }
            }
        }
        let [positives, negatives] = classes(columns, labels)?;
        let (file, label_strata, strata) = (name(columns.path), label_strata.names, strata.names);
        Ok(Self { file, positives, negatives, label_strata, strata, left_out })
    }

    /// Returns the number of rows whose label is ignored.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the names of the strata, in order of appearance.
    pub fn strata(&self) -> &[String] {
        &self.strata
    }

    /// Returns the number of labelled rows of each class in a stratum.
    pub fn sizes(&self, stratum: usize) -> PerClass<usize> {
        let size = |class: &LabelRows| class.strata.iter().filter(|row| **row as usize == stratum).count();
        PerClass { positive: size(&self.positives), negative: size(&self.negatives) }
    }

    /// Returns the stratum number of each row, by class, in the order of the scores.
    pub fn row_strata(&self) -> PerClass<Vec<u32>> {
        PerClass { positive: self.positives.strata.clone(), negative: self.negatives.strata.clone() }
    }

    /// Returns the labelled scores of all strata, or of the given ones.
    ///
    /// # Errors
    /// Returns the errors of [`LabelledScoresBuilder::build`](truecount::scores::LabelledScoresBuilder::build).
    pub fn scores(&self, strata: Option<&[usize]>) -> Result<LabelledScores, Error> {
        let Self { positives, negatives, .. } = self;
        let is_selected =
            |class: &LabelRows, row: usize| strata.is_none_or(|strata| strata.contains(&(class.strata[row] as usize)));
        let rows = [positives, negatives]
            .map(|class| (0..class.rows.scores.len()).filter(|row| is_selected(class, *row)).collect::<Vec<_>>());
        let select = |column: fn(&ScoreValues<Vec<f64>>) -> &[f64]| -> Vec<f64> {
            let classes = [positives, negatives].into_iter().zip(&rows);
            classes.flat_map(|(class, rows)| rows.iter().map(move |row| column(&class.rows)[*row])).collect()
        };
        let scores = select(|rows| &rows.scores);
        let positive: Vec<bool> = (0..scores.len()).map(|i| i < rows[0].len()).collect();
        let probabilities = positives
            .rows
            .probabilities
            .as_ref()
            .map(|_| select(|rows| rows.probabilities.as_deref().unwrap_or_default()));
        let weights =
            positives.rows.weights.as_ref().map(|_| select(|rows| rows.weights.as_deref().unwrap_or_default()));
        let units = |column: fn(&LabelRows) -> &[u32]| -> Option<Vec<u32>> {
            let classes = [positives, negatives].into_iter().zip(&rows);
            let has_column = !column(positives).is_empty();
            has_column.then(|| classes.flat_map(|(class, rows)| rows.iter().map(|row| column(class)[*row])).collect())
        };
        let (clusters, label_strata) = (units(|class| &class.clusters), units(|class| &class.label_strata));
        let labelled = LabelledScores::builder(&scores, &positive)
            .probabilities(probabilities.as_deref())
            .weights(weights.as_deref())
            .clusters(clusters.as_deref())
            .strata(label_strata.as_deref())
            .build();
        labelled.map_err(|error| {
            let other = Some(negatives.label.clone());
            let error = match error.problem() {
                Some(&Problem::ClassesInverted { discordance, .. }) => {
                    Problem::ClassesInverted { discordance, other }.into()
                }
                _ => error,
            };
            let stratum = error.location().set.map(|set| &self.label_strata[set]);
            stratum.into_iter().fold(error.in_file(&self.file), Error::in_group)
        })
    }
}

/// Returns the rows of the positives and those of the negatives.
fn classes(columns: &LabelColumns, mut labels: Vec<LabelRows>) -> Result<[LabelRows; 2], Error> {
    let column = || columns.location(columns.label);
    match labels.len() {
        2 => {}
        1 => return Err(column().error(TableProblem::OneLabel { found: list(&labels) })),
        _ => return Err(column().error(TableProblem::LabelNumber { found: list(&labels) })),
    }
    let Some(index) = labels.iter().position(|rows| columns.classes.is_positive(&LabelValue::new(&rows.label))) else {
        return Err(column().error(TableProblem::PositiveUnknown {
            positive: columns.classes.positive.to_owned(),
            found: list(&labels),
            example: labels[0].label.clone(),
        }));
    };
    Ok([labels.remove(index), labels.remove(0)])
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
