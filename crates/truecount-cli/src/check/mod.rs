//! `truecount check`: tests whether prior probability shift is plausible and whether the families
//! fit.

mod args;
mod labelled;
mod results;

pub use args::CheckArgs;

use crate::error::CliError;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use labelled::CheckedSample;
use results::CheckResults;
use std::path::PathBuf;
use truecount_analysis::family_test::fit_families;
use truecount_analysis::results::{
    CheckRow, ContaminationRow, FitRow, FoldsRow, Sort, TableDescription, describe_table,
};
use truecount_analysis::shift_test::{ShiftTest, ShiftTestResult};
use truecount_report::charts;
use truecount_tables::groups::{Keys, ScoreColumns, TestFiles};
use truecount_tables::{FileRoles, input, whole_file};

pub fn run(args: &CheckArgs) -> Result<(), CliError> {
    let format = args.output.format()?;
    output::check_by(&args.by, format, &describe_table::<CheckRow>().columns)?;
    let sort = args.sort_args.sort::<CheckRow>(&args.by)?;
    let paths = if args.test.is_empty() { Vec::new() } else { input::expand_patterns(&args.test)? };
    let inputs = || args.labelled.paths().chain(&args.model).chain(&paths);
    input::check_used_once(inputs())?;
    FileRoles::reading(inputs())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    parallel::pool(args.threads)?.install(|| {
        let sample = CheckedSample::read(args)?;
        let CheckedSample { labelled, file_name, transform, family, .. } = &sample;
        if !labelled.is_simple_random_sample() && (paths.is_empty() || args.figure.is_some()) {
            return Err(CliError::usage(
                "families cannot be fitted to labelled scores with weights or clusters",
                "add --test to test the new scores, and leave out --figure",
            ));
        }
        let scores = transform.apply_to_labelled(labelled).map_err(|error| error.in_file(file_name))?;
        let (keys, shift) = shift_test(args, &sample, &paths, &sort)?;
        let families = if labelled.is_simple_random_sample() {
            fit_families(&WithBar("families"), &scores, args.resampling())?
        } else {
            Vec::new()
        };
        let checks = CheckResults::new(keys, shift, families);
        if let Some(path) = &args.figure {
            // The figure comes first, so that no results are printed if it fails.
            let svg = charts::check::draw(checks.groups(), &scores, *family);
            whole_file::write(path, svg.map_err(|error| error.in_file(file_name))?.as_bytes())?;
        }
        output::print(&checks.results(), format, args.output.file())
    })
}

/// Tests every group of test scores, and compares the folds with `--fold`.
fn shift_test(
    args: &CheckArgs,
    sample: &CheckedSample,
    paths: &[PathBuf],
    sort: &Sort,
) -> Result<(Keys, ShiftTestResult), CliError> {
    let mut result = ShiftTestResult { rows: Vec::new(), folds: None, contamination: None };
    if paths.is_empty() && sample.folds.is_none() {
        return Ok((Keys::single_group(), result));
    }
    let test = ShiftTest::new(&sample.labelled).map_err(|error| error.in_file(&sample.file_name))?;
    result.folds = sample.compare_folds(&test)?;
    if paths.is_empty() {
        return Ok((Keys::single_group(), result));
    }
    let columns = ScoreColumns { probability: None, ..args.columns.get().for_labelled(&sample.labelled) };
    let weight = args.weight.as_deref();
    let files = TestFiles { weight, ..TestFiles::new(paths, columns, &args.by, &ProgressBars) };
    let groups = files.tally_shift_test(&test)?;
    result.rows = test.rows(&groups.contents, 0..groups.contents.len(), result.folds.as_ref())?;
    sort.sort(&mut result.rows, &groups.keys);
    result.contamination =
        args.contamination.map(|share| test.contamination(share, &result.rows, &groups.contents)).transpose()?;
    Ok((groups.keys, result))
}

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![
        describe_table::<CheckRow>(),
        describe_table::<FitRow>(),
        describe_table::<FoldsRow>(),
        describe_table::<ContaminationRow>(),
    ]
}
