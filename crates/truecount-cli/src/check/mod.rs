//! `truecount check`: is prior probability shift plausible, and do the families fit?

mod args;
pub mod families;
mod figure;
mod results;
pub mod words;

pub use args::Check;

use crate::failure::Failure;
use crate::output::{self, Files};
use crate::progress::Bars;
use results::Findings;
use truecount::check::ShiftCheck;
use truecount::{LabelledScores, Method, Settings};
use truecount_io::groups::{Groups, Keys, ScoreColumns, TestFiles};
use truecount_io::input;
use truecount_io::results::{CheckRow, Described, described};
use truecount_io::whole_file;

pub fn run(args: &Check) -> Result<(), Failure> {
    let form = args.output.form()?;
    output::check_by(&args.by, form, &described::<CheckRow>().columns)?;
    let sort = args.sorted.of::<CheckRow>(&args.by)?;
    let inputs = || args.labelled.path.iter().chain(&args.test);
    input::once_each(inputs())?;
    Files::reading(inputs())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.as_deref())
        .check()?;
    let (labelled, place) = read(args)?;
    if !labelled.is_plain() && (args.test.is_none() || args.figure.is_some()) {
        return Err(Failure::Usage(
            "no family is fitted to labelled scores with --label-weight or --label-cluster: give --test, and leave out --figure".to_owned(),
        ));
    }
    let scores = args.transform.labelled(&labelled).map_err(Failure::within(&place))?;
    let (keys, groups) = match &args.test {
        None => (Keys::none(), Vec::new()),
        Some(test) => {
            let check = ShiftCheck::new(&labelled).map_err(Failure::within(&place))?;
            let columns = ScoreColumns { score: Some(&args.score), probability: None };
            let paths = input::files(std::slice::from_ref(test))?;
            let source =
                TestFiles { paths: &paths, columns, weight: None, by: &args.by, fingerprint: None, progress: &Bars };
            let groups = Groups::checked(&source, &check)?;
            let checked = check.test_all(&groups.contents)?.into_iter().enumerate();
            let mut rows: Vec<CheckRow> = checked.map(|(group, checked)| CheckRow { group, checked }).collect();
            sort.sort(&mut rows, &groups.keys);
            (groups.keys, rows)
        }
    };
    let families = if labelled.is_plain() { families::check(&scores, args.resamples, args.seed) } else { Vec::new() };
    let findings = Findings { keys, groups, families };
    if let Some(path) = &args.figure {
        // Drawn before anything is printed: if the figure fails, there are no results beside the error.
        let svg = figure::draw(findings.groups(), &scores, args.family).map_err(Failure::within(&place))?;
        whole_file::write(path, svg.as_bytes())?;
    }
    output::print(&findings.results(), form, args.output.file())
}

/// The result tables.
pub fn tables() -> Vec<Described> {
    vec![described::<CheckRow>(), described::<families::Fit>()]
}

/// The labelled scores, and the name of their file.
fn read(args: &Check) -> Result<(LabelledScores, String), Failure> {
    let path = args.labelled.path.as_ref().expect("--train is required");
    let columns = ScoreColumns { score: Some(&args.score), probability: None };
    // The families are fitted as for a method that fits one.
    let settings = Settings { methods: vec![Method::O_CS], transform: args.transform, ..Settings::default() };
    let labelled = args.labelled.file(path, columns, settings.unit_interval(false)).read(&Bars)?;
    Ok((labelled, input::name(path)))
}
