//! Sizes of groups: from a table of them, or from a column that is the same throughout a group.

use super::Keys;
use super::read::{Kept, ScoreColumns, TestFiles};
use crate::Progress;
use crate::input::{self, Decimal};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::{Error, Fault};

/// The column of a table of sizes that has them.
pub const SIZE: &str = "size";

/// The size of every group with these keys, from a table with their columns and one of sizes.
///
/// # Errors
/// If the file cannot be read; if a group has no size there, or two, or no group has a size that is there; if a size is not above 0.
pub fn sizes_in_table(
    path: &Path,
    keys: &Keys,
    decimal: Option<Decimal>,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Error> {
    let by: Vec<String> = keys.columns().map(str::to_owned).collect();
    let paths: [PathBuf; 1] = [path.to_owned()];
    let columns = ScoreColumns { score: Some(SIZE), probability: None, decimal, sheet: None };
    let files = TestFiles { paths: &paths, columns, weight: None, by: &by, fingerprint: None, progress };
    let found = files.read(None, usize::MAX, &Kept)?.groups;
    let fault = |fault| Error::in_file(input::name(path), fault);
    let named = |texts: &mut dyn Iterator<Item = String>| texts.collect::<Vec<_>>();
    let texts = found.keys.texts();
    let mut known: HashMap<Vec<String>, f64> = HashMap::new();
    for (group, rows) in found.contents.iter().enumerate() {
        let name = named(&mut texts.of(group));
        let &[size] = rows.scores.as_slice() else {
            return Err(fault(Fault::SizeTwice { group: name.join(", "), rows: rows.scores.len() }));
        };
        known.insert(name, checked(size).map_err(fault)?);
    }
    let texts = keys.texts();
    let sizes = (0..keys.batch().num_rows()).map(|group| {
        let name = named(&mut texts.of(group));
        known.remove(&name).ok_or_else(|| fault(Fault::SizeMissing { group: name.join(", ") }))
    });
    let sizes = sizes.collect::<Result<_, _>>()?;
    match known.into_keys().next() {
        Some(name) => Err(fault(Fault::SizeUnused { group: name.join(", ") })),
        None => Ok(sizes),
    }
}

fn checked(size: f64) -> Result<f64, Fault> {
    if size > 0.0 && size.is_finite() { Ok(size) } else { Err(Fault::NotASize { value: size.to_string() }) }
}

/// The keys by their first columns, of which there are so many, with the numbers, written so, that each of the other columns has for the
/// groups.
///
/// # Errors
/// If a group has several numbers in such a column, or one that is no size.
pub fn sizes_in_columns(keys: &Keys, columns: usize, decimal: Decimal) -> Result<(Keys, Vec<Vec<f64>>), Error> {
    let names: Vec<&str> = keys.columns().collect();
    let texts = keys.texts();
    let groups: Vec<Vec<String>> = (0..keys.batch().num_rows()).map(|group| texts.of(group).collect()).collect();
    let mut seen = HashMap::new();
    for group in &groups {
        let (name, sizes) = group.split_at(columns);
        if let Some(others) = seen.insert(name, sizes) {
            let place = sizes.iter().zip(others).position(|(a, b)| a != b).unwrap_or(0);
            return Err(Fault::SizesDiffer {
                column: names[columns + place].to_owned(),
                group: name.join(", "),
                values: [others[place].clone(), sizes[place].clone()].join(" and "),
            }
            .into());
        }
    }
    let parsed = |text: &String| {
        let number = decimal.pointed(text).and_then(|text| text.parse().ok());
        number.ok_or_else(|| Fault::NotASize { value: text.clone() }).and_then(checked)
    };
    let sizes = (columns..names.len()).map(|column| groups.iter().map(|group| parsed(&group[column])).collect());
    Ok((keys.of_columns(0..columns), sizes.collect::<Result<_, _>>()?))
}
