//! `truecount evaluate`: how far estimates are off. Estimates are made here or read, and then treated alike.

mod args;
mod csv;
mod drawn;
mod evaluated;
mod figure;
mod json;
mod read;
mod report;
mod table;

pub use args::Evaluate;
pub use evaluated::{Evaluated, EvaluatedMethod, Sample};

use crate::failure::Failure;
use crate::output;

pub fn run(args: &Evaluate) -> Result<(), Failure> {
    let evaluated = match &args.estimates {
        Some(path) => read::estimates(path, args)?,
        None => drawn::estimates(args)?,
    };
    let against = args.against.as_deref();
    // Before anything is written: a method that is not there is an error without results.
    evaluated.reference(against)?;
    if let Some(path) = &args.output {
        evaluated.write(path)?;
        output::say(&format!("wrote {}", path.display()));
    }
    if let Some(folder) = &args.figures {
        evaluated.figures(against, folder)?;
    }
    evaluated.print(against, args.format)
}
