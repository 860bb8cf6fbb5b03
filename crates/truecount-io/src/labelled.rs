//! Labelled scores from a table: its rows, grouped by label, and by cluster where rows are in clusters.

use crate::groups::{Collect, Found, Groups, Kept, ScoreColumns, TestFiles};
use crate::input::{self, Numbers};
use crate::{Error, Fault, Location, Position, Progress};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use truecount::{LabelledRows, LabelledScores};

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
    place: Position,
}

impl LabelledFile<'_> {
    /// All scores, with their labels.
    ///
    /// # Errors
    /// If the file cannot be read, or does not have exactly two labels, one of them the positive one.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        let Self { path, columns, label: label_column, positive, weight, cluster, unit_interval } = *self;
        let paths: [PathBuf; 1] = [path.to_owned()];
        let by: Vec<String> = [label_column].into_iter().chain(cluster).map(str::to_owned).collect();
        let files = TestFiles { paths: &paths, columns, weight, by: &by, fingerprint: None, progress };
        // Of clusters there may be any number.
        let most = if cluster.is_some() { usize::MAX } else { LABELS };
        let Found { groups, places, unit } = Groups::read(&files, unit_interval, most, &Kept)?;
        let texts = groups.keys.texts();
        let mut labels: Vec<OfLabel> = Vec::new();
        let mut known: HashMap<Meaning, usize> = HashMap::new();
        let mut clusters: HashMap<Meaning, u32> = HashMap::new();
        for (i, (rows, (_, place))) in groups.contents.into_iter().zip(places).enumerate() {
            let (mut values, place) = (texts.of(i), unit(place));
            let label = values.next().expect("the column with the labels");
            let group = match (values.next(), cluster) {
                (Some(value), Some(column)) if value.is_empty() => {
                    let place = Location::file(input::name(path)).column(column).at(place);
                    return Err(place.error(Fault::Empty));
                }
                (Some(value), _) => {
                    let next = u32::try_from(clusters.len()).expect("no more clusters than rows in memory");
                    let cluster = *clusters.entry(Meaning::of(&value)).or_insert(next);
                    vec![cluster; rows.scores.len()]
                }
                (None, _) => Vec::new(),
            };
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
                    same.clusters.extend(group);
                }
                Entry::Vacant(new) => {
                    new.insert(labels.len());
                    labels.push(OfLabel { label, rows, clusters: group, place });
                }
            }
        }
        let file = || Location::file(input::name(path));
        let column = || file().column(label_column);
        if let Some(OfLabel { place, .. }) = labels.iter().find(|of| of.label.is_empty()) {
            return Err(column().at(*place).error(Fault::Empty));
        }
        let [first, second] = labels.as_slice() else {
            let remedy = if labels.len() == 1 {
                "label some of the other class too"
            } else {
                "correct the others or remove their rows"
            };
            return Err(column().error(Fault::LabelNumber { found: list(&labels), remedy }));
        };
        let (positives, negatives) = match [first, second].map(|of| Meaning::of(&of.label) == Meaning::of(positive)) {
            [true, _] => (first, second),
            [_, true] => (second, first),
            _ => {
                return Err(column().error(Fault::PositiveUnknown {
                    positive: positive.to_owned(),
                    found: list(&labels),
                    example: first.label.clone(),
                }));
            }
        };
        let both = |of: fn(&Numbers<Vec<f64>>) -> &[f64]| [of(&positives.rows), of(&negatives.rows)].concat();
        let scores = both(|rows| &rows.scores);
        let is_positive: Vec<bool> = (0..scores.len()).map(|i| i < positives.rows.scores.len()).collect();
        let probabilities = columns.probability.map(|_| both(|rows| rows.probabilities.as_deref().unwrap_or_default()));
        let weights = weight.map(|_| both(|rows| rows.weights.as_deref().unwrap_or_default()));
        let clusters = cluster.map(|_| [positives.clusters.as_slice(), &negatives.clusters].concat());
        let labelled = LabelledScores::from_rows(&LabelledRows {
            scores: &scores,
            positive: &is_positive,
            probabilities: probabilities.as_deref(),
            weights: weights.as_deref(),
            clusters: clusters.as_deref(),
        });
        labelled.map_err(|error| {
            file().error(match error {
                truecount::Error::Inverted { positive, negative, .. } => {
                    let other = Some(negatives.label.clone());
                    truecount::Error::Inverted { positive, negative, other }
                }
                error => error,
            })
        })
    }
}

/// What makes labels the same: 1 and 1.0 are, as numbers.
#[derive(PartialEq, Eq, Hash)]
enum Meaning {
    Number(u64),
    Text(String),
}

impl Meaning {
    fn of(label: &str) -> Self {
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
