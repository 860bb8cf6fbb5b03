//! `truecount estimate`: the prevalence among unlabelled scores, in all or by group.

use crate::failure::Failure;
use crate::models::{model_for, test_files};
use crate::options::{Estimated, Sorted};
use crate::output::{self, Answer, Files, Output};
use crate::parallel;
use truecount_io::groups::Groups;
use truecount_io::input;
use truecount_io::results::EstimateRow;

/// Reads the test scores in one pass and prints one line per group and method, groups in their own order: dates by time,
/// numbers by size, texts by their letters, what is missing last.
#[derive(clap::Args)]
pub struct Estimate {
    #[command(flatten)]
    pub estimated: Estimated,
    #[command(flatten)]
    pub sorted: Sorted,
    #[command(flatten)]
    pub output: Output,
}

pub fn run(args: &Estimate) -> Result<(), Failure> {
    let tested = &args.estimated.tested;
    let reporting = args.estimated.reporting()?;
    let resampling = args.estimated.resampling()?;
    let form = args.output.form()?;
    output::check_by(&tested.by, form, &output::columns(tested.weight.is_some()))?;
    let sort = args.sorted.of::<EstimateRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    Files::reading(tested.source.path().into_iter().chain(&paths)).writing("--output", args.output.file()).check()?;
    let model = model_for(tested, &paths)?;
    let columns = tested.columns.get().of_tests(&model);
    let source = test_files(tested, &paths, columns);
    let pool = parallel::pool(tested.threads)?;
    pool.install(|| {
        let estimates = match &resampling {
            None => Groups::estimated(&source, &model, &reporting)?,
            Some(resampling) => resampling.estimates(&model, Groups::kept(&source, &model)?, &reporting)?,
        };
        let resamples = resampling.map(|resampling| resampling.resamples);
        Answer::new(&model, estimates, resamples)?.sorted(&sort).print(form, args.output.file())
    })
}
