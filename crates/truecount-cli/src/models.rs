//! The model that was asked for: learnt from labelled scores, or read from a file.

use crate::failure::Failure;
use crate::options::{Source, Tested, Train};
use crate::output;
use crate::progress::Bars;
use std::path::{Path, PathBuf};
use truecount::{LabelledScores, Method, Model, Settings};
use truecount_io::groups::{ScoreColumns, TestFiles};
use truecount_io::input;
use truecount_io::model_file;

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
pub fn test_files<'a>(tested: &'a Tested, paths: &'a [PathBuf], columns: ScoreColumns<'a>) -> TestFiles<'a> {
    TestFiles { paths, columns, weight: tested.weight.as_deref(), by: &tested.by, progress: &Bars }
}

/// The model of a file, or a new one.
pub fn model(source: &Source, settings: &Settings, columns: &ScoreColumns) -> Result<Model, Failure> {
    match &source.model {
        Some(path) => Ok(model_file::read(path, &Bars)?),
        None => train(&source.train, settings, columns),
    }
}

/// What the labelled scores allow of the settings.
pub fn train(args: &Train, settings: &Settings, columns: &ScoreColumns) -> Result<Model, Failure> {
    let Some(path) = &args.labelled.path else {
        return Err(Failure::Usage("labelled scores are missing: give them with --train FILE".to_owned()));
    };
    let unit_interval = settings.unit_interval(columns.probability.is_some());
    let scores = args.labelled.file(path, *columns, unit_interval).read(&Bars)?;
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
