//! Labelled scores from a table: its rows, grouped by label, and by cluster where rows are in clusters.

use crate::Progress;
use crate::groups::{Collect, Found, Kept, ScoreColumns, TestFiles};
use crate::input::{self, Numbers};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use truecount::{LabelledRows, LabelledScores, PerClass};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::{Error, Fault, Location, Position};

/// Which file and columns labelled scores are read from.
pub struct LabelledFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The label of positives.
    pub positive: &'a str,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The column whose values say which rows belong together.
    pub cluster: Option<&'a str>,
    /// What needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

/// A column with more labels than this has something else in it, and is not read on.
const LABELS: usize = 1000;

/// The rows of one label, and where it first appears.
struct OfLabel {
    label: String,
    rows: Numbers<Vec<f64>>,
    /// Of every row, where rows are in clusters.
    clusters: Vec<u32>,
    /// Of every row, where there are strata.
    strata: Vec<u32>,
    place: Position,
}

/// Labelled rows by class, with what they are of.
pub struct LabelledTable {
    file: String,
    positives: OfLabel,
    negatives: OfLabel,
    has: Has,
    /// The names of the strata.
    strata: Vec<String>,
}

/// Which columns there are besides the scores.
#[derive(Clone, Copy)]
struct Has {
    probabilities: bool,
    weights: bool,
    clusters: bool,
}

impl LabelledFile<'_> {
    /// All scores, with their labels.
    ///
    /// # Errors
    /// If the file cannot be read, or does not have exactly two labels, one of them the positive one.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        self.table(None, progress)?.scores(None)
    }

    /// All rows, with the values of a column that strata differ in, if it is named.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn table(&self, stratum: Option<&str>, progress: &dyn Progress) -> Result<LabelledTable, Error> {
        let Self { path, columns, label: label_column, positive, weight, cluster, unit_interval } = *self;
        let paths: [PathBuf; 1] = [path.to_owned()];
        let units = [cluster, stratum];
        let by: Vec<String> =
            [label_column].into_iter().chain(units.into_iter().flatten()).map(str::to_owned).collect();
        let files = TestFiles { paths: &paths, columns, weight, by: &by, fingerprint: None, progress };
        // Of clusters and strata there may be any number.
        let most = if by.len() > 1 { usize::MAX } else { LABELS };
        let Found { groups, places, unit } = files.read(unit_interval, most, &Kept)?;
        let texts = groups.keys.texts();
        let mut labels: Vec<OfLabel> = Vec::new();
        let mut known: HashMap<Meaning, usize> = HashMap::new();
        let mut numbers: [HashMap<Meaning, u32>; 2] = Default::default();
        let mut strata = Vec::new();
        for (i, (rows, (_, place))) in groups.contents.into_iter().zip(places).enumerate() {
            let (mut values, place) = (texts.of(i), unit(place));
            let label = values.next().expect("the column with the labels");
            let mut number = |which: usize| {
                let Some(column) = units[which] else { return Ok(Vec::new()) };
                let value = values.next().expect("a column that is read");
                if value.is_empty() {
                    let place = Location::file(input::name(path)).column(column).at(place);
                    return Err(place.error(Fault::Empty));
                }
                let next = u32::try_from(numbers[which].len()).expect("no more units than rows in memory");
                let number = *numbers[which].entry(Meaning::of(&value)).or_insert(next);
                if which == STRATUM && number as usize == strata.len() {
                    strata.push(value);
                }
                Ok(vec![number; rows.scores.len()])
            };
            let (clusters, strata) = (number(CLUSTER)?, number(STRATUM)?);
            if label.parse().is_ok_and(f64::is_nan) {
                return Err(Location::file(input::name(path))
                    .column(label_column)
                    .at(place)
                    .error(Fault::NotFinite { value: label }));
            }
            match known.entry(Meaning::of(&label)) {
                Entry::Occupied(same) => {
                    let same = &mut labels[*same.get()];
                    Kept.merge(&mut same.rows, rows);
                    same.clusters.extend(clusters);
                    same.strata.extend(strata);
                }
                Entry::Vacant(new) => {
                    new.insert(labels.len());
                    labels.push(OfLabel { label, rows, clusters, strata, place });
                }
            }
        }
        let column = || Location::file(input::name(path)).column(label_column);
        if let Some(OfLabel { place, .. }) = labels.iter().find(|of| of.label.is_empty()) {
            return Err(column().at(*place).error(Fault::Empty));
        }
        if labels.len() != 2 {
            let remedy = if labels.len() == 1 {
                "label some of the other class too"
            } else {
                "correct the others or remove their rows"
            };
            return Err(column().error(Fault::LabelNumber { found: list(&labels), remedy }));
        }
        let Some(place) = labels.iter().position(|of| Meaning::of(&of.label) == Meaning::of(positive)) else {
            return Err(column().error(Fault::PositiveUnknown {
                positive: positive.to_owned(),
                found: list(&labels),
                example: labels[0].label.clone(),
            }));
        };
        let (positives, negatives) = (labels.remove(place), labels.remove(0));
        let has = Has {
            probabilities: columns.probability.is_some(),
            weights: weight.is_some(),
            clusters: cluster.is_some(),
        };
        Ok(LabelledTable { file: input::name(path), positives, negatives, has, strata })
    }
}

impl LabelledTable {
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
    /// Those of [`LabelledScores::from_rows`].
    pub fn scores(&self, strata: Option<&[usize]>) -> Result<LabelledScores, Error> {
        let Self { positives, negatives, has, .. } = self;
        let is_of = |of: &OfLabel, row: usize| strata.is_none_or(|strata| strata.contains(&(of.strata[row] as usize)));
        let rows = [positives, negatives]
            .map(|of| (0..of.rows.scores.len()).filter(|row| is_of(of, *row)).collect::<Vec<_>>());
        let both = |of: fn(&Numbers<Vec<f64>>) -> &[f64]| -> Vec<f64> {
            let each = [positives, negatives].into_iter().zip(&rows);
            each.flat_map(|(class, rows)| rows.iter().map(move |row| of(&class.rows)[*row])).collect()
        };
        let scores = both(|rows| &rows.scores);
        let positive: Vec<bool> = (0..scores.len()).map(|i| i < rows[0].len()).collect();
        let probabilities = has.probabilities.then(|| both(|rows| rows.probabilities.as_deref().unwrap_or_default()));
        let weights = has.weights.then(|| both(|rows| rows.weights.as_deref().unwrap_or_default()));
        let clusters: Option<Vec<u32>> = has.clusters.then(|| {
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
            Location::file(self.file.clone()).error(match error {
                truecount::Error::Inverted { positive, negative, .. } => {
                    let other = Some(negatives.label.clone());
                    truecount::Error::Inverted { positive, negative, other }
                }
                error => error,
            })
        })
    }
}

/// Which column of units is which.
const CLUSTER: usize = 0;
const STRATUM: usize = 1;

/// What makes labels the same: 1 and 1.0 are, as numbers.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    Number(u64),
    Text(String),
}

impl Meaning {
    pub(crate) fn of(label: &str) -> Self {
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
