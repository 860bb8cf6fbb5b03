//! `truecount evaluate`: how far estimates are off. Estimates made here and estimates read from a table are treated
//! alike.

mod args;
mod checked;
mod drawn;
mod evaluated;
mod figure;
mod read;
mod report;
mod results;

pub use args::Evaluate;
use checked::{Both, checked};
use evaluated::reference;
pub use evaluated::{Checked, Drawn, Evaluated, EvaluatedMethod, Sample};
pub use figure::FILES as FIGURES;

use crate::failure::Failure;
use crate::output::{self, Files, Form};
use report::Evaluation;
use std::path::Path;
use truecount_io::results::{Described, described};
use truecount_io::whole_file;

/// The result tables.
pub fn tables() -> Vec<Described> {
    vec![described::<report::MethodErrors>()]
}

pub fn run(args: &Evaluate) -> Result<(), Failure> {
    let form = args.format.for_stdout()?;
    Files::reading(args.train.labelled.path.iter().chain(&args.pool).chain(&args.estimates))
        .writing("--output", args.output.as_deref())
        .filling("--figures", args.figures.as_deref(), FIGURES)
        .check()?;
    let evaluated = match &args.estimates {
        Some(path) => read::estimates(path, args)?,
        None => drawn::estimates(args)?,
    };
    let against = args.against.as_deref();
    if let Some(path) = &args.output {
        evaluated.write(path)?;
        output::say(&format!("wrote {}", path.display()));
    }
    evaluated.print(against, form)?;
    match &args.figures {
        Some(folder) => evaluated.figures(against, folder),
        None => Ok(()),
    }
}

impl Evaluated {
    /// Prints every method's errors, and compares the others with the one named, or with the first.
    pub fn print(&self, against: Option<&str>, form: Form) -> Result<(), Failure> {
        let evaluation = Evaluation::new(self, self.reference(against)?)?;
        output::print(&evaluation.results(), form, None)
    }

    /// Writes the pictures into an existing folder.
    pub fn figures(&self, against: Option<&str>, folder: &Path) -> Result<(), Failure> {
        let pictures = figure::draw(self, self.reference(against)?);
        for (name, svg) in pictures {
            let path = folder.join(name);
            whole_file::write(&path, svg.as_bytes())?;
            output::say(&format!("wrote {}", path.display()));
        }
        Ok(())
    }
}
