//! Sizes of groups: one number, a table of sizes, or a column that is constant within each group.

use super::Keys;
use super::read::{RowCollector, TestFiles};
use crate::Progress;
use crate::input::{self, Decimal};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;
use truecount_analysis::groups::GroupNames;
use truecount_text::ScoreColumns;

/// Name of the column in a table of sizes.
const SIZE: &str = "size";

/// The source of group sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// The size of a single group.
    Number(u64),
    /// A column of the test table.
    Column(String),
    /// A table with the grouping columns and a column `size`.
    Table(PathBuf),
}

impl Sizes {
    /// Returns the path of the table, if it is one.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Table(path) => Some(path),
            Self::Number(_) | Self::Column(_) => None,
        }
    }
}

/// The weights of the groups and the sizes of their populations; `None` if not requested.
pub type GroupSizes = [Option<Vec<f64>>; 2];

/// Returns the grouping columns, followed by the columns with sizes, each once.
pub fn with_size_columns(by: &[String], sizes: [Option<&Sizes>; 2]) -> Vec<String> {
    let mut columns = by.to_vec();
    for sizes in sizes.into_iter().flatten() {
        if let Sizes::Column(name) = sizes
            && !columns[by.len()..].contains(name)
        {
            columns.push(name.clone());
        }
    }
    columns
}

/// Separates the keys of groups by their first `by` columns from [columns of
/// sizes](with_size_columns), and returns both kinds of sizes.
///
/// # Errors
/// Returns an error if a table cannot be read, if a group has no size or several, or if a size is
/// not positive.
pub fn group_sizes(
    keys: &Keys,
    by: usize,
    sizes: [Option<&Sizes>; 2],
    decimal: Option<Decimal>,
    progress: &dyn Progress,
) -> Result<(Keys, GroupSizes), Error> {
    let names: Vec<String> = keys.columns().skip(by).map(str::to_owned).collect();
    let (keys, in_columns) = if names.is_empty() {
        (keys.clone(), Vec::new())
    } else {
        sizes_in_columns(keys, by, decimal.unwrap_or_default())?
    };
    let read = |sizes: &Sizes| match sizes {
        Sizes::Table(path) => sizes_in_table(path, &keys, decimal, progress),
        Sizes::Column(column) => {
            let index = names.iter().position(|name| name == column).expect("a column that is read");
            Ok(in_columns[index].clone())
        }
        Sizes::Number(size) => Ok(vec![*size as f64]),
    };
    let [first, second] = sizes;
    let sizes = [first.map(read).transpose()?, second.map(read).transpose()?];
    Ok((keys, sizes))
}

/// Returns the size of every group from a table with the columns of the keys and a column of sizes.
/// Every row must be of a group.
fn sizes_in_table(
    path: &Path,
    keys: &Keys,
    decimal: Option<Decimal>,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Error> {
    let by: Vec<String> = keys.columns().map(str::to_owned).collect();
    let paths: [PathBuf; 1] = [path.to_owned()];
    let columns = ScoreColumns { score: Some(SIZE), decimal, ..ScoreColumns::default() };
    let files = TestFiles::new(&paths, columns, &by, progress);
    let table = files.read(None, 0, usize::MAX, &RowCollector)?.groups;
    let problem = |problem| ErrorLocation::file(input::name(path)).error(problem);
    let collect_name = |texts: &mut dyn Iterator<Item = String>| texts.collect::<Vec<_>>();
    let texts = table.keys.texts();
    let mut size_of_group: HashMap<Vec<String>, f64> = HashMap::new();
    for (group, rows) in table.contents.iter().enumerate() {
        let name = collect_name(&mut texts.group_texts(group));
        let &[size] = rows.scores.as_slice() else {
            return Err(problem(TableProblem::SizeTwice { group: name.join(", "), rows: rows.scores.len() }));
        };
        size_of_group.insert(name, check_size(size).map_err(problem)?);
    }
    let texts = keys.texts();
    let sizes = (0..keys.batch().num_rows()).map(|group| {
        let name = collect_name(&mut texts.group_texts(group));
        size_of_group.remove(&name).ok_or_else(|| problem(TableProblem::SizeMissing { group: name.join(", ") }))
    });
    let sizes = sizes.collect::<Result<_, _>>()?;
    match size_of_group.into_keys().next() {
        Some(name) => Err(problem(TableProblem::SizeUnused { group: name.join(", ") })),
        None => Ok(sizes),
    }
}

fn check_size(size: f64) -> Result<f64, TableProblem> {
    if size > 0.0 && size.is_finite() { Ok(size) } else { Err(TableProblem::NotASize { value: size.to_string() }) }
}

/// Returns the keys by their first `columns` columns, and the sizes of all groups in each other
/// column.
fn sizes_in_columns(keys: &Keys, columns: usize, decimal: Decimal) -> Result<(Keys, Vec<Vec<f64>>), Error> {
    let names: Vec<&str> = keys.columns().collect();
    let texts = keys.texts();
    let groups: Vec<Vec<String>> =
        (0..keys.batch().num_rows()).map(|group| texts.group_texts(group).collect()).collect();
    let mut seen = HashMap::new();
    for group in &groups {
        let (name, sizes) = group.split_at(columns);
        if let Some(others) = seen.insert(name, sizes) {
            let index = sizes.iter().zip(others).position(|(a, b)| a != b).unwrap_or(0);
            return Err(TableProblem::SizesDiffer {
                column: names[columns + index].to_owned(),
                group: name.join(", "),
                values: [others[index].clone(), sizes[index].clone()].join(" and "),
            }
            .into());
        }
    }
    let parsed = |text: &String| {
        let number = decimal.to_decimal_point(text).and_then(|text| text.parse().ok());
        number.ok_or_else(|| TableProblem::NotASize { value: text.clone() }).and_then(check_size)
    };
    let sizes = (columns..names.len()).map(|column| groups.iter().map(|group| parsed(&group[column])).collect());
    Ok((keys.select_columns(0..columns), sizes.collect::<Result<_, _>>()?))
}
