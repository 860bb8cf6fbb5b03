//! `truecount estimate`: the prevalence among unlabelled scores, in all or by group.

use crate::failure::Failure;
use crate::models::{model_for, test_files};
use crate::options::Estimated;
use crate::output::{self, Answer, Output};
use crate::parallel;
use truecount::check::ShiftCheck;
use truecount_io::groups::Groups;
use truecount_io::input;

/// Reads the test scores in one pass and prints one line per group and method, groups in order of appearance.
#[derive(clap::Args)]
pub struct Estimate {
    #[command(flatten)]
    pub estimated: Estimated,
    #[command(flatten)]
    pub output: Output,
}

pub fn run(args: &Estimate) -> Result<(), Failure> {
    let tested = &args.estimated.tested;
    let reporting = args.estimated.reporting()?;
    let resampling = args.estimated.resampling()?;
    let form = args.output.form()?;
    output::check_by(&tested.by, form, &output::columns(tested.weight.is_some()))?;
    let paths = input::files(&tested.test)?;
    args.output.check(tested.source.path().into_iter().chain(&paths))?;
    let model = model_for(tested, &paths)?;
    // Labelled scores that the check cannot use still give estimates.
    let shift = ShiftCheck::new(model.labelled()).ok();
    let columns = tested.columns.get();
    let source = test_files(tested, &paths, columns, shift.as_ref());
    let pool = parallel::pool(tested.threads)?;
    let estimates = match &resampling {
        None => pool.install(|| Groups::tallied(&source, &model))?.map(|t| model.finish(&t, &reporting))?,
        Some(resampling) => {
            let kept = pool.install(|| Groups::kept(&source, &model))?;
            let estimates = resampling.estimates(&model, &kept.contents, &reporting)?;
            kept.with(estimates)
        }
    };
    let resamples = resampling.map(|resampling| resampling.resamples);
    Answer::new(&model, shift.as_ref(), estimates, resamples)?.print(form, args.output.file())
}
