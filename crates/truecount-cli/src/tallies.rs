//! Tallied groups from files of tallies or from tables of bins, and their estimates.

use crate::error::CliError;
use crate::output;
use crate::progress::ProgressBars;
use std::iter;
use std::path::PathBuf;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally, Warning};
use truecount_analysis::TableProblem;
use truecount_analysis::results::escape_untrusted;
use truecount_tables::groups::Groups;
use truecount_tables::input::{self, FileFormat, Input};
use truecount_tables::parallel::AllThreads;
use truecount_tables::tally::{self, BinnedTallies, TallyFile, TallyMerger};

/// Tallied groups.
pub struct GroupTallies {
    pub groups: Groups<Tally>,
    /// The number of rows without a score, by group and method; empty if it is not known.
    missing: Vec<Vec<u64>>,
}

impl GroupTallies {
    /// Reads files of tallies or of bins.
    ///
    /// # Errors
    /// Returns an error if some files are tallies and others are tables of bins.
    pub fn read(files: &[PathBuf], by: &[String], allow_equal: bool, model: &Model) -> Result<Self, CliError> {
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
        if kind == FileFormat::Parquet {
            let mut merging = TallyMerger::new(TallyFile::read(first, model)?, by, allow_equal)?;
            for input in same_kind {
                merging.add(TallyFile::read(input?, model)?)?;
            }
            Ok(merging.finish().into())
        } else {
            from_bins(iter::once(Ok(first)).chain(same_kind), by, model)
        }
    }

    /// Estimates every group, with a warning for each group with missing scores.
    ///
    /// # Errors
    /// Returns an error for a group that allows no estimate.
    pub fn estimate(self, model: &Model, interval_options: &IntervalOptions) -> Result<Groups<Estimates>, CliError> {
        let mut estimates = self.groups.finish(&AllThreads, model, interval_options)?;
        for (estimate, missing) in estimates.contents.iter_mut().flatten().zip(self.missing.into_iter().flatten()) {
            estimate.warnings.extend((missing > 0).then_some(Warning::MissingScores { n: missing }));
        }
        Ok(estimates)
    }
}

impl From<Groups<Tally>> for GroupTallies {
    fn from(groups: Groups<Tally>) -> Self {
        Self { groups, missing: Vec::new() }
    }
}

fn tally_and_table(tally: &str, table: &str) -> Error {
    TableProblem::TallyAndTable { tally: tally.to_owned(), table: table.to_owned() }.into()
}

/// Reads tables of bins, with a warning for each group without scores.
fn from_bins(
    tables: impl Iterator<Item = Result<Input, Error>>,
    by: &[String],
    model: &Model,
) -> Result<GroupTallies, CliError> {
    let BinnedTallies { groups, missing, left_out } = tally::read_bins(tables, by, model)?;
    for (group, rows) in left_out {
        let group = escape_untrusted(&group);
        output::print_message(&format!("warning: left out: '{group}' has no scores, only {rows} rows without one"));
    }
    Ok(GroupTallies { groups, missing })
}
