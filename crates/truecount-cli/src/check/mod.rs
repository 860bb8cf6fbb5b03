//! `truecount check`: is prior probability shift plausible, and if not, why; and do the families fit?

mod args;
pub mod families;
mod figure;
mod learnt;
mod results;
mod shift;
pub mod words;

pub use args::Check;

use crate::failure::Failure;
use crate::output::{self, Files};
use crate::parallel;
use learnt::Learnt;
use results::Findings;
use shift::Shifts;
use truecount_analysis::results::{CheckRow, Described, FitRow, FoldsRow, SupposedRow, described};
use truecount_tables::input;
use truecount_tables::whole_file;

pub fn run(args: &Check) -> Result<(), Failure> {
    let form = args.output.form()?;
    output::check_by(&args.by, form, &described::<CheckRow>().columns)?;
    let sort = args.sorted.of::<CheckRow>(&args.by)?;
    let paths = if args.test.is_empty() { Vec::new() } else { input::files(&args.test)? };
    let inputs = || args.labelled.path.iter().chain(&args.model).chain(&paths);
    input::once_each(inputs())?;
    Files::reading(inputs())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    parallel::pool(args.threads)?.install(|| {
        let learnt = Learnt::read(args)?;
        let Learnt { labelled, place, transform, family, .. } = &learnt;
        if !labelled.is_plain() && (paths.is_empty() || args.figure.is_some()) {
            return Err(Failure::Usage(
                "no family is fitted to labelled scores with weights or in clusters: give --test, and leave out --figure".to_owned(),
            ));
        }
        let scores = transform.labelled(labelled).map_err(Failure::within(place))?;
        let Shifts { keys, groups, tallies, folds } = Shifts::find(args, &learnt, &paths, &sort)?;
        let families = if labelled.is_plain() { families::check(&scores, args.drawing()) } else { Vec::new() };
        let supposed = match args.suppose {
            Some(share) => SupposedRow::of_groups(share, labelled, &groups, &tallies)?,
            None => Vec::new(),
        };
        let findings = Findings { keys, groups, families, folds, supposed };
        if let Some(path) = &args.figure {
            // Drawn before anything is printed: if the figure fails, there are no results beside the error.
            let svg = figure::draw(findings.groups(), &scores, *family).map_err(Failure::within(place))?;
            whole_file::write(path, svg.as_bytes())?;
        }
        output::print(&findings.results(), form, args.output.file())
    })
}

/// The result tables.
pub fn tables() -> Vec<Described> {
    vec![described::<CheckRow>(), described::<FitRow>(), described::<FoldsRow>(), described::<SupposedRow>()]
}
