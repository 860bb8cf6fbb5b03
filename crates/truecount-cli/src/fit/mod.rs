//! `truecount fit`: a model, written to a file.

use crate::failure::Failure;
use crate::models::train;
use crate::options::{ColumnNames, Train};
use crate::output;
use std::path::PathBuf;
use truecount_io::{input, model_file, whole_file};

/// Reads labelled scores and writes what `truecount estimate --model` needs.
#[derive(clap::Args)]
pub struct Fit {
    #[command(flatten)]
    pub train: Train,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

pub fn run(args: &Fit) -> Result<(), Failure> {
    if let Some(train) = &args.train.labelled.path
        && whole_file::is_same(train, &args.output)
    {
        return Err(Failure::Usage(format!("--output would overwrite the labelled scores in {}", train.display())));
    }
    let model = train(&args.train, &args.train.settings()?, &args.columns.get())?;
    model_file::write(&args.output, &model)?;
    for line in output::fitted(&model) {
        output::say(&line);
    }
    if !input::is_stdio(&args.output) {
        output::say(&format!("wrote {}", args.output.display()));
    }
    Ok(())
}
