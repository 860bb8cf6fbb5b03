//! `truecount tally`: summarises test scores in a file of tallies.

use crate::error::CliError;
use crate::models::{model_for, test_files};
use crate::options::TestArgs;
use crate::output;
use crate::parallel;
use std::path::PathBuf;
use truecount_tables::groups::TestFiles;
use truecount_tables::input::{self, Fingerprint};
use truecount_tables::{FileRoles, tally, whole_file};

/// Reads the test scores as `estimate` does and writes what estimates need to know of them. Files
/// of any number of machines, days or shards are then one `truecount finish`.
#[derive(clap::Args)]
pub struct TallyArgs {
    #[command(flatten)]
    test_args: TestArgs,
    /// File to write: a Parquet file with a row for each group
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &TallyArgs) -> Result<(), CliError> {
    let TallyArgs { test_args, output: path } = args;
    output::check_by(&test_args.by, output::OutputFormat::Table, &[])?;
    if test_args.by.iter().any(|column| column == tally::COLUMN) {
        let column = tally::COLUMN;
        return Err(CliError::usage(
            format!("--by {column}: tallies have their own column '{column}'"),
            "rename that column",
        ));
    }
    let paths = input::expand_patterns(&test_args.test)?;
    FileRoles::reading(test_args.source.paths().chain(&paths)).writing("--output", Some(path)).check()?;
    let model = model_for(test_args, &paths)?;
    let columns = test_args.columns.get().for_model(&model);
    let rows = Fingerprint::default();
    let source = TestFiles { fingerprint: Some(&rows), ..test_files(test_args, &paths, columns) };
    let groups = parallel::pool(test_args.threads)?.install(|| source.tally(&model))?;
    let names = paths.iter().map(|path| input::name(path)).collect();
    whole_file::write(path, &tally::bytes(&groups, &model, test_args.weight.is_some(), names, Some(rows.value())))?;
    let number = groups.contents.len();
    let groups = if test_args.by.is_empty() {
        String::new()
    } else {
        format!(" of {number} group{}", if number == 1 { "" } else { "s" })
    };
    output::print_message(&format!("wrote {}: tallies{groups}, model {}", path.display(), model.fingerprint()));
    Ok(())
}
