//! Groups of several tallies made one: those with the same values of the grouping columns are merged, in order of first appearance.

use super::file::Part;
use crate::failure::Failure;
use crate::input::{CHECKED_EACH, Groups, Keys, Shifts};
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::compute::{concat_batches, take};
use arrow::datatypes::SchemaRef;
use arrow::row::{RowConverter, SortField};
use std::collections::HashMap;
use std::sync::Arc;
use truecount::check::ShiftTally;
use truecount::{Error, Tallies};

/// Groups, as far as they are merged.
pub struct Merging {
    /// The first part's name, with its kind, which all others must have.
    first: String,
    kind: Kind,
    /// Checksum and name of every part.
    seen: Vec<(String, String)>,
    /// The places of the columns that make groups, with what compares their values.
    columns: Vec<usize>,
    converter: RowConverter,
    /// The places of the groups by the values of their columns.
    places: HashMap<Vec<u8>, usize>,
    /// The values of the groups that each part was the first to have.
    keys: Vec<RecordBatch>,
    contents: Vec<Tallies>,
    shift: Shifting,
}

/// What tallies must have in common.
struct Kind {
    by: Vec<String>,
    weighted: bool,
    schema: SchemaRef,
}

/// The tallies of the shift check: of each group as long as every part has them so.
enum Shifting {
    None,
    Each(Vec<ShiftTally>),
    Together(ShiftTally),
}

impl Merging {
    /// Of the first part, by these columns, by all there are if none is named.
    pub fn new(part: Part, by: &[String]) -> Result<Self, Failure> {
        let Part { name, about, groups } = part;
        let columns = places(&name, &about.by, by)?;
        let schema = groups.keys.batch().schema();
        let kinds = columns.iter().map(|column| SortField::new(schema.field(*column).data_type().clone())).collect();
        let converter = RowConverter::new(kinds).map_err(Failure::at(&name))?;
        let mut merging = Self {
            first: name.clone(),
            kind: Kind { by: about.by, weighted: about.weighted, schema },
            seen: vec![(about.checksum, name)],
            columns,
            converter,
            places: HashMap::new(),
            keys: Vec::new(),
            contents: Vec::new(),
            shift: Shifting::Each(Vec::new()),
        };
        merging.merge(groups)?;
        Ok(merging)
    }

    /// Another part.
    pub fn add(&mut self, part: Part) -> Result<(), Failure> {
        let Part { name, about, groups } = part;
        if let Some((_, twin)) = self.seen.iter().find(|(checksum, _)| *checksum == about.checksum) {
            return Err(Failure::Data(format!("{name}: is the same tally as {twin}; name each once")));
        }
        let kind = Kind { by: about.by, weighted: about.weighted, schema: groups.keys.batch().schema() };
        if let Some(difference) = self.kind.difference(&kind, &self.first) {
            return Err(Failure::Data(format!("{name}: {difference}")));
        }
        self.seen.push((about.checksum, name));
        Ok(self.merge(groups)?)
    }

    fn merge(&mut self, groups: Groups<Tallies>) -> Result<(), Error> {
        let keys = groups.keys.batch();
        let own: Vec<ArrayRef> = self.columns.iter().map(|column| Arc::clone(keys.column(*column))).collect();
        let values = (!own.is_empty()).then(|| self.converter.convert_columns(&own).expect("columns of these types"));
        let (mut new, mut found) = (Vec::new(), Vec::with_capacity(keys.num_rows()));
        for (row, tallies) in groups.contents.into_iter().enumerate() {
            let key: &[u8] = values.as_ref().map_or(&[], |values| values.row(row).data());
            if let Some(place) = self.places.get(key) {
                found.push(*place);
                self.contents[*place].merge(&tallies)?;
            } else {
                found.push(self.contents.len());
                self.places.insert(key.to_owned(), self.contents.len());
                self.contents.push(tallies);
                new.push(u32::try_from(row).expect("groups are fewer than 2^32"));
            }
        }
        self.shift.add(groups.shift, &found)?;
        let new = UInt32Array::from(new);
        let own = own.iter().map(|column| take(column, &new, None).expect("rows there are"));
        let rows = RecordBatchOptions::new().with_row_count(Some(new.len()));
        let schema = Arc::new(keys.schema().project(&self.columns).expect("columns there are"));
        self.keys.push(RecordBatch::try_new_with_options(schema, own.collect(), &rows).expect("the same columns"));
        Ok(())
    }

