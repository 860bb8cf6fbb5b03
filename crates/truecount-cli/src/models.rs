//! The requested model: fitted to labelled scores, or read from a file.

use crate::error::CliError;
use crate::options::{ModelArgs, TestArgs, TrainArgs};
use crate::output;
use crate::progress::ProgressBars;
use std::path::{Path, PathBuf};
use truecount::error::Problem;
use truecount::model::{Label, OmittedMethod, Posteriors};
use truecount::{Error, LabelledScores, Model, Settings};
use truecount_tables::groups::{ScoreColumns, TestFiles};
use truecount_tables::{input, model_file};

/// Names of columns with probabilities.
const PROBABILITY_NAMES: [&str; 4] = ["p", "prob", "proba", "probability"];

/// Returns the model for the test scores of these files.
pub fn model_for(test_args: &TestArgs, paths: &[PathBuf]) -> Result<Model, CliError> {
    model_for_files(&test_args.source, test_args.columns.get(), paths)
}

/// Returns the model for the test scores in these columns of the files.
///
/// # Errors
/// Returns an error if only one of the model and the test scores has probabilities.
pub fn model_for_files(source: &ModelArgs, columns: ScoreColumns, paths: &[PathBuf]) -> Result<Model, CliError> {
    input::check_used_once(source.paths().chain(paths))?;
    let model = model(source, &source.train.settings()?, &columns)?;
    match (model.labelled().probabilities(), columns.probability) {
        (Some(_), None) => Err(Problem::ProbabilitiesMissing.into()),
        (None, Some(_)) => Err(Problem::ProbabilitiesUnexpected.into()),
        _ => Ok(model),
    }
}

/// Describes the files, columns and groups of the test scores.
pub fn test_files<'a>(test_args: &'a TestArgs, paths: &'a [PathBuf], columns: ScoreColumns<'a>) -> TestFiles<'a> {
    TestFiles {
        weight: test_args.weight.as_deref(),
        every: test_args.every.for_columns(&test_args.by),
        bands: &test_args.bands,
        ..TestFiles::new(paths, columns, &test_args.by, &ProgressBars)
    }
}

/// Reads the model of a source, or fits one.
pub fn model(source: &ModelArgs, settings: &Settings, columns: &ScoreColumns) -> Result<Model, CliError> {
    match &source.model {
        Some(path) => Ok(model_file::read(path, &ProgressBars)?),
        None => train(&source.train, settings, &source.train_columns.for_labelled_table(*columns)),
    }
}

/// Reads the labelled scores and fits a model.
pub fn train(args: &TrainArgs, settings: &Settings, columns: &ScoreColumns) -> Result<Model, CliError> {
    let Some(path) = &args.labelled.path else {
        return Err(CliError::usage("there are no labelled scores", "add them with --train FILE"));
    };
    let unit_interval = settings.unit_interval(columns.probability.is_some());
    let scores = args.labelled.file(path, *columns, unit_interval).read(&ProgressBars)?;
    let model = learn(&scores, settings, path)?;
    if let Some(note) = probability_note(&model, columns) {
        output::print_message(&note);
    }
    Ok(model.with_positive(Label::from(args.labelled.positive.as_str())))
}

/// Returns a note if a method computes posterior probabilities from scores that are probabilities
/// by their name and their range.
fn probability_note(model: &Model, columns: &ScoreColumns) -> Option<String> {
    let name = columns.score.filter(|name| PROBABILITY_NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)))?;
    let labelled = model.labelled();
    let in_unit_interval = |scores: &[f64]| scores.iter().all(|score| (0.0..=1.0).contains(score));
    let are_probabilities = in_unit_interval(labelled.positive()) && in_unit_interval(labelled.negative());
    let methods: Vec<String> =
        model.settings().methods.iter().filter(|method| method.reads_posteriors()).map(ToString::to_string).collect();
    (model.posteriors() == Some(Posteriors::Fitted) && are_probabilities).then(|| {
        format!(
            "note: the probabilities for {} are computed from the fitted classes; if those in the column '{name}' are \
             calibrated, add --prob {name}",
            methods.join(", ")
        )
    })
}

/// Fits a model to labelled scores from this file, with a warning for each method that is left out.
///
/// # Errors
/// Returns an error if the scores or the settings allow no model.
pub fn learn(scores: &LabelledScores, settings: &Settings, path: &Path) -> Result<Model, CliError> {
    let in_file = |error: Error| CliError::from(error.in_file(input::name(path)));
    let model = Model::fit(scores, settings).map_err(in_file)?;
    for OmittedMethod { method, error } in model.omitted() {
        output::print_message(&format!("warning: left out: {}", in_file(error.clone().for_method(*method))));
    }
    Ok(model)
}
