//! `truecount fit`: fits a model and writes it to a file.

use crate::error::CliError;
use crate::models::train;
use crate::options::{ColumnNames, TrainArgs};
use crate::output;
use std::io::Write;
use std::path::PathBuf;
use truecount_tables::{FileRoles, input, model_file};

/// Reads labelled scores and writes what `truecount estimate --model` needs.
#[derive(clap::Args)]
pub struct FitArgs {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Model file; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

pub fn run(args: &FitArgs) -> Result<(), CliError> {
    let file = Some(args.output.as_path()).filter(|path| !input::is_stdio(path));
    FileRoles::reading(args.train.labelled.paths()).writing("--output", file).check()?;
    let model = train(&args.train, &args.train.settings()?, &args.columns.get())?;
    match file {
        Some(path) => model_file::write(path, &model)?,
        None => output::to_stdout(|out| out.write_all(model.to_json().as_bytes()))?,
    }
    for line in output::fit_notes(&model).into_iter().chain(output::diagnostics(&model)) {
        output::print_message(&line);
    }
    if let Some(path) = file {
        output::print_message(&format!("wrote {}", path.display()));
    }
    Ok(())
}
