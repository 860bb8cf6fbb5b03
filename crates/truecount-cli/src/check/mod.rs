//! `truecount check`: is prior probability shift plausible, and if not, why; and do the families fit?

mod args;
mod learnt;
mod results;

pub use args::Check;

use crate::failure::CliError;
use crate::output::{self, FileRoles};
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use learnt::CheckedSample;
use results::Findings;
use std::path::PathBuf;
use truecount_analysis::family_test::fit_families;
use truecount_analysis::results::{
    CheckRow, ContaminationRow, FitRow, FoldsRow, Sort, TableDescription, describe_table,
};
use truecount_analysis::shift_test::{ShiftTest, ShiftTestResult};
use truecount_report::charts;
use truecount_tables::groups::{Keys, ScoreColumns, TestFiles};
use truecount_tables::{input, whole_file};

pub fn run(args: &Check) -> Result<(), CliError> {
    let form = args.output.form()?;
    output::check_by(&args.by, form, &describe_table::<CheckRow>().columns)?;
    let sort = args.sorted.sort::<CheckRow>(&args.by)?;
    let paths = if args.test.is_empty() { Vec::new() } else { input::files(&args.test)? };
    let inputs = || args.labelled.path.iter().chain(&args.model).chain(&paths);
    input::once_each(inputs())?;
    FileRoles::reading(inputs())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    parallel::pool(args.threads)?.install(|| {
        let learnt = CheckedSample::read(args)?;
        let CheckedSample { labelled, place, transform, family, .. } = &learnt;
        if !labelled.is_plain() && (paths.is_empty() || args.figure.is_some()) {
            return Err(CliError::Usage(
                "no family is fitted to labelled scores with weights or in clusters: give --test, and leave out --figure".to_owned(),
            ));
        }
        let scores = transform.apply_to_labelled(labelled).map_err(|error| error.in_file(place))?;
        let (keys, shift) = shift_test(args, &learnt, &paths, &sort)?;
        let families = if labelled.is_plain() {
            fit_families(&WithBar("families"), &scores, args.resampling())?
        } else {
            Vec::new()
        };
        let findings = Findings::new(keys, shift, families);
        if let Some(path) = &args.figure {
            // Drawn before anything is printed: if the figure fails, there are no results beside the error.
            let svg = charts::check::draw(findings.groups(), &scores, *family).map_err(|error| error.in_file(place))?;
            whole_file::write(path, svg.as_bytes())?;
        }
        output::print(&findings.results(), form, args.output.file())
    })
}

/// Tests every group of test scores, if there are any, and compares the folds, if they are asked for.
fn shift_test(
    args: &Check,
    learnt: &CheckedSample,
    paths: &[PathBuf],
    sort: &Sort,
) -> Result<(Keys, ShiftTestResult), CliError> {
    let mut result = ShiftTestResult { rows: Vec::new(), folds: None, contamination: None };
    if paths.is_empty() && learnt.folds.is_none() {
        return Ok((Keys::none(), result));
    }
    let test = ShiftTest::new(&learnt.labelled).map_err(|error| error.in_file(&learnt.place))?;
    result.folds = learnt.compare_folds(&test)?;
    if paths.is_empty() {
        return Ok((Keys::none(), result));
    }
    let columns = ScoreColumns { probability: None, ..args.columns.get().like(&learnt.labelled) };
    let weight = args.weight.as_deref();
    let files = TestFiles { paths, columns, weight, by: &args.by, fingerprint: None, progress: &ProgressBars };
    let groups = files.checked(&test)?;
    result.rows = test.rows(&groups.contents, 0..groups.contents.len(), result.folds.as_ref())?;
    sort.sort(&mut result.rows, &groups.keys);
    result.contamination =
        args.contamination.map(|share| test.contamination(share, &result.rows, &groups.contents)).transpose()?;
    Ok((groups.keys, result))
}

/// The result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![
        describe_table::<CheckRow>(),
        describe_table::<FitRow>(),
        describe_table::<FoldsRow>(),
        describe_table::<ContaminationRow>(),
    ]
}
