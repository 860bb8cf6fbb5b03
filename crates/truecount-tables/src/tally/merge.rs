//! Merges tally files: groups with the same values of the grouping columns, in order of first appearance.

use super::file::TallyFile;
use crate::groups::{GroupInterner, Groups, are_compatible};
use arrow_array::ArrayRef;
use arrow_schema::SchemaRef;
use std::collections::HashMap;
use std::sync::Arc;
use truecount::error::ErrorLocation;
use truecount::{Error, Tally};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::MergedTallies;
use truecount_text::RowNumbers;

/// A merger of tally files.
pub struct TallyMerger {
    kind: TallyKind,
    /// Whether files with the same identity are accepted as different rows.
    allow_equal: bool,
    /// The names of the files.
    names: Vec<String>,
    /// The index of each file in `names`, by its identity.
    seen: HashMap<String, usize>,
    /// The indices of the columns to group by.
    columns: Vec<usize>,
    interner: GroupInterner,
    merged: MergedTallies,
}

/// The properties that merged tallies must share.
struct TallyKind {
    by: Vec<String>,
    weighted: bool,
    schema: SchemaRef,
}

impl TallyMerger {
    /// Starts with the first file, grouped by these columns, or by all grouping columns if `by` is
    /// empty. Tallies of the same rows are an error unless `allow_equal`.
    ///
    /// # Errors
    /// Returns [`TableProblem::TallyColumnUnknown`] if the tally lacks a column.
    pub fn new(first: TallyFile, by: &[String], allow_equal: bool) -> Result<Self, Error> {
        let TallyFile { name, metadata, groups } = first;
        let columns = column_indices(&metadata.by, by).map_err(|problem| ErrorLocation::file(&name).error(problem))?;
        let by: Vec<String> = columns.iter().map(|column| metadata.by[*column].clone()).collect();
        let seen = HashMap::from([(metadata.identity().to_owned(), 0)]);
        let mut merging = Self {
            kind: TallyKind { by: metadata.by, weighted: metadata.weighted, schema: groups.keys.batch().schema() },
            allow_equal,
            seen,
            names: vec![name],
            columns,
            interner: GroupInterner::new(&by, None, &[]),
            merged: MergedTallies::default(),
        };
        merging.merge(groups)?;
        Ok(merging)
    }

    /// Adds another file.
    ///
    /// # Errors
    /// Returns an error if the file has the rows of an earlier one, or if its grouping columns,
    /// their types or its use of weights differ.
    pub fn add(&mut self, next: TallyFile) -> Result<(), Error> {
        let TallyFile { name, metadata, groups } = next;
        let identity = metadata.identity().to_owned();
        let kind = TallyKind { by: metadata.by, weighted: metadata.weighted, schema: groups.keys.batch().schema() };
        if let Some(difference) = self.kind.difference(&kind, &self.names[0]) {
            return Err(ErrorLocation::file(name).error(difference));
        }
        match self.seen.insert(identity, self.names.len()) {
            Some(twin) if !self.allow_equal => {
                return Err(
                    ErrorLocation::file(name).error(TableProblem::TallyTwice { first: self.names[twin].clone() })
                );
            }
            _ => self.names.push(name),
        }
        self.merge(groups)
    }

    fn merge(&mut self, groups: Groups<Tally>) -> Result<(), Error> {
        let Groups { keys, contents, shift_total } = groups;
        let keys = keys.batch();
        let values: Vec<ArrayRef> = self.columns.iter().map(|column| Arc::clone(keys.column(*column))).collect();
        let file = self.names.len() - 1;
        let mut numbered = self.interner.look_up(file, &values, RowNumbers::consecutive(1, keys.num_rows()))?;
        self.interner.intern(&mut numbered, |file| self.names[file].clone())?;
        self.merged.add(&numbered.groups, MergedTallies { contents, shift_total })
    }

    /// Returns the merged groups, equal to tallies of all scores read at once.
    pub fn finish(mut self) -> Groups<Tally> {
        self.merged.limit_checks();
        let ((keys, ..), MergedTallies { contents, shift_total }) = (self.interner.finish(), self.merged);
        Groups { keys, contents, shift_total }
    }
}

impl TallyKind {
    /// Returns the problem of merging with another kind, or `None` if they are equal. `first` is
    /// the name of the first file.
    fn difference(&self, other: &Self, first: &str) -> Option<TableProblem> {
        let first = first.to_owned();
        if self.by != other.by {
            return Some(TableProblem::TallyGroups {
                columns: other.by.clone(),
                first,
                first_columns: self.by.clone(),
            });
        }
        if self.weighted != other.weighted {
            let weights = |weighted| if weighted { "has weights" } else { "has no weights" };
            return Some(TableProblem::TallyWeights {
                found: weights(other.weighted),
                first,
                expected: weights(self.weighted),
            });
        }
        let mut pairs = self.schema.fields().iter().zip(other.schema.fields());
        let (field, other_field) =
            pairs.find(|(field, other)| !are_compatible(field.data_type(), other.data_type()))?;
        let [first_kind, kind] = [field, other_field].map(|field| field.data_type().to_string());
        Some(TableProblem::TallyTypes { column: field.name().clone(), kind, first, first_kind })
    }
}

/// Returns the indices of these grouping columns, or of all if `by` is empty.
fn column_indices(known: &[String], by: &[String]) -> Result<Vec<usize>, TableProblem> {
    if by.is_empty() {
        return Ok((0..known.len()).collect());
    }
    let unknown =
        |column: &String| TableProblem::TallyColumnUnknown { column: column.clone(), columns: known.to_vec() };
    let index = |column: &String| known.iter().position(|known| known == column).ok_or_else(|| unknown(column));
    by.iter().map(index).collect()
}
