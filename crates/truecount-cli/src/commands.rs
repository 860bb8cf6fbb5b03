//! From what was typed to what is printed.

use crate::args::{Estimate, Fit, Source, Tested, Train};
use crate::failure::Failure;
use crate::input::{self, Columns, Groups, TestFiles};
use crate::{model_file, output, parallel, whole_file};
use std::path::{Path, PathBuf};
use truecount::check::ShiftCheck;
use truecount::{LabelledScores, Method, Model, Settings};

pub fn estimate(args: &Estimate) -> Result<(), Failure> {
    let tested = &args.estimated.tested;
    let reporting = args.estimated.reporting()?;
    let resampling = args.estimated.resampling()?;
    let form = args.output.form()?;
    output::check_form(&tested.by, form, &output::columns(tested.weight.is_some()))?;
    let paths = input::files(&tested.test)?;
    args.output.check(tested.source.path().into_iter().chain(&paths))?;
    let model = model_for(tested, &paths)?.without_check();
    // Labelled scores that the check cannot use still give estimates.
    let shift = ShiftCheck::new(model.labelled()).ok();
    let columns = tested.columns.get();
    let source = test_files(tested, &paths, &columns, shift.as_ref());
    let pool = parallel::pool(tested.threads)?;
    let estimates = match &resampling {
        None => pool.install(|| Groups::tallied(&source, &model))?.map(|t| Ok(model.finish(&t, &reporting)?))?,
        Some(resampling) => {
            let kept = pool.install(|| Groups::kept(&source, &model))?;
            let estimates = resampling.estimates(&model, &kept.contents, &reporting)?;
            kept.with(estimates)
        }
    };
    let resamples = resampling.map(|resampling| resampling.resamples);
    let report = output::Report::new(&model, shift.as_ref(), estimates, resamples)?;
    output::print(&report, form, args.output.file())
}

/// The model for test scores of these files.
pub fn model_for(tested: &Tested, paths: &[PathBuf]) -> Result<Model, Failure> {
    let Tested { source, columns, .. } = tested;
    input::one_from_stdio(source.path().into_iter().chain(paths))?;
    let columns = columns.get();
    let model = model(source, &source.train.settings()?, &columns)?;
    let what = match (model.labelled().probabilities(), columns.probability) {
        (Some(_), None) => "the model was fitted with probabilities: name their column in the test file with --prob",
        (None, Some(_)) => "the model was fitted without probabilities: leave out --prob, or fit it with --prob too",
        _ => return Ok(model),
    };
    Err(Failure::Usage(what.to_owned()))
}

/// Where test scores are read.
pub fn test_files<'a>(
    tested: &'a Tested,
    paths: &'a [PathBuf],
    columns: &'a Columns<'a>,
    shift: Option<&'a ShiftCheck>,
) -> TestFiles<'a> {
    TestFiles { paths, columns, weight: tested.weight.as_deref(), by: &tested.by, shift }
}

pub fn fit(args: &Fit) -> Result<(), Failure> {
    if let Some(train) = &args.train.labelled.path
        && whole_file::is_same(train, &args.output)
    {
        return Err(Failure::Usage(format!("--output would overwrite the labelled scores in {}", train.display())));
    }
    let model = train(&args.train, &args.train.settings()?, &args.columns.get())?;
    model_file::write(&args.output, &model)?;
    for line in output::fitted(&model) {
        output::say(&line);
    }
    if !input::is_stdio(&args.output) {
        output::say(&format!("wrote {}", args.output.display()));
    }
    Ok(())
}

/// The model of a file, or a new one.
pub fn model(source: &Source, settings: &Settings, columns: &Columns) -> Result<Model, Failure> {
    match &source.model {
        Some(path) => model_file::read(path),
        None => train(&source.train, settings, columns),
    }
}

/// What the labelled scores allow of the settings.
pub fn train(args: &Train, settings: &Settings, columns: &Columns) -> Result<Model, Failure> {
    let Some(path) = &args.labelled.path else {
        return Err(Failure::Usage("labelled scores are missing: give them with --train FILE".to_owned()));
    };
    let scores = input::read_labelled(
        path,
        columns,
        &args.labelled.label,
        &args.labelled.positive,
        settings.unit_interval(columns.probability.is_some()),
    )?;
    learn(&scores, settings, path)
}

/// The model of labelled scores that came from that file. Methods that are left out are only warned about.
pub fn learn(scores: &LabelledScores, settings: &Settings, path: &Path) -> Result<Model, Failure> {
    let (model, left_out) = Model::fit_telling(scores, settings).map_err(|e| explain(e.error, path, e.method))?;
    for (method, error) in left_out {
        output::say(&format!("warning: left out, {}", explain(error, path, Some(method))));
    }
    Ok(model)
}

/// Adds to an error of the fit which file and method it is about and which option mends it.
fn explain(error: truecount::Error, path: &Path, method: Option<Method>) -> Failure {
    use truecount::Error::{NoSeparationAtCutoff, Parameter, ThresholdNotReached};
    let option = match error {
        ThresholdNotReached { .. } => " (o-cs, o-ms), or another method",
        NoSeparationAtCutoff { .. } => " (--cutoff)",
        Parameter { .. } => return error.into(),
        _ => "",
    };
    let method = method.map_or_else(String::new, |method| format!("{method}: "));
    Failure::Data(format!("{}: {method}{error}{option}", input::name(path)))
}
