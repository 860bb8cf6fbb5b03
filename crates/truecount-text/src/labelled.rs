//! Labelled scores from rows that are grouped by label, and by cluster and stratum where there are such columns.

use crate::Progress;
use crate::files::TextFiles;
use crate::rows::{GroupRows, ScoreColumns};
use crate::source::name;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use truecount::{Error, ErrorLocation, LabelledRows, LabelledScores, PerClass, Position, Problem};
use truecount_analysis::{ScoreValues, TableProblem};

/// A column with more labels than this has something else in it, and is not read on.
const LABELS: usize = 1000;

/// The columns of labelled scores whose values make groups.
#[derive(Clone, Copy)]
pub struct LabelColumns<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The column whose values say which rows belong together.
    pub cluster: Option<&'a str>,
    /// The column whose values are strata.
    pub stratum: Option<&'a str>,
}

/// Labelled scores in a file of text.
pub struct LabelledText<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The name of what needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

impl LabelledText<'_> {
    /// All scores, with their labels.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not have exactly two labels, one of them the positive one.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        let Self { path, columns, label, positive, unit_interval } = *self;
        let label = LabelColumns { path, label, positive, cluster: None, stratum: None };
        let (paths, by): ([PathBuf; 1], _) = ([path.to_owned()], label.by());
        let files = TextFiles { paths: &paths, columns, weight: None, by: &by, progress };
        LabelledTable::new(&label, files.rows(unit_interval, label.most_groups())?)?.scores(None)
    }
}

impl LabelColumns<'_> {
    /// The names of the columns, by which rows are to be grouped.
    pub fn by(&self) -> Vec<String> {
        [Some(self.label), self.cluster, self.stratum].into_iter().flatten().map(str::to_owned).collect()
    }

    /// The number of groups beyond which the file need not be read on: of clusters and strata there may be any number.
    pub fn most_groups(&self) -> usize {
        if self.cluster.or(self.stratum).is_some() { usize::MAX } else { LABELS }
    }

    fn location(&self, column: &str) -> ErrorLocation {
        ErrorLocation::file(name(self.path)).column(column)
    }
}

/// The rows of one label, and where it first appears.
struct OfLabel {
    label: String,
    rows: ScoreValues<Vec<f64>>,
    /// The cluster of every row, where rows are in clusters.
    clusters: Vec<u32>,
    /// The stratum of every row, where there are strata.
    strata: Vec<u32>,
    place: Position,
}

/// Labelled rows by class.
pub struct LabelledTable {
    file: String,
    positives: OfLabel,
    negatives: OfLabel,
    /// The names of the strata.
    strata: Vec<String>,
}

/// The clusters or strata of a column, numbered as they appear.
struct Units<'a> {
    column: Option<&'a str>,
    numbers: HashMap<LabelValue, u32>,
    names: Vec<String>,
}

impl<'a> Units<'a> {
    fn new(column: Option<&'a str>) -> Self {
        Self { column, numbers: HashMap::new(), names: Vec::new() }
    }

    /// Returns the number of the unit of each of the next rows; empty without a column.
    fn number_rows(
        &mut self,
        values: &mut impl Iterator<Item = String>,
        rows: usize,
        columns: &LabelColumns,
        place: Position,
    ) -> Result<Vec<u32>, Error> {
        let Some(column) = self.column else { return Ok(Vec::new()) };
        let value = values.next().expect("a column that is read");
        if value.is_empty() {
            return Err(columns.location(column).at(place).error(TableProblem::Empty));
        }
        let next = u32::try_from(self.names.len()).expect("no more units than rows in memory");
        let number = *self.numbers.entry(LabelValue::new(&value)).or_insert(next);
        if number == next {
            self.names.push(value);
        }
        Ok(vec![number; rows])
    }
}

impl LabelledTable {
    /// The table of rows that are grouped by these columns.
    ///
    /// # Errors
    /// Returns an error if there are not exactly two labels, one of them the positive one, or a cluster or stratum is missing.
    pub fn new(columns: &LabelColumns, groups: impl IntoIterator<Item = GroupRows>) -> Result<Self, Error> {
        let mut labels: Vec<OfLabel> = Vec::new();
        let mut known: HashMap<LabelValue, usize> = HashMap::new();
        let (mut clusters, mut strata) = (Units::new(columns.cluster), Units::new(columns.stratum));
        for GroupRows { values, rows, place } in groups {
            let mut values = values.into_iter();
            let label = values.next().expect("the column with the labels");
            let n = rows.scores.len();
            let of_cluster = clusters.number_rows(&mut values, n, columns, place)?;
            let of_stratum = strata.number_rows(&mut values, n, columns, place)?;
            if label.parse().is_ok_and(f64::is_nan) {
                return Err(columns.location(columns.label).at(place).error(TableProblem::NotFinite { value: label }));
            }
            match known.entry(LabelValue::new(&label)) {
                Entry::Occupied(same) => {
                    let same = &mut labels[*same.get()];
                    same.rows.extend(&rows.map(Vec::as_slice));
                    same.clusters.extend(of_cluster);
                    same.strata.extend(of_stratum);
                }
                Entry::Vacant(new) => {
                    new.insert(labels.len());
                    labels.push(OfLabel { label, rows, clusters: of_cluster, strata: of_stratum, place });
                }
            }
        }
        let [positives, negatives] = classes(columns, labels)?;
        Ok(Self { file: name(columns.path), positives, negatives, strata: strata.names })
    }

