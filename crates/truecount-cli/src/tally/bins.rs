//! Tables of bins, as the query of `truecount sql` returns them for the methods that count in bins: the grouping columns, `method`,
//! `missing` (rows without a score, which are counted beside one of the bins), `bin` (from 0) and `n`.

use crate::failure::Failure;
use crate::input::{self, Groups, Keys, Shifts, Table};
use crate::output;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use indexmap::IndexMap;
use std::path::PathBuf;
use std::sync::Arc;
use truecount::{Method, Model, Tallies};

/// The columns that are not for groups.
const OWN: [&str; 4] = ["method", "missing", "bin", "n"];

/// One group while it is read.
struct Group {
    tallies: Tallies,
    /// Rows without a score, for each method.
    missing: Vec<u64>,
}

/// Tallies, and for each group and method the rows without a score.
pub struct Binned {
    pub groups: Groups<Tallies>,
    pub missing: Vec<Vec<u64>>,
}

/// All tables' groups by these columns, by all there are if none is named.
pub fn read(paths: &[PathBuf], by: &[String], model: &Model) -> Result<Binned, Failure> {
    let mut columns: Option<Vec<String>> = None;
    let mut groups: IndexMap<Vec<String>, Group> = IndexMap::new();
    for path in paths {
        let mut table = Table::open(path)?;
        let own = if by.is_empty() { grouping(&table)? } else { by.to_vec() };
        let known = columns.get_or_insert_with(|| own.clone());
        if *known != own {
            let (name, first) = (table.name(), input::name(&paths[0]));
            return Err(Failure::Data(format!("{name}: other grouping columns than {first}; choose them with --by")));
        }
        add(&mut table, &own, model, &mut groups)?;
    }
    let columns = columns.expect("there is a table");
    groups.retain(|values, group| {
        let any = group.tallies.plain().methods.iter().any(|tally| tally.n > 0);
        if !any && !values.is_empty() {
            let (place, rows) = (values.join(", "), group.missing[0]);
            output::say(&format!(
                "warning: left out, '{}' has no scores, only {rows} rows without one",
                output::visible(&place)
            ));
        }
        any
    });
    if groups.is_empty() {
        return Err(Failure::Data(format!("{}: there are no scores", input::name(&paths[0]))));
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
    Ok(Binned { groups: Groups { keys, contents, shift: Shifts::None }, missing })
}

/// The columns that are not its own.
fn grouping(table: &Table) -> Result<Vec<String>, Failure> {
    let header = table.header();
    if !OWN.iter().any(|own| header.iter().any(|column| column == own)) {
        return Err(Failure::Data(format!(
            "{}: is no tally: neither a file of `truecount tally` nor a table with the columns {}",
            table.name(),
            OWN.join(", ")
        )));
    }
    Ok(header.iter().filter(|column| !OWN.contains(&column.as_str())).cloned().collect())
}

fn add(
    table: &mut Table,
    by: &[String],
    model: &Model,
    groups: &mut IndexMap<Vec<String>, Group>,
) -> Result<(), Failure> {
    let [method, missing, bin, n] = OWN.map(|column| table.column(column));
    let (method, missing, bin, n) = (method?, missing?, bin?, n?);
    let by = by.iter().map(|column| table.column(column)).collect::<Result<Vec<_>, _>>()?;
    let methods: Vec<Method> = model.quantifiers().iter().map(truecount::quantifier::Quantifier::method).collect();
    let mut any = false;
    while table.next()? {
        any = true;
        let key = by.iter().map(|column| table.verbatim(*column).map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
        let name = table.text(method)?;
        let Some(place) = methods.iter().position(|method| method.to_string() == name) else {
            let known = methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(table.wrong(method, &format!("is '{name}', the methods of the model are {known}")));
        };
        let new = || Group { tallies: model.tallies(), missing: vec![0; methods.len()] };
        let group = groups.entry(key).or_insert_with(new);
        group.missing[place] += whole(table, missing)?;
        let (at, count) = (whole(table, bin)?, whole(table, n)?);
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        model.push_to_bin(&mut group.tallies, place, at, count).map_err(|e| match e {
            truecount::Error::NoBins { .. } => Failure::Data(format!("{}: {e}", table.name())),
            other => Failure::Data(format!("{}, line {}: {other}", table.name(), table.line())),
        })?;
    }
    if !any {
        return Err(table.without_rows());
    }
    Ok(())
}

/// A whole number from 0.
fn whole(table: &Table, column: usize) -> Result<u64, Failure> {
    let text = table.text(column)?;
    // Up to 2^53, where sums of bins stay far from overflow.
    match text.parse::<u64>() {
        Ok(number) if number <= 1 << 53 => Ok(number),
        _ => Err(table.wrong(column, &format!("is '{text}', not a whole number from 0"))),
    }
}
