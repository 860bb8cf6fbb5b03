//! `truecount check`: is prior probability shift plausible, and do the families fit?

mod args;
mod csv;
mod families;
mod figure;
mod json;
mod mixture;
mod table;
mod words;

pub use args::Check;

use crate::args::Format;
use crate::failure::Failure;
use crate::input::{self, Columns, Groups, TestFiles};
use crate::{output, whole_file};
use families::Fit;
use mixture::GroupCheck;
use truecount::check::ShiftCheck;
use truecount::{LabelledScores, Settings};

/// All that was found.
struct Report {
    columns: Vec<String>,
    /// Of every group of test scores; empty without test scores.
    groups: Vec<GroupCheck>,
    families: Vec<Fit>,
}

pub fn run(args: &Check) -> Result<(), Failure> {
    output::check(&args.by, args.format, &csv::COLUMNS)?;
    input::one_from_stdio(args.labelled.path.iter().chain(&args.test))?;
    let (labelled, place) = read(args)?;
    let scores = args.transform.labelled(&labelled).map_err(Failure::at(&place))?;
    let (columns, groups) = match &args.test {
        None => (Vec::new(), Vec::new()),
        Some(test) => {
            let check = ShiftCheck::new(&labelled)
                .map_err(|e| Failure::Data(format!("{place}: {e} (without --test the families alone are checked)")))?;
            let columns = Columns { score: &args.score, probability: None };
            let paths = input::files(std::slice::from_ref(test))?;
            let source =
                TestFiles { paths: &paths, columns: &columns, weight: None, by: &args.by, shift: Some(&check) };
            let groups = Groups::checked(&source)?;
            (args.by.clone(), mixture::check(&check, &groups)?)
        }
    };
    let families = families::check(&scores, args.resamples, args.seed);
    if let Some(path) = &args.figure {
        // Drawn before anything is printed: a figure that cannot be is an error without results.
        let svg = figure::draw(&groups, &scores, args.family).map_err(Failure::at(&place))?;
        whole_file::write(path, svg.as_bytes())?;
    }
    let report = Report { columns, groups, families };
    output::to_stdout(|out| match args.format {
        Format::Table => table::write(&report, out),
        Format::Json => json::write(&report, out),
        Format::Csv => csv::write(&report, out),
    })
}

/// The labelled scores, and what their file is called.
fn read(args: &Check) -> Result<(LabelledScores, String), Failure> {
    let path = args.labelled.path.as_ref().expect("--train is required");
    let columns = Columns { score: &args.score, probability: None };
    let settings = Settings { transform: args.transform, ..Settings::default() };
    let (label, positive) = (&args.labelled.label, &args.labelled.positive);
    let labelled = input::read_labelled(path, &columns, label, positive, settings.unit_interval(false))?;
    Ok((labelled, input::name(path)))
}
