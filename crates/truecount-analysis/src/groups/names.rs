//! Names of groups: the values of the grouping columns, one row per group.

use super::{Dates, GroupRanks};
use indexmap::IndexSet;
use serde::ser::{Serialize, Serializer};
use std::any::Any;
use truecount::Error;

/// Names of groups from any source, such as files or memory.
///
/// Groups are numbered from 0. Without grouping columns, all rows form one group.
pub trait GroupNames: Send + Sync {
    /// Returns the names of the grouping columns.
    fn columns(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Returns the number of groups.
    fn number(&self) -> usize;

    /// Returns a reader of the groups' values.
    fn reader(&self) -> Box<dyn NameReader + '_>;

    /// Returns the ranks of the groups by each grouping column.
    fn ranks(&self) -> Vec<GroupRanks>;

    /// Returns the names for downcasting, so that a typed format can write values with their types.
    fn as_any(&self) -> &dyn Any;

    /// Returns the values as text; a missing value is an empty text.
    fn texts(&self) -> NameTexts<'_> {
        NameTexts { reader: self.reader(), columns: self.columns().count() }
    }

    /// Returns the values as JSON.
    fn values(&self) -> NameValues<'_> {
        NameValues { reader: self.reader(), columns: self.columns().count() }
    }

    /// Returns the values of one group, for messages; `None` without grouping columns.
    fn name(&self, group: usize) -> Option<String> {
        self.columns().next()?;
        Some(self.texts().group_texts(group).collect::<Vec<_>>().join(", "))
    }

    /// Adds the values of a group to an error that has its number as that of a set.
    fn name_set(&self, error: Error) -> Error {
        match error.location().set.and_then(|group| self.name(group)) {
            Some(name) => error.in_group(name),
            None => error,
        }
    }

    /// Returns when the groups begin, if all values of the last grouping column are dates or missing.
    fn dates(&self) -> Option<Dates> {
        let last = self.columns().count().checked_sub(1)?;
        let reader = self.reader();
        let texts = (0..self.number()).map(|group| reader.text(group, last)).collect::<Vec<_>>();
        Dates::parse(&texts)
    }
}

/// Names of groups that can be divided by some of their columns.
pub trait GroupKeys: GroupNames + Clone + 'static {
    /// Groups the names by these columns. Returns the names of the new groups in the order of their
    /// first appearance, and the new group of each present group.
    ///
    /// # Errors
    /// Returns [`TableProblem::GroupsNotComparable`](crate::TableProblem::GroupsNotComparable) if values cannot be
    /// compared.
    fn group_by(&self, columns: impl IntoIterator<Item = usize>) -> Result<(Self, Vec<u32>), Error>;
}

/// Reads the values of groups.
pub trait NameReader {
    /// Returns a value as text; a missing value is an empty text.
    fn text(&self, group: usize, column: usize) -> String;

    /// Returns a value with its type.
    fn value(&self, group: usize, column: usize) -> NameValue;
}

/// The values of every group as text.
pub struct NameTexts<'a> {
    reader: Box<dyn NameReader + 'a>,
    columns: usize,
}

impl NameTexts<'_> {
    /// Returns the values of one group.
    pub fn group_texts(&self, group: usize) -> impl Iterator<Item = String> + '_ {
        (0..self.columns).map(move |column| self.reader.text(group, column))
    }
}

/// The values of every group as JSON.
pub struct NameValues<'a> {
    reader: Box<dyn NameReader + 'a>,
    columns: usize,
}

impl NameValues<'_> {
    /// Returns the values of one group.
    pub fn group_values(&self, group: usize) -> impl Iterator<Item = NameValue> + '_ {
        (0..self.columns).map(move |column| self.reader.value(group, column))
    }
}

/// The value of a group in a grouping column. In JSON numbers are numbers, and everything but booleans is text.
#[derive(Clone, Debug, PartialEq)]
pub enum NameValue {
    /// A missing value.
    Missing,
    /// A whole number with a sign.
    Signed(i64),
    /// A whole number without a sign.
    Unsigned(u64),
    /// A number of single precision.
    Single(f32),
    /// A number of double precision.
    Double(f64),
    /// A truth value.
    Logical(bool),
    /// Everything else, as people read it.
    Text(String),
}

