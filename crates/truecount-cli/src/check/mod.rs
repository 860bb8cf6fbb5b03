//! `truecount check`: is prior probability shift plausible, and do the families fit?

mod args;
mod csv;
pub mod families;
mod figure;
mod json;
mod table;
pub mod words;

pub use args::Check;

use crate::args::Format;
use crate::failure::Failure;
use crate::input::{self, Columns, Groups, Shifts, TestFiles};
use crate::{output, whole_file};
use families::Fit;
use truecount::check::{Checked, ShiftCheck};
use truecount::{LabelledScores, Settings};

/// All that was found.
struct Report {
    columns: Vec<String>,
    /// Of every group of test scores its values of the columns and what the check says; none without test scores.
    values: Vec<Vec<String>>,
    checked: Vec<Checked>,
    families: Vec<Fit>,
}

impl Report {
    fn groups(&self) -> impl Iterator<Item = (&Vec<String>, &Checked)> {
        self.values.iter().zip(&self.checked)
    }
}

pub fn run(args: &Check) -> Result<(), Failure> {
    output::check(&args.by, args.format, &csv::COLUMNS)?;
    input::one_from_stdio(args.labelled.path.iter().chain(&args.test))?;
    let (labelled, place) = read(args)?;
    let scores = args.transform.labelled(&labelled).map_err(Failure::within(&place))?;
    let (columns, values, checked) = match &args.test {
        None => (Vec::new(), Vec::new(), Vec::new()),
        Some(test) => {
            let check = ShiftCheck::new(&labelled).map_err(Failure::within(&place))?;
            let columns = Columns { score: &args.score, probability: None };
            let paths = input::files(std::slice::from_ref(test))?;
            let source =
                TestFiles { paths: &paths, columns: &columns, weight: None, by: &args.by, shift: Some(&check) };
            let groups = Groups::checked(&source)?;
            let Shifts::Each(tallies) = &groups.shift else { unreachable!("tallied for the check of each group") };
            let texts = groups.keys.texts();
            let values = (0..tallies.len()).map(|group| texts.of(group).collect()).collect();
            (args.by.clone(), values, check.test_all(tallies)?)
        }
    };
    let families = families::check(&scores, args.resamples, args.seed);
    let report = Report { columns, values, checked, families };
    if let Some(path) = &args.figure {
        // Drawn before anything is printed: a figure that cannot be is an error without results.
        let svg = figure::draw(report.groups(), &scores, args.family).map_err(Failure::within(&place))?;
        whole_file::write(path, svg.as_bytes())?;
    }
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
