//! `truecount counts`: the prevalence from counts and published error rates.

mod args;

pub use args::CountsArgs;

use crate::error::CliError;
use crate::output::{self, FileRoles};
use crate::progress::ProgressBars;
use crate::report::provenance;
use std::path::PathBuf;
use truecount::Error;
use truecount_analysis::compare::{ComparisonSets, ReferenceOption, count_differences};
use truecount_analysis::counts::{count_standardised, count_total};
use truecount_analysis::output::CountOutput;
use truecount_analysis::results::{CountRow, StandardisedSets, describe_table};
use truecount_analysis::spelling::Interface;
use truecount_analysis::standard::StandardisedEstimates;
use truecount_report::{Words, counts_page};
use truecount_tables::groups::Keys;
use truecount_tables::{input, whole_file};

pub fn run(args: &CountsArgs, typed: &[String]) -> Result<(), CliError> {
    let interval_options = args.interval_options()?;
    let format = args.output.format()?;
    output::check_by(&args.by, format, &describe_table::<CountRow>().columns)?;
    let sort = args.sort_args.sort::<CountRow>(&args.by)?;
    FileRoles::reading(args.path().into_iter().chain(&args.standardise))
        .writing("--output", args.output.file())
        .writing("--report", args.report.as_deref())
        .check()?;
    let (keys, mut rows) = match args.path() {
        Some(path) => args.file(path).estimates(args.interval, &interval_options, &ProgressBars)?,
        None => (Keys::single_group(), vec![args.estimate(&interval_options)?]),
    };
    let compare = |reference: &ReferenceOption| {
        let levels = ComparisonSets::new(&keys);
        let comparison = (&levels, &levels.resolve_group_reference(reference, &keys)?);
        count_differences(&rows, &keys, comparison, args.interval, &interval_options)
    };
    let differences = args.compare.as_ref().map(compare).transpose()?;
    let standardise = |path: &PathBuf| {
        let standard = args.file(path).standard(path, &keys, &ProgressBars)?;
        let sets = count_standardised(&rows, &standard, args.interval, &interval_options)?;
        let population = Some(format!("the standard population of {}", input::name(path)));
        Ok::<_, Error>(StandardisedSets::new(keys.clone(), StandardisedEstimates { population, ..sets }))
    };
    let mut standardised = args.standardise.as_ref().map(standardise).transpose()?;
    if let Some(sets) = &mut standardised {
        sort.sort(&mut sets.rows, &keys);
    }
    sort.sort(&mut rows, &keys);
    let total = || {
        let total = count_total(&rows, args.interval, &interval_options);
        total.map_err(|error| args.path().map_or(error.clone(), |path| error.in_file(input::name(path))))
    };
    let overall = args.report.is_some().then(total).transpose()?;
    if args.total {
        rows.push(total()?);
    }
    let output = CountOutput { keys, rows, interval: args.interval, target: args.target, standardised, differences };
    // The page comes first, so that no results are printed if it fails.
    if let (Some(path), Some(overall)) = (&args.report, &overall) {
        let words = Words::new(&args.items, &args.positive_name, args.target, Interface::Shell);
        let provenance = provenance(typed, &args.path().into_iter().chain(&args.standardise).collect::<Vec<_>>())?;
        whole_file::write(path, counts_page(&output, overall, &words, &provenance).as_bytes())?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    output::print_with_warnings(&args.output.shown(output.results(), format), format, args.output.file())
}
