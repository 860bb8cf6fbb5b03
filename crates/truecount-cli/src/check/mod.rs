//! `truecount check`: tests whether prior probability shift is plausible and whether the families fit.

mod args;
mod labelled;
mod results;

pub use args::CheckArgs;

use crate::error::CliError;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::{self, ClassSource};
use labelled::CheckedSample;
use results::CheckResults;
use truecount::Error;
use truecount_analysis::results::{
    CheckRow, ClassCheckRow, ContaminationRow, FitRow, FoldsRow, TableDescription, describe_table,
};
use truecount_analysis::shift_test::CheckResult;
use truecount_report::charts;
use truecount_tables::groups::{Keys, ScoreColumns, TestFiles};
use truecount_tables::{FileRoles, input};

pub fn run(args: &CheckArgs) -> Result<(), CliError> {
    let format = args.output.format()?;
    let class_request = args.class_request();
    let has_classes = !class_request.class_scores.is_empty();
    let table = if has_classes { describe_table::<ClassCheckRow>() } else { describe_table::<CheckRow>() };
    output::check_by(&args.by, format, &table.columns)?;
    let paths = if args.test.is_empty() { Vec::new() } else { input::expand_patterns(&args.test)? };
    let inputs = || args.labelled.paths().chain(&args.model).chain(&paths);
    input::check_used_once(inputs())?;
    FileRoles::reading(inputs())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.file())
        .check()?;
    args.figure.check()?;
    if has_classes {
        let sort = args.sort_args.sort::<ClassCheckRow>(&args.by)?;
        let source = ClassSource {
            labelled: &args.labelled,
            train_columns: &args.train_columns,
            methods: &[],
            files: test_files(args, args.columns.get()),
            threads: args.threads,
        };
        return args.output.print(requests::check_classes(&source, &paths, &class_request)?.sorted(&sort).results());
    }
    let sort = args.sort_args.sort::<CheckRow>(&args.by)?;
    parallel::pool(args.threads)?.install(|| {
        let sample = CheckedSample::read(args)?;
        let CheckedSample { labelled, file_name, transform, family, folds } = &sample;
        let is_simple = labelled.is_simple_random_sample();
        if !is_simple && (paths.is_empty() || args.figure.file().is_some()) {
            return Err(CliError::usage(
                "families cannot be fitted to labelled scores with weights or clusters",
                "add --test to test the new scores, and leave out --figure",
            ));
        }
        let in_file = |error: Error| error.in_file(file_name);
        let scores = transform.apply_to_labelled(labelled).map_err(in_file)?;
        let request = args.request(*transform);
        let test = (folds.is_some() || !paths.is_empty()).then(|| sample.test()).transpose()?;
        let (keys, shift) = match &test {
            Some(test) if !paths.is_empty() => {
                let columns = ScoreColumns { probability: None, ..args.columns.get().for_labelled(labelled) };
                let files = TestFiles { paths: &paths, ..test_files(args, columns) };
                let groups = files.tally_shift_test(test)?;
                let sort = |rows: &mut [CheckRow]| sort.sort(rows, &groups.keys);
                let shift = request.answer(test, &groups.contents, sort)?;
                (groups.keys, shift)
            }
            _ => {
                let folds = test.and_then(|test| test.folds);
                (Keys::single_group(), CheckResult { rows: Vec::new(), folds, contamination: None })
            }
        };
        let families = is_simple.then(|| request.families(&WithBar("families"), labelled)).transpose()?;
        let checks = CheckResults::new(keys, shift, families.unwrap_or_default());
        if args.figure.file().is_some() {
            // The figure comes first, so that no results are printed if it fails.
            let drawing = charts::check::draw(checks.groups(), &scores, *family, args.figure.size);
            args.figure.write(&drawing.map_err(in_file)?)?;
        }
        args.output.print(checks.results())
    })
}

/// Describes the columns and groups of the test scores.
fn test_files<'a>(args: &'a CheckArgs, columns: ScoreColumns<'a>) -> TestFiles<'a> {
    let (weight, every) = (args.weight.as_deref(), args.every.for_columns(&args.by));
    TestFiles { weight, every, ..TestFiles::new(&[], columns, &args.by, &ProgressBars) }
}

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![
        describe_table::<CheckRow>(),
        describe_table::<ClassCheckRow>(),
        describe_table::<FitRow>(),
        describe_table::<FoldsRow>(),
        describe_table::<ContaminationRow>(),
    ]
}
