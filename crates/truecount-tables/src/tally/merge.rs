//! Groups of several tallies made one: those with the same values of the grouping columns are merged, in order of first appearance.

use super::file::TallyFile;
use crate::groups::{GroupInterner, Groups, go_together};
use arrow_array::ArrayRef;
use arrow_schema::SchemaRef;
use std::collections::HashMap;
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Tallies};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::{MAX_CHECKED_GROUPS, MergedTallies};
use truecount_text::RowNumbers;

/// Groups of several files, as far as they are merged.
pub struct Merging {
    kind: TallyKind,
    /// Whether what looks the same is another all the same.
    allow_equal: bool,
    /// The names of the files, and the place of each by what tells it from others.
    names: Vec<String>,
    seen: HashMap<String, usize>,
    /// The places of the columns that make groups, and the groups by their values.
    columns: Vec<usize>,
    numbering: GroupInterner,
    merged: MergedTallies,
}

/// What tallies must have in common.
struct TallyKind {
    by: Vec<String>,
    weighted: bool,
    schema: SchemaRef,
}

impl Merging {
    /// Of the first file, by these columns, by all there are if none is named. Tallies of the same rows are refused, unless they are
    /// allowed to be equal and still two.
    ///
    /// # Errors
    /// If the tally has no such column.
    pub fn new(first: TallyFile, by: &[String], allow_equal: bool) -> Result<Self, Error> {
        let TallyFile { name, about, groups } = first;
        let columns = places(&about.by, by).map_err(|problem| ErrorLocation::file(&name).error(problem))?;
        let by: Vec<String> = columns.iter().map(|column| about.by[*column].clone()).collect();
        let seen = HashMap::from([(about.identity().to_owned(), 0)]);
        let mut merging = Self {
            kind: TallyKind { by: about.by, weighted: about.weighted, schema: groups.keys.batch().schema() },
            allow_equal,
            seen,
            names: vec![name],
            columns,
            numbering: GroupInterner::new(&by),
            merged: MergedTallies::default(),
        };
        merging.merge(groups)?;
        Ok(merging)
    }

    /// Another file.
    ///
    /// # Errors
    /// If it is the same as one before, or made in another way.
    pub fn add(&mut self, next: TallyFile) -> Result<(), Error> {
        let TallyFile { name, about, groups } = next;
        let identity = about.identity().to_owned();
        let kind = TallyKind { by: about.by, weighted: about.weighted, schema: groups.keys.batch().schema() };
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

    fn merge(&mut self, groups: Groups<Tallies>) -> Result<(), Error> {
        let Groups { keys, contents, shift_total } = groups;
        let keys = keys.batch();
        let own: Vec<ArrayRef> = self.columns.iter().map(|column| Arc::clone(keys.column(*column))).collect();
        let file = self.names.len() - 1;
        let mut numbered = self.numbering.look_up(file, &own, RowNumbers::consecutive(1, keys.num_rows()))?;
        self.numbering.learn(&mut numbered, |file| self.names[file].clone())?;
        self.merged.add(&numbered.groups, MergedTallies { contents, shift_total })
    }

    /// All of them, as reading all scores at once would have them.
    pub fn done(mut self) -> Groups<Tallies> {
        if self.merged.contents.len() > MAX_CHECKED_GROUPS {
            self.merged.move_shift_to_total();
        }
        let ((order, _), MergedTallies { contents, shift_total }) = (self.numbering.order(), self.merged);
        Groups { keys: self.numbering.keys(&order), contents, shift_total }
    }
}

impl TallyKind {
    /// What is different in another; nothing where they are the same. The first file has this name.
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
        let (own, others) = pairs.find(|(own, other)| !go_together(own.data_type(), other.data_type()))?;
        let [first_kind, kind] = [own, others].map(|field| field.data_type().to_string());
        Some(TableProblem::TallyTypes { column: own.name().clone(), kind, first, first_kind })
    }
}

/// The places of these grouping columns; of all, if none is named.
fn places(known: &[String], by: &[String]) -> Result<Vec<usize>, TableProblem> {
    if by.is_empty() {
        return Ok((0..known.len()).collect());
    }
    let unknown =
        |column: &String| TableProblem::TallyColumnUnknown { column: column.clone(), columns: known.to_vec() };
    let place = |column: &String| known.iter().position(|known| known == column).ok_or_else(|| unknown(column));
    by.iter().map(place).collect()
}
