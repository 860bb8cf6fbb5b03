//! Groups of rows from files divided into their parts by the roles of their columns, with the sizes
//! of groups and strata.

use crate::{Decimal, name};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use truecount::Error;
use truecount::error::{ErrorLocation, Problem};
use truecount::model::{StratumPopulation, TestStrata};
use truecount_analysis::design_tallies::CellDesign;
use truecount_analysis::groups::{GroupKeys, NamedGroups};
use truecount_analysis::request::{ColumnRoles, Sizes};
use truecount_analysis::rows::GroupCells;
use truecount_analysis::standard::{GroupSizes, Standard};
use truecount_analysis::{ScoreValues, TableProblem};

/// Name of the column in a table of sizes.
pub const SIZE: &str = "size";

/// Reads a table of sizes by the columns of groups. The table may lack some of the columns if this is
/// requested; their values are then missing.
type ReadSizes<'a, N> = &'a dyn Fn(&Path, &[String], bool) -> Result<NamedGroups<ScoreValues<Vec<f64>>, N>, Error>;

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
) -> Result<GroupCells<T, N>, Error> {
    let NamedGroups { keys, contents, shift_total } = rows;
    let (names, groups) = keys.group_by(0..roles.sized_by)?;
    let (names, sizes) = group_sizes(&names, roles.by, roles.sizes, format)?;
    let sized = |column: Option<usize>, size: Option<usize>, sizes| {
        let (names, numbers) = keys.group_by(column.into_iter().chain(size))?;
        let (names, sizes) = group_sizes(&names, usize::from(column.is_some()), [None, sizes], format)?;
        Ok::<_, Error>((names, numbers, sizes.populations))
    };
    let clusters = roles.cluster.map(|_| sized(roles.cluster, roles.cluster_size, roles.cluster_sizes)).transpose()?;
    let (design, units) = match (roles.stratum, clusters) {
        (None, Some((names, numbers, _))) if !roles.counts_clusters => (CellDesign::Clusters(numbers), Some(names)),
        (None, None) => (CellDesign::Simple, None),
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
            (CellDesign::Strata(strata), stratum.map(|_| names))
        }
    };
    let texts = keys.texts();
    let value = |index: usize| (0..keys.number()).filter_map(|part| texts.group_texts(part).nth(index)).collect();
    let model_strata = roles.model_stratum.map(value).unwrap_or_default();
    Ok(GroupCells { contents, shift_total, names, groups, design, units, sizes, model_strata })
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
        Sizes::Table(path) => sizes_in_table(path, &keys, format, false).map(|sizes| sizes.weights),
        Sizes::Column(column) => {
            let index = names.iter().position(|name| name == column).expect("a column that is read");
            Ok(in_columns[index].clone())
        }
        Sizes::Number(size) => Ok(vec![*size as f64]),
    };
    let [standard, populations] = sizes;
    let standard = standard.map(|sizes| match sizes {
        Sizes::Table(path) => sizes_in_table(path, &keys, format, true),
        sizes => Ok(Standard::single_set(read(sizes)?)),
    });
    let sizes = GroupSizes { standard: standard.transpose()?, populations: populations.map(read).transpose()? };
    Ok((keys, sizes))
}

/// Returns the size of every group from a table with the columns of the keys and a column of sizes.
/// Every row must be of a group. A standard population may lack some of the columns, but not all, and
/// its sizes may be 0; then every row must be of a group in each set.
fn sizes_in_table<N: GroupKeys>(
    path: &Path,
    keys: &N,
    format: &SizeFormat<N>,
    is_standard: bool,
) -> Result<Standard, Error> {
    let by: Vec<String> = keys.columns().map(str::to_owned).collect();
    let table = (format.read)(path, &by, is_standard)?;
    let problem = |problem| ErrorLocation::file(name(path)).error(problem);
    let rows: Vec<Vec<String>> = {
        let texts = table.keys.texts();
        (0..table.contents.len()).map(|group| texts.group_texts(group).collect()).collect()
    };
    let is_missing = |column: &usize| is_standard && rows.iter().all(|row| row[*column].is_empty());
    let (columns, present): (Vec<usize>, Vec<usize>) = (0..by.len()).partition(is_missing);
    if present.is_empty() {
        return Err(problem(TableProblem::SizesWithoutGroups { columns: by }));
    }
    let select = |row: &[String]| present.iter().map(|column| row[*column].clone()).collect::<Vec<_>>();
    let mut size_of_row = HashMap::new();
    for (row, sizes) in rows.iter().zip(&table.contents) {
        let &[size] = sizes.scores.as_slice() else {
            return Err(problem(TableProblem::SizeTwice { group: row.join(", "), rows: sizes.scores.len() }));
        };
        let is_zero = is_standard && size == 0.0;
        size_of_row.insert(select(row), if is_zero { size } else { check_size(size).map_err(problem)? });
    }
    if size_of_row.values().all(|size| *size == 0.0) {
        return Err(ErrorLocation::file(name(path)).error(Problem::AllWeightsZero));
    }
    let (set_names, sets) = keys.group_by(columns.iter().copied())?;
    let mut unused: Vec<BTreeSet<&Vec<String>>> = vec![size_of_row.keys().collect(); set_names.number()];
    let texts = keys.texts();
    let sizes = (0..keys.number()).zip(&sets).map(|(group, set)| {
        let group: Vec<String> = texts.group_texts(group).collect();
        let row = select(&group);
        unused[*set as usize].remove(&row);
        let size = size_of_row.get(&row).copied();
        size.ok_or_else(|| problem(TableProblem::SizeMissing { group: row.join(", ") }))
    });
    let weights = sizes.collect::<Result<Vec<_>, _>>()?;
    for (set, unused) in unused.iter().enumerate() {
        if let Some(row) = unused.iter().find(|row| size_of_row[**row] > 0.0) {
            let group = set_names.name(set).into_iter().chain(row.iter().cloned()).collect::<Vec<_>>().join(", ");
            return Err(problem(TableProblem::SizeUnused { group }));
        }
    }
    Ok(Standard { weights, columns, sets })
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