    /// All of them.
    pub fn done(self) -> Groups<Tallies> {
        let schema = self.keys[0].schema();
        let keys = Keys::new(concat_batches(&schema, &self.keys).expect("batches of the same columns"));
        Groups { keys, contents: self.contents, shift: self.shift.done() }
    }
}

impl Shifting {
    /// Adds the tallies of a part whose groups are at these places.
    fn add(&mut self, shifts: Shifts, places: &[usize]) -> Result<(), Error> {
        match (&mut *self, shifts) {
            (Self::None, _) => {}
            (_, Shifts::None) => *self = Self::None,
            (Self::Each(known), Shifts::Each(tallies)) => {
                for (place, tally) in places.iter().zip(tallies) {
                    match known.get_mut(*place) {
                        Some(known) => known.merge(&tally)?,
                        None => known.push(tally),
                    }
                }
            }
            (Self::Each(known), Shifts::Together(mut tally)) => {
                known.iter().try_for_each(|known| tally.merge(known))?;
                *self = Self::Together(tally);
            }
            (Self::Together(known), Shifts::Each(tallies)) => {
                tallies.iter().try_for_each(|tally| known.merge(tally))?;
            }
            (Self::Together(known), Shifts::Together(tally)) => known.merge(&tally)?,
        }
        Ok(())
    }

    /// As reading all scores at once would have them.
    fn done(self) -> Shifts {
        match self {
            Self::None => Shifts::None,
            Self::Each(mut tallies) if tallies.len() > CHECKED_EACH => {
                let mut all = tallies.pop().expect("there are many");
                for tally in &tallies {
                    all.merge(tally).expect("tallies of one check");
                }
                Shifts::Together(all)
            }
            Self::Each(tallies) => Shifts::Each(tallies),
            Self::Together(tally) => Shifts::Together(tally),
        }
    }
}

impl Kind {
    /// What is different in another, in words; nothing where they are the same. The first has this name.
    fn difference(&self, other: &Self, first: &str) -> Option<String> {
        if self.by != other.by {
            let by = |by: &[String]| match by {
                [] => "has no groups".to_owned(),
                by => format!("has groups by {}", by.join(", ")),
            };
            return Some(format!("{}, {first} {}; tally both in the same way", by(&other.by), by(&self.by)));
        }
        if self.weighted != other.weighted {
            let weights = |weighted| if weighted { "has weights" } else { "has no weights" };
            let (own, others) = (weights(self.weighted), weights(other.weighted));
            return Some(format!("{others}, {first} {own}; tally both in the same way"));
        }
        let mut pairs = self.schema.fields().iter().zip(other.schema.fields());
        let (own, others) = pairs.find(|(own, other)| own.data_type() != other.data_type())?;
        let (column, own, others) = (own.name(), own.data_type(), others.data_type());
        Some(format!("the column '{column}' is of type {others}, in {first} of type {own}; make them the same"))
    }
}

/// The places of these grouping columns; of all, if none is named.
fn places(name: &str, known: &[String], by: &[String]) -> Result<Vec<usize>, Failure> {
    if by.is_empty() {
        return Ok((0..known.len()).collect());
    }
    let place = |column: &String| {
        known.iter().position(|known| known == column).ok_or_else(|| {
            let there = match known {
                [] => "has no groups".to_owned(),
                known => format!("has groups by {}", known.join(", ")),
            };
            Failure::Data(format!("{name}: there is no grouping column '{column}'; the tally {there}"))
        })
    };
    by.iter().map(place).collect()
}
