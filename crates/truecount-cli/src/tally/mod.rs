//! `truecount tally` and `truecount finish`: from scores to files of tallies, and from those to estimates.

mod args;

pub use args::{Finish, Tally};

use crate::failure::Failure;
use crate::models::{model_for, test_files};
use crate::output::Whole;
use crate::output::{self, Files};
use crate::parallel;
use crate::progress::Bars;
use std::iter;
use std::path::PathBuf;
use truecount::{Estimates, Model, Reporting, Warning};
use truecount_io::groups::{Groups, TestFiles};
use truecount_io::input::{self, Fingerprint, Input, Kind};
use truecount_io::results::{EstimateRow, ON_REQUEST, visible};
use truecount_io::tally::{self, Binned, Merging, TallyFile};
use truecount_io::{Error, Fault, model_file, whole_file};

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
    let groups = parallel::pool(tested.threads)?.install(|| Groups::tallied(&source, &model))?;
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
    let estimates = parallel::pool(args.threads)?.install(|| finished(args, &files, &model, &reporting))?;
    let by: Vec<String> = estimates.keys.columns().map(str::to_owned).collect();
    let weighted = estimates.contents.iter().flatten().any(|estimate| estimate.effective_n.is_some());
    output::check_by(&by, form, &output::columns(if weighted { &ON_REQUEST[..1] } else { &[] }))?;
    let sort = args.sorted.of::<EstimateRow>(&by)?;
    output::Answer::new(&model, Whole::of(estimates), None)?.sorted(&sort).print(form, args.output.file())
}

/// The estimates of all groups in these files.
fn finished(
    args: &Finish,
    files: &[PathBuf],
    model: &Model,
    reporting: &Reporting,
) -> Result<Groups<Estimates>, Failure> {
    let mut inputs = files.iter().map(|path| Input::open(path, &Bars));
    let first = inputs.next().expect("there is one")?;
    let (kind, name) = (first.kind(), first.name().to_owned());
    let alike = inputs.map(|input| {
        let input = input?;
        let is_tally = |kind| kind == Kind::Parquet;
        match (is_tally(kind), is_tally(input.kind())) {
            (true, false) => Err(mixed(&name, input.name())),
            (false, true) => Err(mixed(input.name(), &name)),
            _ => Ok(input),
        }
    });
    if kind == Kind::Parquet {
        let mut merging = Merging::new(TallyFile::read(first, model)?, &args.by, args.allow_equal)?;
        for input in alike {
            merging.add(TallyFile::read(input?, model)?)?;
        }
        Ok(merging.done().finish(model, reporting)?)
    } else {
        from_bins(iter::once(Ok(first)).chain(alike), &args.by, model, reporting)
    }
}

fn mixed(tally: &str, table: &str) -> Error {
    Fault::TallyAndTable { tally: tally.to_owned(), table: table.to_owned() }.into()
}

/// Estimates with a warning where scores are missing.
fn from_bins(
    tables: impl Iterator<Item = Result<Input, Error>>,
    by: &[String],
    model: &Model,
    reporting: &Reporting,
) -> Result<Groups<Estimates>, Failure> {
    let Binned { groups, missing, left_out } = tally::read_bins(tables, by, model)?;
    for (group, rows) in left_out {
        let group = visible(&group);
        output::say(&format!("warning: left out, '{group}' has no scores, only {rows} rows without one"));
    }
    let mut estimates = groups.finish(model, reporting)?;
    for (estimate, missing) in estimates.contents.iter_mut().flatten().zip(missing.into_iter().flatten()) {
        estimate.warnings.extend((missing > 0).then_some(Warning::MissingScores { n: missing }));
    }
    Ok(estimates)
}
