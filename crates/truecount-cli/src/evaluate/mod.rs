//! `truecount evaluate`: the errors of estimates, which are computed here or read from a table.

mod args;
mod classes;
mod pool;
mod read_table;
mod write_table;

pub use args::EvaluateArgs;
use write_table::write;

use crate::error::CliError;
use crate::output;
use truecount_analysis::evaluation::MethodErrors;
use truecount_analysis::request::EstimateRequest;
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
    let classes = args.class_scores.add_to(EstimateRequest::default());
    let evaluated = match &args.estimates {
        Some(path) => vec![read_table::estimates(path, args)?],
        None if !classes.class_scores.is_empty() => classes::estimates(args, &classes)?,
        None => vec![pool::estimates(args)?],
    };
    let first = &evaluated[0];
    if let Some(path) = &args.output {
        write(first, path)?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    let evaluation = args.request().evaluation(&evaluated)?;
    output::print(&evaluation.results(), format)?;
    if let Some(folder) = &args.figures {
        let reference = first.methods.iter().position(|method| method.name == evaluation.reference);
        for (name, drawing) in charts::evaluation::draw(first, reference.unwrap_or(0), args.figure_size) {
            let path = folder.join(name);
            whole_file::write(&path, drawing.svg().as_bytes())?;
            output::print_message(&format!("wrote {}", path.display()));
        }
    }
    Ok(())
}
