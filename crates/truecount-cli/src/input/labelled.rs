//! Labelled scores from a table.

use super::Columns;
use super::table::Table;
use crate::failure::Failure;
use indexmap::IndexMap;
use std::path::Path;
use truecount::LabelledScores;

/// How often a label occurs, and where first.
struct Seen {
    count: u64,
    line: u64,
}

pub fn read_labelled(
    path: &Path,
    columns: &Columns,
    label: &str,
    positive: &str,
    unit_interval: Option<&str>,
) -> Result<LabelledScores, Failure> {
    let mut table = Table::open(path)?;
    let (score, label_column) = (table.column(columns.score)?, table.column(label)?);
    let probability = columns.probability.map(|name| table.column(name)).transpose()?;
    let mut labels: IndexMap<String, Seen> = IndexMap::new();
    let (mut scores, mut probabilities, mut classes) = (Vec::new(), Vec::new(), Vec::new());
    while table.next()? {
        scores.push(table.score(score, unit_interval)?);
        if let Some(column) = probability {
            probabilities.push(table.probability(column)?);
        }
        let text = table.text(label_column)?;
        if text.is_empty() {
            return Err(table.wrong(label_column, "is empty"));
        }
        let class = if let Some((class, _, seen)) = labels.get_full_mut(text) {
            seen.count += 1;
            class
        } else {
            labels.insert_full(text.to_owned(), Seen { count: 1, line: table.line() }).0
        };
        classes.push(class);
    }
    let place = || format!("{}, column '{label}'", table.name());
    if labels.is_empty() {
        return Err(table.without_rows());
    }
    if labels.len() != 2 {
        let remedy = if labels.len() == 1 {
            "label some of the other class too"
        } else {
            "correct the others or remove their rows"
        };
        return Err(Failure::Data(format!("{}: two labels are needed, found {}; {remedy}", place(), list(&labels))));
    }
    let Some(positive) = labels.keys().position(|text| same(text, positive)) else {
        return Err(Failure::Data(format!(
            "{}: no label is '{positive}', found {}; name the positive one, as in --positive {}",
            place(),
            list(&labels),
            labels.get_index(0).map_or("", |(text, _)| text)
        )));
    };
    let positives: Vec<bool> = classes.iter().map(|class| *class == positive).collect();
    let labelled = match probability {
        Some(_) => LabelledScores::with_probabilities(&scores, &probabilities, &positives),
        None => LabelledScores::new(&scores, &positives),
    };
    labelled.map_err(|e| {
        let other = labels.get_index(1 - positive).map_or("", |(text, _)| text);
        match e {
            truecount::Error::Inverted { .. } => Failure::Data(format!("{}: {e} (--positive {other})", table.name())),
            _ => Failure::Data(format!("{}: {e}", table.name())),
        }
    })
}

/// The same text, or the same number: 1 and 1.0.
fn same(a: &str, b: &str) -> bool {
    a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
}

/// The first few labels with their counts and lines.
fn list(labels: &IndexMap<String, Seen>) -> String {
    let shown = 5;
    let each = labels.iter().take(shown).map(|(text, seen)| {
        let rows = if seen.count == 1 { "row" } else { "rows" };
        format!("'{text}' ({} {rows}, first in line {})", seen.count, seen.line)
    });
    let more = labels.len().saturating_sub(shown);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    each.collect::<Vec<_>>().join(", ") + &rest
}
