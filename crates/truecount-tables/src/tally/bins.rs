//! Tables of bins, the result of the query of `truecount sql --counts`.
//!
//! The columns are the grouping columns, `method`, `bin` (from 0; -1 for rows without a score) and `n`;
//! with weights also `sum_weights` and `sum_squared_weights`, and the `fingerprint` of the model.

use crate::groups::{Groups, Keys};
use crate::input::{FileFormat, Input, TextTable};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::{DataType, Field, Schema};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::sync::Arc;
use truecount::error::{ErrorLocation, UnsupportedOperation};
use truecount::model::BinWeights;
use truecount::quantifier::Quantifier;
use truecount::{Error, Method, Model, Tally};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::MergedTallies;

const FIXED_COLUMNS: [&str; 3] = ["method", "bin", "n"];

const WEIGHT_COLUMNS: [&str; 2] = ["sum_weights", "sum_squared_weights"];

/// The column with the fingerprint of the model, which older tables lack.
const FINGERPRINT: &str = "fingerprint";

/// The bin of rows without a score.
const MISSING: &str = "-1";

/// The counts of a group while they are read.
struct CountedBins {
    tallies: Tally,
    /// Rows without a score, by method.
    missing: Vec<u64>,
}

/// Tallies from counts in bins; every group has scores for every method.
pub struct BinnedTallies {
    /// The groups with their tallies.
    pub groups: Groups<Tally>,
    /// Rows without a score, by group and method.
    pub missing: Vec<Vec<u64>>,
    /// Names of groups without scores, which are not in `groups`, with their numbers of rows.
    pub left_out: Vec<(String, u64)>,
}

/// Reads all tables, grouped by these columns, or by all grouping columns if `by` is empty.
///
/// # Errors
/// Returns an error if a table cannot be read, has a method that is not in the model, or has no
/// scores for a method.
pub fn read(
    tables: impl IntoIterator<Item = Result<Input, Error>>,
    by: &[String],
    model: &Model,
) -> Result<BinnedTallies, Error> {
    let mut columns: Option<Vec<String>> = None;
    let mut groups: IndexMap<Vec<String>, CountedBins> = IndexMap::new();
    let mut first = None;
    for input in tables {
        let input = input?;
        if matches!(input.kind(), FileFormat::JsonLines | FileFormat::JsonArray) {
            return Err(not_tally_or_bins(input.name()));
        }
        let mut table = TextTable::new(input, None)?;
        let first = first.get_or_insert_with(|| table.name().to_owned());
        let by = if by.is_empty() { grouping_columns(&table)? } else { by.to_vec() };
        let known = columns.get_or_insert_with(|| by.clone());
        if *known != by {
            return Err(ErrorLocation::file(table.name()).error(TableProblem::BinsGroups { first: first.clone() }));
        }
        add(&mut table, &by, model, &mut groups)?;
    }
    let columns = columns.expect("there is a table");
    let mut left_out = Vec::new();
    groups.retain(|values, group| {
        let has_scores = group.tallies.sizes().any(|n| n > 0);
        if !has_scores && !values.is_empty() {
            left_out.push((values.join(", "), group.missing[0]));
        }
        has_scores
    });
    let first = || first.clone().expect("there is a table");
    if groups.is_empty() {
        return Err(ErrorLocation::file(first()).error(TableProblem::NoScores));
    }
    for (values, counted) in &groups {
        if let Some(empty) = counted.tallies.sizes().position(|n| n == 0) {
            let group = (!values.is_empty()).then(|| values.join(", "));
            let method = model.quantifiers()[empty].method().to_string();
            return Err(ErrorLocation::file(first()).error(TableProblem::NoScoresOfMethod { group, method }));
        }
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
    let (contents, missing) = groups.into_values().map(|counted| (counted.tallies, counted.missing)).unzip();
    let mut tallies = MergedTallies { contents, shift_total: None };
    tallies.limit_checks();
    let MergedTallies { contents, shift_total } = tallies;
    Ok(BinnedTallies { groups: Groups { keys, contents, shift_total }, missing, left_out })
}

fn not_tally_or_bins(file: &str) -> Error {
    ErrorLocation::file(file)
        .error(TableProblem::NeitherTallyNorBins { columns: FIXED_COLUMNS.map(str::to_owned).to_vec() })
}

fn grouping_columns(table: &TextTable) -> Result<Vec<String>, Error> {
    let header = table.header();
    if !FIXED_COLUMNS.iter().any(|fixed| header.iter().any(|column| column == fixed)) {
        return Err(not_tally_or_bins(table.name()));
    }
    let is_fixed =
        |column: &str| FIXED_COLUMNS.contains(&column) || WEIGHT_COLUMNS.contains(&column) || column == FINGERPRINT;
    Ok(header.iter().filter(|column| !is_fixed(column)).cloned().collect())
}

fn add(
    table: &mut TextTable,
    by: &[String],
    model: &Model,
    groups: &mut IndexMap<Vec<String>, CountedBins>,
) -> Result<(), Error> {
    let [method, bin, n] = FIXED_COLUMNS.map(|column| table.column(column));
    let (method, bin, n) = (method?, bin?, n?);
    let weights = if table.header().iter().any(|column| WEIGHT_COLUMNS.contains(&column.as_str())) {
        let [sum, sum_squares] = WEIGHT_COLUMNS.map(|column| table.column(column));
        Some((sum?, sum_squares?))
    } else {
        None
    };
    let fingerprint = table.header().iter().position(|column| column == FINGERPRINT);
    let own_fingerprint = model.fingerprint();
    let empty = if weights.is_some() { Tally::weighted(model)? } else { Tally::new(model) };
    let by = by.iter().map(|column| table.column(column)).collect::<Result<Vec<_>, _>>()?;
    let methods: Vec<Method> = model.quantifiers().iter().map(Quantifier::method).collect();
    let mut has_rows = false;
    while table.advance()? {
        has_rows = true;
        if let Some(column) = fingerprint {
            let tally = table.text(column)?;
            if tally != own_fingerprint {
                let problem = TableProblem::TallyModelMismatch { tally: tally.into_owned(), model: own_fingerprint };
                return Err(ErrorLocation::file(table.name()).error(problem));
            }
        }
        let key =
            by.iter().map(|column| table.untrimmed(*column).map(Cow::into_owned)).collect::<Result<Vec<_>, _>>()?;
        let name = table.text(method)?;
        let Some(index) = methods.iter().position(|method| method.to_string() == name) else {
            let methods = methods.iter().map(ToString::to_string).collect();
            return Err(table.cell(method).error(TableProblem::MethodNotInModel { value: name.into_owned(), methods }));
        };
        let new = || CountedBins { tallies: empty.clone(), missing: vec![0; methods.len()] };
        let (group, count) = (groups.entry(key).or_insert_with(new), table.whole(n)?);
        if table.text(bin)? == MISSING {
            group.missing[index] += count;
            continue;
        }
        let bin = usize::try_from(table.whole(bin)?).unwrap_or(usize::MAX);
        let weights = match weights {
            Some((sum, sum_squares)) => {
                Some(BinWeights { sum: table.number(sum)?, sum_squares: table.number(sum_squares)? })
            }
            None => None,
        };
        group.tallies.add_to_bin(index, bin, count, weights).map_err(|error| {
            match error.problem::<UnsupportedOperation>() {
                Some(_) => error.in_file(table.name()),
                None => table.location().error(error),
            }
        })?;
    }
    if has_rows { Ok(()) } else { Err(table.without_rows()) }
}
