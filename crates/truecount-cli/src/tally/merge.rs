//! Groups of several tallies made one: those with the same values of the grouping columns are merged, in order of first appearance.

use super::file::Part;
use crate::failure::Failure;
use crate::input::{Groups, Keys, Shifts};
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::compute::{concat_batches, take};
use arrow::row::{RowConverter, SortField};
use hashbrown::HashMap;
use std::sync::Arc;
use truecount::{Error, Tally};

/// All parts' groups by these columns, by all there are if none is named.
pub fn merged(parts: Vec<Part>, by: &[String]) -> Result<Groups<Vec<Tally>>, Failure> {
    let first = &parts[0];
    check(first, &parts[1..])?;
    let columns = places(first, by)?;
    let schema = Arc::new(first.groups.keys.batch().schema().project(&columns).expect("columns there are"));
    let kinds = schema.fields().iter().map(|field| SortField::new(field.data_type().clone())).collect();
    let converter = RowConverter::new(kinds).map_err(Failure::at(&first.name))?;
    let mut all =
        Merged { places: HashMap::new(), keys: Vec::new(), contents: Vec::new(), shift: Shifting::Each(Vec::new()) };
    for part in parts {
        let rows = part.groups.contents.len();
        let own = columns.iter().map(|column| Arc::clone(part.groups.keys.batch().column(*column))).collect();
        let keys = RecordBatch::try_new_with_options(
            Arc::clone(&schema),
            own,
            &RecordBatchOptions::new().with_row_count(Some(rows)),
        );
        all.add(&converter, &keys.map_err(Failure::at(&part.name))?, part.groups)?;
    }
    let keys = Keys::new(concat_batches(&schema, &all.keys).expect("batches of one schema"));
    Ok(Groups { keys, contents: all.contents, shift: all.shift.done() })
}

struct Merged {
    /// The places of the groups by the values of their columns.
    places: HashMap<Vec<u8>, usize>,
    /// The values of the groups that each part was the first to have.
    keys: Vec<RecordBatch>,
    contents: Vec<Vec<Tally>>,
    shift: Shifting,
}

/// The tallies of the shift check: of each group as long as every part has them so.
enum Shifting {
    None,
    Each(Vec<Tally>),
    Together(Tally),
}

impl Merged {
    fn add(&mut self, converter: &RowConverter, keys: &RecordBatch, groups: Groups<Vec<Tally>>) -> Result<(), Failure> {
        let values = if keys.num_columns() == 0 {
            None
        } else {
            Some(converter.convert_columns(keys.columns()).expect("columns of the kinds they were checked for"))
        };
        let (mut new, mut found) = (Vec::new(), Vec::with_capacity(keys.num_rows()));
        for (row, tallies) in groups.contents.into_iter().enumerate() {
            let key: &[u8] = values.as_ref().map_or(&[], |values| values.row(row).data());
            let place = *self.places.entry_ref(key).or_insert(self.contents.len());
            found.push(place);
            if let Some(known) = self.contents.get_mut(place) {
                merge(known, &tallies)?;
            } else {
                self.contents.push(tallies);
                new.push(u32::try_from(row).expect("groups are fewer than 2^32"));
            }
        }
        self.shift.add(groups.shift, &found)?;
        let new = UInt32Array::from(new);
        let own = keys.columns().iter().map(|column| take(column, &new, None)).collect::<Result<Vec<ArrayRef>, _>>();
        let rows = RecordBatchOptions::new().with_row_count(Some(new.len()));
        let own = own.and_then(|own| RecordBatch::try_new_with_options(keys.schema(), own, &rows));
        self.keys.push(own.expect("rows of these columns"));
        Ok(())
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
                tallies.iter().try_for_each(|tally| known.merge(tally))?
            }
            (Self::Together(known), Shifts::Together(tally)) => known.merge(&tally)?,
        }
        Ok(())
    }

    fn done(self) -> Shifts {
        match self {
            Self::None => Shifts::None,
            Self::Each(tallies) => Shifts::Each(tallies),
            Self::Together(tally) => Shifts::Together(tally),
        }
    }
}

fn merge(known: &mut [Tally], tallies: &[Tally]) -> Result<(), Error> {
    known.iter_mut().zip(tallies).try_for_each(|(known, tally)| known.merge(tally))
}

/// Refuses tallies that are not of one kind, and the same one twice.
fn check(first: &Part, others: &[Part]) -> Result<(), Failure> {
    let fail = |part: &Part, what: String| Err(Failure::Data(format!("{}: {what}", part.name)));
    for (i, part) in others.iter().enumerate() {
        let same = |other: &&Part| other.about.checksum == part.about.checksum;
        if let Some(twin) = [first].into_iter().chain(&others[..i]).find(same) {
            return fail(part, format!("is the same tally as {}; name each once", twin.name));
        }
        if part.about.by != first.about.by {
            let by = |part: &Part| match part.about.by.as_slice() {
                [] => "has no groups".to_owned(),
                by => format!("has groups by {}", by.join(", ")),
            };
            return fail(part, format!("{}, {} {}; tally both in the same way", by(part), first.name, by(first)));
        }
        if part.about.weighted != first.about.weighted {
            let weights = |part: &Part| if part.about.weighted { "has weights" } else { "has no weights" };
            return fail(
                part,
                format!("{}, {} {}; tally both in the same way", weights(part), first.name, weights(first)),
            );
        }
        let kinds = |part: &Part| part.groups.keys.batch().schema();
        for (own, other) in kinds(part).fields().iter().zip(kinds(first).fields()) {
            if own.data_type() != other.data_type() {
                let (column, own, other) = (own.name(), own.data_type(), other.data_type());
                let name = &first.name;
                return fail(
                    part,
                    format!("the column '{column}' is of type {own}, in {name} of type {other}; make them the same"),
                );
            }
        }
    }
    Ok(())
}

/// The places of these grouping columns; of all, if none is named.
fn places(first: &Part, by: &[String]) -> Result<Vec<usize>, Failure> {
    let known = &first.about.by;
    if by.is_empty() {
        return Ok((0..known.len()).collect());
    }
    let place = |column: &String| {
        known.iter().position(|known| known == column).ok_or_else(|| {
            let there = if known.is_empty() {
                "has no groups".to_owned()
            } else {
                format!("has groups by {}", known.join(", "))
            };
            Failure::Data(format!("{}: there is no grouping column '{column}'; the tally {there}", first.name))
        })
    };
    by.iter().map(place).collect()
}