    /// The names of the strata, in the order in which they appear.
    pub fn strata(&self) -> &[String] {
        &self.strata
    }

    /// How many labelled rows of each class a stratum has.
    pub fn sizes(&self, stratum: usize) -> PerClass<usize> {
        let of = |class: &OfLabel| class.strata.iter().filter(|of| **of as usize == stratum).count();
        PerClass { positive: of(&self.positives), negative: of(&self.negatives) }
    }

    /// The number of each row's stratum, by class, in the order of the scores.
    pub fn strata_of_rows(&self) -> PerClass<Vec<u32>> {
        PerClass { positive: self.positives.strata.clone(), negative: self.negatives.strata.clone() }
    }

    /// The scores with their labels, of these strata if some are named.
    ///
    /// # Errors
    /// Returns an error if the labelled scores cannot be used.
    pub fn scores(&self, strata: Option<&[usize]>) -> Result<LabelledScores, Error> {
        let Self { positives, negatives, .. } = self;
        let is_of = |of: &OfLabel, row: usize| strata.is_none_or(|strata| strata.contains(&(of.strata[row] as usize)));
        let rows = [positives, negatives]
            .map(|of| (0..of.rows.scores.len()).filter(|row| is_of(of, *row)).collect::<Vec<_>>());
        let both = |of: fn(&ScoreValues<Vec<f64>>) -> &[f64]| -> Vec<f64> {
            let each = [positives, negatives].into_iter().zip(&rows);
            each.flat_map(|(class, rows)| rows.iter().map(move |row| of(&class.rows)[*row])).collect()
        };
        let scores = both(|rows| &rows.scores);
        let positive: Vec<bool> = (0..scores.len()).map(|i| i < rows[0].len()).collect();
        let probabilities = positives
            .rows
            .probabilities
            .as_ref()
            .map(|_| both(|rows| rows.probabilities.as_deref().unwrap_or_default()));
        let weights = positives.rows.weights.as_ref().map(|_| both(|rows| rows.weights.as_deref().unwrap_or_default()));
        let clusters: Option<Vec<u32>> = (!positives.clusters.is_empty()).then(|| {
            let each = [positives, negatives].into_iter().zip(&rows);
            each.flat_map(|(class, rows)| rows.iter().map(|row| class.clusters[*row])).collect()
        });
        let labelled = LabelledScores::from_rows(&LabelledRows {
            scores: &scores,
            positive: &positive,
            probabilities: probabilities.as_deref(),
            weights: weights.as_deref(),
            clusters: clusters.as_deref(),
        });
        labelled.map_err(|error| {
            let other = Some(negatives.label.clone());
            let error = match error.problem() {
                Some(&Problem::Inverted { positive, negative, .. }) => {
                    Problem::Inverted { positive, negative, other }.into()
                }
                _ => error,
            };
            error.in_file(&self.file)
        })
    }
}

/// The positives and the negatives, if these are the two labels.
fn classes(columns: &LabelColumns, mut labels: Vec<OfLabel>) -> Result<[OfLabel; 2], Error> {
    let column = || columns.location(columns.label);
    if let Some(OfLabel { place, .. }) = labels.iter().find(|of| of.label.is_empty()) {
        return Err(column().at(*place).error(TableProblem::Empty));
    }
    if labels.len() != 2 {
        let remedy = if labels.len() == 1 {
            "label some of the other class too"
        } else {
            "correct the others or remove their rows"
        };
        return Err(column().error(TableProblem::LabelNumber { found: list(&labels), remedy }));
    }
    let positive = LabelValue::new(columns.positive);
    let Some(place) = labels.iter().position(|of| LabelValue::new(&of.label) == positive) else {
        return Err(column().error(TableProblem::PositiveUnknown {
            positive: columns.positive.to_owned(),
            found: list(&labels),
            example: labels[0].label.clone(),
        }));
    };
    Ok([labels.remove(place), labels.remove(0)])
}

/// The value of a label or of a cluster, by which two are the same: 1 and 1.0 are, as numbers.
#[derive(PartialEq, Eq, Hash)]
pub enum LabelValue {
    /// The bits of a number.
    Number(u64),
    /// Anything else.
    Text(String),
}

impl LabelValue {
    /// The value of a label as it is written.
    pub fn new(label: &str) -> Self {
        // Adding 0 makes -0 the same as 0.
        label
            .parse::<f64>()
            .map_or_else(|_| Self::Text(label.to_owned()), |number| Self::Number((number + 0.0).to_bits()))
    }
}

/// The first few labels, with their counts and where they first appear.
fn list(labels: &[OfLabel]) -> String {
    let shown = 5;
    let each = labels.iter().take(shown).map(|OfLabel { label, rows, place, .. }| {
        let n = rows.scores.len();
        let plural = if n == 1 { "row" } else { "rows" };
        format!("'{label}' ({n} {plural}, first in {place})")
    });
    let more = labels.len().saturating_sub(shown);
    let at_least = if labels.len() > LABELS { "at least " } else { "" };
    let rest = if more > 0 { format!(" and {at_least}{more} more") } else { String::new() };
    each.collect::<Vec<_>>().join(", ") + &rest
}
