//! Groups of rows from files divided into their parts by the roles of their columns, with the sizes
//! of groups and strata.

use crate::{Decimal, name};
use std::collections::HashMap;
use std::path::Path;
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount::model::{StratumPopulation, TestStrata};
use truecount_analysis::design_tallies::PartDesign;
use truecount_analysis::groups::{GroupKeys, NamedGroups};
use truecount_analysis::request::{ColumnRoles, Sizes};
use truecount_analysis::rows::GroupParts;
use truecount_analysis::{ScoreValues, TableProblem};

/// Name of the column in a table of sizes.
pub const SIZE: &str = "size";

/// Reads a table of sizes by the columns of groups.
type ReadSizes<'a, N> = &'a dyn Fn(&Path, &[String]) -> Result<NamedGroups<ScoreValues<Vec<f64>>, N>, Error>;

/// The weights of groups and the sizes of their populations; `None` if not requested.
type GroupSizes = [Option<Vec<f64>>; 2];

/// The format of sizes: the decimal mark, and a function that reads a table of sizes, which are its
/// scores, by the columns of the groups.
pub struct SizeFormat<'a, N> {
    /// The decimal mark of sizes in columns.
    pub decimal: Option<Decimal>,
    /// Reads a table.
    pub read: ReadSizes<'a, N>,
}

/// Divides rows, grouped by the columns of the roles, into the parts of groups.
///
/// # Errors
/// Returns an error if a table of sizes cannot be read, if a group or a stratum has no size or
/// several, or if a size is not positive.
pub fn split_into_parts<T, N: GroupKeys>(
    rows: NamedGroups<T, N>,
    roles: &ColumnRoles,
    format: &SizeFormat<N>,
) -> Result<GroupParts<T, N>, Error> {
    let NamedGroups { keys, contents, shift_total } = rows;
    let (names, groups) = keys.group_by(0..roles.sized_by)?;
    let (names, sizes) = group_sizes(&names, roles.by, roles.sizes, format)?;
    let sized = |column: Option<usize>, size: Option<usize>, sizes| {
        let (names, numbers) = keys.group_by(column.into_iter().chain(size))?;
        let (names, [sizes, _]) = group_sizes(&names, usize::from(column.is_some()), [sizes, None], format)?;
        Ok::<_, Error>((names, numbers, sizes))
    };
    let clusters = roles.cluster.map(|_| sized(roles.cluster, roles.cluster_size, roles.cluster_sizes)).transpose()?;
    let (design, units) = match (roles.stratum, clusters) {
        (None, Some((names, numbers, _))) if !roles.counts_clusters => (PartDesign::Clusters(numbers), Some(names)),
        (None, None) => (PartDesign::Simple, None),
        (stratum, clusters) => {
            let (names, strata, sizes) = sized(stratum, roles.stratum_size, roles.stratum_sizes)?;
            let (clusters, rows) = clusters.map(|(_, numbers, sizes)| (numbers, sizes)).unzip();
            let rows = rows.flatten().zip(clusters.as_ref());
            let rows = rows.map(|(sizes, clusters)| clusters.iter().map(|cluster| sizes[*cluster as usize]).collect());
            let population = sizes.map(|of_strata| {
                if roles.counts_clusters {
                    StratumPopulation::Clusters { of_strata, rows }
                } else {
                    StratumPopulation::Rows(of_strata)
                }
            });
            let strata = TestStrata { strata, clusters, population, units: None, lonely: roles.lonely };
            (PartDesign::Strata(strata), stratum.map(|_| names))
        }
    };
    let texts = keys.texts();
    let value = |index: usize| (0..keys.number()).filter_map(|part| texts.group_texts(part).nth(index)).collect();
    let model_strata = roles.model_stratum.map(value).unwrap_or_default();
    Ok(GroupParts { contents, shift_total, names, groups, design, units, sizes, model_strata })
}

/// Separates the keys of groups by their first `by` columns from columns of
/// sizes, and returns both kinds of sizes.
///
/// # Errors
/// Returns an error if a table cannot be read, if a group has no size or several, or if a size is
/// not positive.
pub fn group_sizes<N: GroupKeys>(
    keys: &N,
    by: usize,
    sizes: [Option<&Sizes>; 2],
    format: &SizeFormat<N>,
) -> Result<(N, GroupSizes), Error> {
    let names: Vec<String> = keys.columns().skip(by).map(str::to_owned).collect();
    let (keys, in_columns) = if names.is_empty() {
        (keys.clone(), Vec::new())
    } else {
        sizes_in_columns(keys, by, format.decimal.unwrap_or_default())?
    };
    let read = |sizes: &Sizes| match sizes {
        Sizes::Table(path) => sizes_in_table(path, &keys, format),
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
fn sizes_in_table<N: GroupKeys>(path: &Path, keys: &N, format: &SizeFormat<N>) -> Result<Vec<f64>, Error> {
    let by: Vec<String> = keys.columns().map(str::to_owned).collect();
    let table = (format.read)(path, &by)?;
    let problem = |problem| ErrorLocation::file(name(path)).error(problem);
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
    let sizes = (0..keys.number()).map(|group| {
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
fn sizes_in_columns<N: GroupKeys>(keys: &N, columns: usize, decimal: Decimal) -> Result<(N, Vec<Vec<f64>>), Error> {
    let names: Vec<&str> = keys.columns().collect();
    let texts = keys.texts();
    let groups: Vec<Vec<String>> = (0..keys.number()).map(|group| texts.group_texts(group).collect()).collect();
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
    Ok((keys.group_by(0..columns)?.0, sizes.collect::<Result<_, _>>()?))
}
