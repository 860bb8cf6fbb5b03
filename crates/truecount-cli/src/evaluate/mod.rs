//! `truecount evaluate`: the errors of estimates, which are computed here or read from a table.

mod args;
mod pool;
mod read_table;
mod write_table;

pub use args::EvaluateArgs;
use write_table::{method_index, write};

use crate::error::CliError;
use crate::output;
use std::path::Path;
use truecount_analysis::evaluation::{Evaluation, MethodErrors, SampleEstimates};
use truecount_analysis::results::{TableDescription, describe_table};
use truecount_report::charts::{self, evaluation::FILES as FIGURES};
use truecount_tables::FileRoles;
use truecount_tables::whole_file;

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<MethodErrors>()]
}

pub fn run(args: &EvaluateArgs) -> Result<(), CliError> {
    let format = args.format.for_stdout()?;
    FileRoles::reading(args.train.labelled.paths().chain(&args.pool).chain(&args.estimates))
        .writing("--output", args.output.as_deref())
        .filling("--figures", args.figures.as_deref(), FIGURES)
        .check()?;
    let evaluated = match &args.estimates {
        Some(path) => read_table::estimates(path, args)?,
        None => pool::estimates(args)?,
    };
    let reference = args.reference.as_deref();
    if let Some(path) = &args.output {
        write(&evaluated, path)?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    output::print(&evaluation(&evaluated, reference)?.results(), format, None)?;
    match &args.figures {
        Some(folder) => figures(&evaluated, reference, folder),
        None => Ok(()),
    }
}

/// Evaluates every method and compares the other methods with the reference; by default, with the
/// first method.
///
/// # Errors
/// Returns an error if no method has the name of the reference, or a sample cannot be evaluated.
fn evaluation<'a>(evaluated: &'a SampleEstimates, reference: Option<&str>) -> Result<Evaluation<'a>, CliError> {
    Ok(Evaluation::new(evaluated, reference_index(evaluated, reference)?)?)
}

/// Writes the figures into an existing folder.
///
/// # Errors
/// Returns an error if no method has the name of the reference, or a file cannot be written.
fn figures(evaluated: &SampleEstimates, reference: Option<&str>, folder: &Path) -> Result<(), CliError> {
    for (name, svg) in charts::evaluation::draw(evaluated, reference_index(evaluated, reference)?) {
        let path = folder.join(name);
        whole_file::write(&path, svg.as_bytes())?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    Ok(())
}

fn reference_index(evaluated: &SampleEstimates, reference: Option<&str>) -> Result<usize, CliError> {
    let names: Vec<&str> = evaluated.methods.iter().map(|method| method.name.as_str()).collect();
    method_index(&names, reference)
}
