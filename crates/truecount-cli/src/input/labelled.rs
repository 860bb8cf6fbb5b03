//! Labelled scores from a table: its rows in groups by label.

use super::groups::{Found, Kept};
use super::{Columns, Groups, Numbers, TestFiles};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use truecount::LabelledScores;

/// A label with its scores, and where it is found first.
struct Labelled {
    label: String,
    rows: Numbers<Vec<f64>>,
    place: u64,
}

pub fn read_labelled(
    path: &Path,
    columns: &Columns,
    label: &str,
    positive: &str,
    unit_interval: Option<&'static str>,
) -> Result<LabelledScores, Failure> {
    let (paths, by): ([PathBuf; 1], _) = ([path.to_owned()], [label.to_owned()]);
    let files = TestFiles { paths: &paths, columns, weight: None, by: &by, shift: None };
    let Found { groups, places, unit } = Groups::read(&files, unit_interval, &Kept, 0)?;
    let texts = groups.keys.texts();
    let labels: Vec<Labelled> = (groups.contents.into_iter().zip(places).enumerate())
        .map(|(i, (rows, (_, place)))| Labelled { label: texts.of(i).collect(), rows, place })
        .collect();
    let name = super::name(path);
    if let Some(Labelled { place, .. }) = labels.iter().find(|labelled| labelled.label.is_empty()) {
        return Err(Failure::Data(format!(
            "{name}, {unit} {place}, column '{label}': the cell is empty; correct it or remove the row"
        )));
    }
    let place = || format!("{name}, column '{label}'");
    let [first, second] = labels.as_slice() else {
        let remedy = if labels.len() == 1 {
            "label some of the other class too"
        } else {
            "correct the others or remove their rows"
        };
        let found = list(&labels, unit);
        return Err(Failure::Data(format!("{}: two labels are needed, found {found}; {remedy}", place())));
    };
    let (positives, negatives) = match [first, second].map(|labelled| same(&labelled.label, positive)) {
        [true, _] => (first, second),
        [_, true] => (second, first),
        _ => {
            return Err(Failure::Data(format!(
                "{}: no label is '{positive}', found {}; name the positive one, as in --positive {}",
                place(),
                list(&labels, unit),
                first.label
            )));
        }
    };
    let both = |column: fn(&Numbers<Vec<f64>>) -> &[f64]| [column(&positives.rows), column(&negatives.rows)].concat();
    let scores = both(|rows| &rows.scores);
    let is_positive: Vec<bool> = (0..scores.len()).map(|i| i < positives.rows.scores.len()).collect();
    let labelled = match columns.probability {
        Some(_) => {
            let probabilities = both(|rows| rows.probabilities.as_deref().unwrap_or_default());
            LabelledScores::with_probabilities(&scores, &probabilities, &is_positive)
        }
        None => LabelledScores::new(&scores, &is_positive),
    };
    labelled.map_err(|e| match e {
        truecount::Error::Inverted { .. } => Failure::Data(format!("{name}: {e} (--positive {})", negatives.label)),
        _ => Failure::within(name)(e),
    })
}

/// The same text, or the same number: 1 and 1.0.
fn same(a: &str, b: &str) -> bool {
    a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
}

/// The first few labels with their counts and where they are found first.
fn list(labels: &[Labelled], unit: &str) -> String {
    let shown = 5;
    let each = labels.iter().take(shown).map(|Labelled { label, rows, place }| {
        let n = rows.scores.len();
        let plural = if n == 1 { "row" } else { "rows" };
        format!("'{label}' ({n} {plural}, first in {unit} {place})")
    });
    let more = labels.len().saturating_sub(shown);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    each.collect::<Vec<_>>().join(", ") + &rest
}
