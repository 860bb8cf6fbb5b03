//! The model that was asked for: learnt from labelled scores, or read from a file.

use crate::failure::CliError;
use crate::options::{ModelArgs, TestArgs, Train};
use crate::output;
use crate::progress::ProgressBars;
use std::path::{Path, PathBuf};
use truecount::{Error, Label, LabelledScores, Model, Problem, Settings};
use truecount_tables::groups::{ScoreColumns, TestFiles};
use truecount_tables::input;
use truecount_tables::model_file;

/// The model for test scores of these files.
pub fn model_for(tested: &TestArgs, paths: &[PathBuf]) -> Result<Model, CliError> {
    model_of(&tested.source, tested.columns.get(), paths)
}

/// The same by its source and the columns that are read.
pub fn model_of(source: &ModelArgs, columns: ScoreColumns, paths: &[PathBuf]) -> Result<Model, CliError> {
    input::once_each(source.path().into_iter().chain(paths))?;
    let model = model(source, &source.train.settings()?, &columns)?;
    match (model.labelled().probabilities(), columns.probability) {
        (Some(_), None) => Err(Problem::ProbabilitiesMissing.into()),
        (None, Some(_)) => Err(Problem::ProbabilitiesUnknown.into()),
        _ => Ok(model),
    }
}

/// Where test scores are read.
pub fn test_files<'a>(tested: &'a TestArgs, paths: &'a [PathBuf], columns: ScoreColumns<'a>) -> TestFiles<'a> {
    TestFiles {
        paths,
        columns,
        weight: tested.weight.as_deref(),
        by: &tested.by,
        fingerprint: None,
        progress: &ProgressBars,
    }
}

/// The model of a file, or a new one.
pub fn model(source: &ModelArgs, settings: &Settings, columns: &ScoreColumns) -> Result<Model, CliError> {
    match &source.model {
        Some(path) => Ok(model_file::read(path, &ProgressBars)?),
        None => train(&source.train, settings, columns),
    }
}

/// What the labelled scores allow of the settings.
pub fn train(args: &Train, settings: &Settings, columns: &ScoreColumns) -> Result<Model, CliError> {
    let Some(path) = &args.labelled.path else {
        return Err(CliError::Usage("labelled scores are missing: give them with --train FILE".to_owned()));
    };
    let unit_interval = settings.unit_interval(columns.probability.is_some());
    let scores = args.labelled.file(path, *columns, unit_interval).read(&ProgressBars)?;
    Ok(learn(&scores, settings, path)?.with_positive(Label::from(args.labelled.positive.as_str())))
}

/// The model of labelled scores that came from that file. Methods that are left out are only warned about.
///
/// # Errors
/// If the scores or the settings allow no model.
pub fn learn(scores: &LabelledScores, settings: &Settings, path: &Path) -> Result<Model, CliError> {
    let within = |error: Error| CliError::from(error.in_file(input::name(path)));
    let (model, left_out) = Model::fit_available(scores, settings).map_err(within)?;
    for (method, error) in left_out {
        output::say(&format!("warning: left out, {}", within(error.for_method(method))));
    }
    Ok(model)
}
