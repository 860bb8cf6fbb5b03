//! Tables of bins, as the query of `truecount sql` returns them for the methods that count in bins: the grouping columns, `method`,
//! `missing` (rows without a score, which are counted beside one of the bins), `bin` (from 0) and `n`.

use crate::groups::{Groups, Keys};
use crate::input::{self, Table};
use crate::{Error, Fault, Location, Position, Progress};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::{DataType, Field, Schema};
use indexmap::IndexMap;
use std::path::PathBuf;
use std::sync::Arc;
use truecount::{Method, Model, Tallies};

/// The columns that are not for groups.
const OWN: [&str; 4] = ["method", "missing", "bin", "n"];

/// One group while it is read.
struct Group {
    tallies: Tallies,
    /// Whether there is a score for any method.
    any: bool,
    /// Rows without a score, for each method.
    missing: Vec<u64>,
}

/// What tables of bins hold.
pub struct Binned {
    /// The groups that have scores.
    pub groups: Groups<Tallies>,
    /// For each of them and each method the rows without a score.
    pub missing: Vec<Vec<u64>>,
    /// The groups that have none, left out, each with its rows without a score.
    pub empty: Vec<(Vec<String>, u64)>,
}

/// All tables' groups by these columns, by all there are if none is named.
///
/// # Errors
/// If a table cannot be read, or is none of bins of this model's methods.
pub fn read(paths: &[PathBuf], by: &[String], model: &Model, progress: &dyn Progress) -> Result<Binned, Error> {
    let mut columns: Option<Vec<String>> = None;
    let mut groups: IndexMap<Vec<String>, Group> = IndexMap::new();
    for path in paths {
        let mut table = Table::open(path, progress)?;
        let own = if by.is_empty() { grouping(&table)? } else { by.to_vec() };
        let known = columns.get_or_insert_with(|| own.clone());
        if *known != own {
            return Err(Error::in_file(table.name(), Fault::BinsGroups { first: input::name(&paths[0]) }));
        }
        add(&mut table, &own, model, &mut groups)?;
    }
    let columns = columns.expect("there is a table");
    let mut empty = Vec::new();
    groups.retain(|values, group| {
        if !group.any && !values.is_empty() {
            empty.push((values.clone(), group.missing[0]));
        }
        group.any
    });
    if groups.is_empty() {
        return Err(Error::in_file(input::name(&paths[0]), Fault::NoScores));
    }
    let keys = |i: usize| -> ArrayRef {
        Arc::new(groups.keys().map(|values| Some(values[i].as_str())).collect::<StringArray>())
    };
    let fields: Vec<Field> = columns.iter().map(|column| Field::new(column, DataType::Utf8, true)).collect();
    let keys = RecordBatch::try_new_with_options(
        Arc::new(Schema::new(fields)),
        (0..columns.len()).map(keys).collect(),
        &RecordBatchOptions::new().with_row_count(Some(groups.len())),
    );
    let keys = Keys::new(keys.expect("columns of equal length"));
    let (contents, missing) = groups.into_values().map(|group| (group.tallies, group.missing)).unzip();
    Ok(Binned { groups: Groups { keys, contents, together: None }, missing, empty })
}

/// The columns that are not its own.
fn grouping(table: &Table) -> Result<Vec<String>, Error> {
    let header = table.header();
    if !OWN.iter().any(|own| header.iter().any(|column| column == own)) {
        let columns = OWN.map(str::to_owned).to_vec();
        return Err(Error::in_file(table.name(), Fault::NeitherTallyNorBins { columns }));
    }
    Ok(header.iter().filter(|column| !OWN.contains(&column.as_str())).cloned().collect())
}

fn add(
    table: &mut Table,
    by: &[String],
    model: &Model,
    groups: &mut IndexMap<Vec<String>, Group>,
) -> Result<(), Error> {
    let [method, missing, bin, n] = OWN.map(|column| table.column(column));
    let (method, missing, bin, n) = (method?, missing?, bin?, n?);
    let by = by.iter().map(|column| table.column(column)).collect::<Result<Vec<_>, _>>()?;
    let methods: Vec<Method> = model.quantifiers().iter().map(truecount::quantifier::Quantifier::method).collect();
    let mut any = false;
    while table.advance()? {
        any = true;
        let key = by.iter().map(|column| table.verbatim(*column).map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
        let name = table.text(method)?;
        let Some(place) = methods.iter().position(|method| method.to_string() == name) else {
            let methods = methods.iter().map(ToString::to_string).collect();
            return Err(table.cell(method).error(Fault::MethodNotInModel { value: name.to_owned(), methods }));
        };
        let new = || Group { tallies: model.tallies(), any: false, missing: vec![0; methods.len()] };
        let group = groups.entry(key).or_insert_with(new);
        group.missing[place] += table.whole(missing)?;
        let (at, count) = (table.whole(bin)?, table.whole(n)?);
        group.any |= count > 0;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        model.push_to_bin(&mut group.tallies, place, at, count).map_err(|error| {
            let file = Location::file(table.name());
            match error {
                truecount::Error::NoBins { .. } => file.error(error),
                other => file.at(Position::Line(table.line())).error(other),
            }
        })?;
    }
    if !any {
        return Err(table.without_rows());
    }
    Ok(())
}
