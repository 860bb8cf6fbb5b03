//! The order of results: by group, by columns, or in order of appearance.

use super::cell::ResultCell;
use super::column::Unit;
use super::row::ResultRow;
use crate::groups::{GroupNames, GroupRanks};
use truecount::error::Severity;

/// The order of groups among results. Rows of one group stay together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The natural order: dates by time, numbers by size, texts alphabetically.
    #[default]
    Groups,
    /// The order in which the groups first appear.
    Appearance,
    /// The order by these columns; a minus before a name sorts in descending order. Result columns
    /// sort groups by their first row. Ties are in natural order, and missing values are last.
    By(Vec<String>),
}

impl Sort {
    /// Returns the first column of this order that is not among these columns.
    pub fn unknown(&self, columns: &[String]) -> Option<&str> {
        let Self::By(names) = self else { return None };
        names.iter().map(String::as_str).find(|name| find_column(name, columns).is_none())
    }

    /// Sorts rows; rows without a group are last.
    ///
    /// # Panics
    /// If this order names an unknown column.
    pub fn sort<R: ResultRow>(&self, rows: &mut [R], keys: &dyn GroupNames) {
        let Some(order) = self.order(rows, keys) else { return };
        let mut positions = vec![0; order.len()];
        for (position, group) in (0_u32..).zip(order) {
            positions[group as usize] = position;
        }
        rows.sort_by_cached_key(|row| row.group().map_or(u32::MAX, |group| positions[group]));
    }

    /// Returns the groups in this order; `None` if they are already sorted.
    pub(crate) fn order<R: ResultRow>(&self, rows: &[R], keys: &dyn GroupNames) -> Option<Vec<u32>> {
        let names: &[String] = match self {
            Self::Groups => &[],
            Self::By(columns) => columns,
            Self::Appearance => return None,
        };
        let by: Vec<String> = keys.columns().map(str::to_owned).collect();
        let columns = sortable::<R>(&by);
        let ranks = names.iter().map(|name| {
            let (index, descending) = find_column(name, &columns).expect("a known column");
            let ranks = match index.checked_sub(by.len()) {
                None => keys.ranks().swap_remove(index),
                Some(_) => rank_by_column(rows, &columns[index], keys.number()),
            };
            if descending { ranks.descending() } else { ranks }
        });
        GroupRanks::order_by(ranks.chain(keys.ranks()))
    }
}

/// Returns the names of the columns by which such rows can be sorted, grouping columns first.
pub fn sortable<R: ResultRow>(by: &[String]) -> Vec<String> {
    let own = R::columns().into_iter().map(|column| column.description);
    let is_sortable = |name: &str| R::GROUP_COLUMNS.is_none_or(|names| names.contains(&name));
    let own = own
        .filter(|column| column.unit != Unit::Nested && is_sortable(&column.name))
        .map(|column| column.name.into_owned());
    by.iter().cloned().chain(own).collect()
}

/// Returns the index of the column with this name, which may follow a minus, and whether there is a
/// minus for descending order. A column's name may itself begin with a minus.
fn find_column(name: &str, columns: &[String]) -> Option<(usize, bool)> {
    let find = |name: &str| columns.iter().position(|column| column == name);
    find(name).map(|index| (index, false)).or_else(|| Some((find(name.strip_prefix('-')?)?, true)))
}

/// Ranks all groups by a column of their first rows.
fn rank_by_column<R: ResultRow>(rows: &[R], name: &str, groups: usize) -> GroupRanks {
    let column = R::columns().into_iter().find(|column| column.description.name == name).expect("one of its names");
    let mut first: Vec<Option<&R>> = vec![None; groups];
    for row in rows {
        if let Some(group) = row.group() {
            first[group].get_or_insert(row);
        }
    }
    let cells = || first.iter().map(|row| row.map_or(ResultCell::None, |row| (column.cell)(row)));
    if column.description.unit == Unit::Text {
        return GroupRanks::from_values(cells().map(|cell| match cell {
            // Severities are sorted by their gravity.
            ResultCell::Text(text) => Some((Severity::TABLE.iter().position(|(name, ..)| *name == text), text)),
            _ => None,
        }));
    }
    GroupRanks::from_numbers(cells().map(|cell| match cell {
        ResultCell::Whole(count) => Some(count as f64),
        ResultCell::Unlimited => Some(f64::INFINITY),
        ResultCell::Number(number) => Some(number),
        ResultCell::Flag(flag) => Some(f64::from(flag)),
        ResultCell::Warnings(estimate) => Some(estimate.warnings.len() as f64),
        ResultCell::None | ResultCell::Text(_) | ResultCell::Nested(_) => None,
    }))
}
