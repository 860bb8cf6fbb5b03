//! Rows from files of tallies or from tables of bins.

use crate::error::CliError;
use crate::output;
use crate::progress::ProgressBars;
use std::iter;
use std::path::PathBuf;
use truecount::{Error, Model, Tally, Warning};
use truecount_analysis::TableProblem;
use truecount_analysis::advice::format_warning;
use truecount_analysis::groups::{GroupKeys, GroupNames};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::escape_untrusted;
use truecount_tables::groups::TallyRows;
use truecount_tables::input::{self, FileFormat};
use truecount_tables::tally::{self, BinnedTallies, TallyFile, TallyMerger};

/// Reads files of tallies or of bins. The request gets the grouping columns of the tallies that have
/// no other role, if it has none, and knows whether the tallied rows had weights.
///
/// # Errors
/// Returns an error if some files are tallies and others are tables of bins, and for the bootstrap,
/// which needs the scores.
pub fn rows<'a>(
    files: &[PathBuf],
    request: &'a mut EstimateRequest,
    allow_equal: bool,
    model: &Model,
) -> Result<TallyRows<'a>, CliError> {
    if request.resampling()?.is_some() {
        return Err(TallyRows::without_scores().into());
    }
    let columns = if request.by.is_empty() { Vec::new() } else { request.roles().columns };
    let BinnedTallies { mut groups, missing, left_out } = read(files, &columns, allow_equal, model)?;
    if request.by.is_empty() {
        let others = request.roles().columns;
        request.by = groups
            .keys
            .columns()
            .filter(|column| !others.iter().any(|other| other == column))
            .map(str::to_owned)
            .collect();
        let roles = request.roles();
        let index = |column: &String| {
            let known: Vec<String> = groups.keys.columns().map(str::to_owned).collect();
            let unknown = || TableProblem::TallyColumnUnknown { column: column.clone(), columns: known.clone() };
            known.iter().position(|known| known == column).ok_or_else(unknown)
        };
        let indices = roles.columns.iter().map(index).collect::<Result<Vec<_>, _>>()?;
        groups.keys = groups.keys.group_by(indices)?.0;
    }
    for (group, rows) in left_out {
        let group = escape_untrusted(&group);
        output::print_message(&format!("warning: left out: '{group}' has no scores, only {rows} rows without one"));
    }
    if !request.has_simple_groups() {
        warn_of_missing(&missing);
    }
    if groups.contents.first().is_some_and(Tally::is_weighted) {
        request.weight = Some("weight".to_owned());
    }
    Ok(TallyRows { tallies: groups, missing, request, progress: &ProgressBars })
}

/// Warns of the rows without a score in groups whose estimates do not say so.
pub fn warn_of_missing(missing: &[Vec<u64>]) {
    let n = missing.iter().filter_map(|methods| methods.first()).sum();
    if n > 0 {
        output::print_message(&format!("warning: {}", format_warning(&Warning::MissingScores { n })));
    }
}

/// Reads files of tallies or of bins, grouped by these columns, or by all if there are none.
fn read(files: &[PathBuf], by: &[String], allow_equal: bool, model: &Model) -> Result<BinnedTallies, CliError> {
    let mut inputs = files.iter().map(|path| input::open(path, &ProgressBars));
    let first = inputs.next().expect("there is one")?;
    let (kind, name) = (first.kind(), first.name().to_owned());
    let same_kind = inputs.map(|input| {
        let input = input?;
        let is_tally = |kind| kind == FileFormat::Parquet;
        match (is_tally(kind), is_tally(input.kind())) {
            (true, false) => Err(tally_and_table(&name, input.name())),
            (false, true) => Err(tally_and_table(input.name(), &name)),
            _ => Ok(input),
        }
    });
    if kind != FileFormat::Parquet {
        return Ok(tally::read_bins(iter::once(Ok(first)).chain(same_kind), by, model)?);
    }
    let mut merging = TallyMerger::new(TallyFile::read(first, model)?, by, allow_equal)?;
    for input in same_kind {
        merging.add(TallyFile::read(input?, model)?)?;
    }
    Ok(BinnedTallies { groups: merging.finish(), missing: Vec::new(), left_out: Vec::new() })
}

fn tally_and_table(tally: &str, table: &str) -> Error {
    TableProblem::TallyAndTable { tally: tally.to_owned(), table: table.to_owned() }.into()
}
