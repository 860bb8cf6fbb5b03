//! `truecount evaluate`: how far estimates are off. Estimates made here and estimates read from a table are treated
//! alike.

mod args;
mod drawn;
mod read;
mod wide;

pub use args::Evaluate;
pub use truecount_report::charts::evaluation::FILES as FIGURES;
use wide::reference;
pub use wide::write;

use crate::failure::CliError;
use crate::output::{self, FileRoles};
use std::path::Path;
use truecount_analysis::evaluation::{Evaluation, MethodErrors, SampleEstimates};
use truecount_analysis::results::{TableDescription, describe_table};
use truecount_report::charts;
use truecount_tables::whole_file;

/// The result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<MethodErrors>()]
}

pub fn run(args: &Evaluate) -> Result<(), CliError> {
    let form = args.format.for_stdout()?;
    FileRoles::reading(args.train.labelled.path.iter().chain(&args.pool).chain(&args.estimates))
        .writing("--output", args.output.as_deref())
        .filling("--figures", args.figures.as_deref(), FIGURES)
        .check()?;
    let evaluated = match &args.estimates {
        Some(path) => read::estimates(path, args)?,
        None => drawn::estimates(args)?,
    };
    let against = args.reference.as_deref();
    if let Some(path) = &args.output {
        write(&evaluated, path)?;
        output::say(&format!("wrote {}", path.display()));
    }
    output::print(&evaluation(&evaluated, against)?.results(), form, None)?;
    match &args.figures {
        Some(folder) => figures(&evaluated, against, folder),
        None => Ok(()),
    }
}

/// Every method's errors, and the others beside the one named, or beside the first.
///
/// # Errors
/// If there is no method with that name, or a sample cannot be evaluated.
pub fn evaluation<'a>(evaluated: &'a SampleEstimates, against: Option<&str>) -> Result<Evaluation<'a>, CliError> {
    Ok(Evaluation::new(evaluated, place(evaluated, against)?)?)
}

/// Writes the pictures into an existing folder.
///
/// # Errors
/// If there is no method with that name, or a file cannot be written.
pub fn figures(evaluated: &SampleEstimates, against: Option<&str>, folder: &Path) -> Result<(), CliError> {
    let pictures = charts::evaluation::draw(evaluated, place(evaluated, against)?);
    for (name, svg) in pictures {
        let path = folder.join(name);
        whole_file::write(&path, svg.as_bytes())?;
        output::say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The index of the method with this name; the first if none is given.
fn place(evaluated: &SampleEstimates, against: Option<&str>) -> Result<usize, CliError> {
    let names: Vec<&str> = evaluated.methods.iter().map(|method| method.name.as_str()).collect();
    reference(&names, against)
}
