//! `truecount tally` and `truecount finish`: from scores to files of tallies, and from those to estimates.

mod args;

pub use args::{Finish, Tally};

use crate::failure::Failure;
use crate::finished::finished;
use crate::models::{model_for, test_files};
use crate::output::Whole;
use crate::output::{self, Files};
use crate::parallel;
use crate::progress::Bars;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, ON_REQUEST};
use truecount_tables::groups::TestFiles;
use truecount_tables::input::{self, Fingerprint};
use truecount_tables::{model_file, tally, whole_file};

pub fn tally(args: &Tally) -> Result<(), Failure> {
    let Tally { tested, output: path } = args;
    output::check_by(&tested.by, output::Form::Table, &[])?;
    if tested.by.iter().any(|column| column == tally::COLUMN) {
        let column = tally::COLUMN;
        return Err(Failure::Usage(format!(
            "--by {column}: tallies have a column '{column}' of their own; rename that column"
        )));
    }
    let paths = input::files(&tested.test)?;
    Files::reading(tested.source.path().into_iter().chain(&paths)).writing("--output", Some(path)).check()?;
    let model = model_for(tested, &paths)?;
    let columns = tested.columns.get().of_tests(&model);
    let rows = Fingerprint::default();
    let source = TestFiles { fingerprint: Some(&rows), ..test_files(tested, &paths, columns) };
    let groups = parallel::pool(tested.threads)?.install(|| source.tallied(&model))?;
    let names = paths.iter().map(|path| input::name(path)).collect();
    whole_file::write(path, &tally::bytes(&groups, &model, tested.weight.is_some(), names, Some(rows.value())))?;
    let number = groups.contents.len();
    let of = if tested.by.is_empty() {
        String::new()
    } else {
        format!(" of {number} group{}", if number == 1 { "" } else { "s" })
    };
    output::say(&format!("wrote {}: tallies{of}, model {}", path.display(), model.fingerprint()));
    Ok(())
}

pub fn finish(args: &Finish) -> Result<(), Failure> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    let files = input::files(&args.files())?;
    let inputs = || [&args.model].into_iter().chain(&files);
    input::once_each(inputs())?;
    Files::reading(inputs()).writing("--output", args.output.file()).check()?;
    let model = model_file::read(&args.model, &Bars)?;
    let estimates =
        parallel::pool(args.threads)?.install(|| finished(&files, &args.by, args.allow_equal, &model, &reporting))?;
    let by: Vec<String> = estimates.keys.columns().map(str::to_owned).collect();
    let weighted = estimates.contents.iter().flatten().any(|estimate| estimate.effective_n.is_some());
    output::check_by(&by, form, &output::columns(if weighted { &ON_REQUEST[..1] } else { &[] }))?;
    let sort = args.sorted.of::<EstimateRow>(&by)?;
    output::Answer::new(&model, Whole::of(estimates), None)?.sorted(&sort).print(form, args.output.file())
}