impl Serialize for NameValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => serializer.serialize_none(),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            // JSON has no infinities and no NaN.
            Self::Single(value) if !value.is_finite() => serializer.collect_str(value),
            Self::Double(value) if !value.is_finite() => serializer.collect_str(value),
            Self::Single(value) => serializer.serialize_f32(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::Logical(value) => serializer.serialize_bool(*value),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// Names of groups by some of their grouping columns. Groups keep their numbers, so several may have the same name.
#[derive(Clone)]
pub struct PartialNames<N> {
    names: N,
    columns: Vec<usize>,
}

impl<N: GroupNames> PartialNames<N> {
    /// Creates names from the columns with these indices.
    pub fn new(names: N, columns: Vec<usize>) -> Self {
        Self { names, columns }
    }
}

impl<N: GroupNames> GroupNames for PartialNames<N> {
    fn columns(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.columns.iter().filter_map(|column| self.names.columns().nth(*column)))
    }

    fn number(&self) -> usize {
        self.names.number()
    }

    fn reader(&self) -> Box<dyn NameReader + '_> {
        Box::new(PartialReader(self.names.reader(), &self.columns))
    }

    fn ranks(&self) -> Vec<GroupRanks> {
        let ranks = self.names.ranks();
        self.columns.iter().map(|column| ranks[*column].clone()).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self.names.as_any()
    }
}

/// A reader of some columns of names.
struct PartialReader<'a>(Box<dyn NameReader + 'a>, &'a [usize]);

impl NameReader for PartialReader<'_> {
    fn text(&self, group: usize, column: usize) -> String {
        self.0.text(group, self.1[column])
    }

    fn value(&self, group: usize, column: usize) -> NameValue {
        self.0.value(group, self.1[column])
    }
}

/// Names that are texts, as in files without types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextNames {
    columns: Vec<String>,
    /// A row for each group; a missing value is `None`.
    rows: Vec<Vec<Option<String>>>,
}

impl TextNames {
    /// Creates the names of groups from their values in each column; without columns, there is one group.
    pub fn from_columns(columns: Vec<(String, Vec<Option<String>>)>) -> Self {
        let number = columns.first().map_or(1, |(_, values)| values.len());
        let row = |group: usize| columns.iter().map(|(_, values)| values[group].clone()).collect();
        let rows = (0..number).map(row).collect();
        Self::new(columns.into_iter().map(|(name, _)| name).collect(), rows)
    }

    /// Creates names from the columns and a row of values for each group.
    pub fn new(columns: Vec<String>, rows: Vec<Vec<Option<String>>>) -> Self {
        Self { columns, rows }
    }

    /// Creates the name of a single group without grouping columns.
    pub fn none() -> Self {
        Self { columns: Vec::new(), rows: vec![Vec::new()] }
    }
}

impl GroupNames for TextNames {
    fn columns(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.columns.iter().map(String::as_str))
    }

    fn number(&self) -> usize {
        self.rows.len()
    }

    fn reader(&self) -> Box<dyn NameReader + '_> {
        Box::new(self)
    }

    fn ranks(&self) -> Vec<GroupRanks> {
        (0..self.columns.len())
            .map(|column| GroupRanks::from_texts(|| self.rows.iter().map(move |row| row[column].as_deref())))
            .collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl GroupKeys for TextNames {
    fn group_by(&self, columns: impl IntoIterator<Item = usize>) -> Result<(Self, Vec<u32>), Error> {
        let columns: Vec<usize> = columns.into_iter().collect();
        let mut rows: IndexSet<Vec<Option<String>>> = IndexSet::new();
        let group = |row: &Vec<Option<String>>| {
            let values = columns.iter().map(|column| row[*column].clone()).collect();
            u32::try_from(rows.insert_full(values).0).expect("groups are numbered by u32")
        };
        let groups = self.rows.iter().map(group).collect();
        let names = columns.iter().map(|column| self.columns[*column].clone()).collect();
        Ok((Self::new(names, rows.into_iter().collect()), groups))
    }
}

impl NameReader for &TextNames {
    fn text(&self, group: usize, column: usize) -> String {
        self.rows[group][column].clone().unwrap_or_default()
    }

    fn value(&self, group: usize, column: usize) -> NameValue {
        self.rows[group][column].clone().map_or(NameValue::Missing, NameValue::Text)
    }
}
