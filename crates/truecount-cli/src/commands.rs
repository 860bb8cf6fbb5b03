//! From what was typed to what is printed.

use crate::args::{Estimate, Fit, Source, Train};
use crate::failure::Failure;
use crate::input::{self, Groups, TestFiles};
use crate::{model_file, output, parallel, whole_file};
use std::path::Path;
use truecount::check::ShiftCheck;
use truecount::{LabelledScores, Model, Settings};

pub fn estimate(args: &Estimate) -> Result<(), Failure> {
    let reporting = args.reporting()?;
    let resampling = args.resampling()?;
    output::check(&args.by, args.format, &output::columns(args.weight.is_some()))?;
    let test = input::files(&args.test)?;
    input::one_from_stdio(args.source.path().into_iter().chain(&test))?;
    let columns = args.columns.get();
    let model = model(&args.source, &args.source.train.settings()?, &columns)?;
    match (model.labelled().probabilities(), columns.probability) {
        (Some(_), None) => {
            let what = "the model was fitted with probabilities: name their column in the test file with --prob";
            return Err(Failure::Usage(what.to_owned()));
        }
        (None, Some(_)) => {
            let what = "the model was fitted without probabilities: leave out --prob, or fit it with --prob too";
            return Err(Failure::Usage(what.to_owned()));
        }
        _ => {}
    }
    // Labelled scores that the check cannot use still give estimates.
    let shift = ShiftCheck::new(model.labelled()).ok();
    let (weight, by) = (args.weight.as_deref(), args.by.as_slice());
    let source = TestFiles { paths: &test, columns: &columns, weight, by, shift: shift.as_ref() };
    let pool = parallel::pool(args.threads)?;
    let estimates = match &resampling {
        None => pool.install(|| Groups::tallied(&source, &model))?.map(|t| Ok(model.finish(&t, &reporting)?))?,
        Some(resampling) => {
            let kept = pool.install(|| Groups::kept(&source, &model))?;
            resampling.estimates(&model, kept, &reporting)?
        }
    };
    let resamples = resampling.map(|resampling| resampling.resamples);
    let report = output::Report::new(&model, shift.as_ref(), estimates, resamples)?;
    output::print(&report, args.format)
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
pub fn model(source: &Source, settings: &Settings, columns: &input::Columns) -> Result<Model, Failure> {
    match &source.model {
        Some(path) => model_file::read(path),
        None => train(&source.train, settings, columns),
    }
}

/// What the labelled scores allow of the settings.
pub fn train(args: &Train, settings: &Settings, columns: &input::Columns) -> Result<Model, Failure> {
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
    learn(&scores, settings, path, args.every_method())
}

/// The model of labelled scores that came from that file. What not every method of all can be fitted to is only warned about.
pub fn learn(scores: &LabelledScores, settings: &Settings, path: &Path, all: bool) -> Result<Model, Failure> {
    let (model, refused) = Model::fit_possible(scores, settings).map_err(|e| explain(e, path, ""))?;
    for (method, error) in refused {
        let failure = explain(error, path, &format!("{method}: "));
        if !all {
            return Err(failure);
        }
        output::say(&format!("warning: left out, {failure}"));
    }
    Ok(model)
}

/// Adds to an error of the fit which file and method it is about and which option mends it.
fn explain(error: truecount::Error, path: &Path, method: &str) -> Failure {
    use truecount::Error::{NoSeparationAtCutoff, Parameter, ThresholdNotReached};
    let option = match error {
        ThresholdNotReached { .. } => " (o-cs, o-ms), or another method",
        NoSeparationAtCutoff { .. } => " (--cutoff)",
        Parameter { .. } => return error.into(),
        _ => "",
    };
    Failure::Data(format!("{}: {method}{error}{option}", input::name(path)))
}
