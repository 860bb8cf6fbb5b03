//! Fitted models.

use crate::error::{CallResult, error_value, respond};
use crate::request::RequestList;
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, StringSexp, savvy};
use truecount::error::Condition;
use truecount::model::Label;
use truecount::quantifier::{Operation, Quantifier};
use truecount::{Error, LabelledScores};
use truecount_analysis::estimates::FittedModel;
use truecount_analysis::notes;
use truecount_analysis::options::SettingsArgs;

/// A fitted model: labelled scores and quantifiers.
#[savvy]
pub struct Model {
    pub fitted: FittedModel,
}

/// Fits a model. The result names the methods that the labelled scores do not allow.
#[savvy]
pub fn fit_model(labelled: ListSexp, settings: ListSexp) -> Result<Sexp> {
    respond(|| fit(&labelled.into(), &settings.into()))
}

/// Reads a model from JSON.
#[savvy]
pub fn parse_model(text: &str) -> Result<Sexp> {
    respond(|| Ok(model_value(truecount::Model::from_json(text)?, Vec::new())))
}

/// Refits a model with only those methods that support all given operations. An operation is named by
/// the code of the error for methods that do not support it.
/// Returns NULL if all methods support them. The result names the other methods.
#[savvy]
pub fn restrict_model(model: &Model, operations: StringSexp) -> Result<Sexp> {
    respond(|| restrict(model.fitted.model(), &operations.to_vec()))
}

fn restrict(model: &truecount::Model, operations: &[&str]) -> CallResult {
    let (mut able, mut refused) = (Vec::new(), Vec::new());
    for method in model.quantifiers().iter().map(Quantifier::method) {
        let errors = Operation::ALL.iter().filter(|operation| !operation.is_supported_by(method));
        let mut errors = errors.map(|operation| operation.unsupported_by([method]));
        match errors.find(|error| operations.contains(&error.code())) {
            Some(error) => refused.push((method.to_string(), Error::from(error))),
            None => able.push(method),
        }
    }
    if refused.is_empty() {
        return Ok(Value::Null);
    }
    if able.is_empty() {
        return Err(refused.swap_remove(0).1.into());
    }
    let fitted = truecount::Model::fit(model.labelled(), &model.settings().clone().with_methods(able))?;
    let fitted = match model.positive() {
        Some(label) => fitted.with_positive(label.clone()),
        None => fitted,
    };
    Ok(model_value(fitted, refused.into_iter().map(|(method, error)| (method, error_value(error))).collect()))
}

fn fit(rows: &RequestList, request: &RequestList) -> CallResult {
    let settings: SettingsArgs = request.read()?;
    let model = settings.fit(&labelled_scores(rows)?)?;
    let refused =
        model.omitted().to_vec().into_iter().map(|omitted| (omitted.method.to_string(), error_value(omitted.error)));
    Ok(model_value(model, refused.collect()))
}

/// Returns a model as a list for R: the model, its JSON, and its description.
fn model_value(model: truecount::Model, refused: Vec<(String, Value)>) -> Value {
    let scores = model.labelled().scores();
    let positive = model.positive().map_or(Value::Null, |label| match label {
        Label::Bool(flag) => Value::Flags(vec![Some(*flag)]),
        Label::Integer(whole) => Value::text(whole.to_string()),
        Label::Number(number) => Value::number(*number),
        Label::Text(text) => Value::text(text.as_str()),
    });
    Value::named([
        ("text", Value::text(model.to_json())),
        ("methods", Value::texts(model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()))),
        ("labelled", Value::Counts(vec![scores.positive.len() as u64, scores.negative.len() as u64])),
        ("positive", positive),
        ("notes", Value::texts(model_notes(&model))),
        ("parameters", serde_json::from_str(&model.parameters_json()).map_or(Value::Null, Value::json)),
        ("refused", Value::List(refused)),
        ("model", Value::pointer(Model { fitted: FittedModel::new(model) })),
    ])
}

/// Returns notes about the fit and about the sources of error that standard errors include.
fn model_notes(model: &truecount::Model) -> Vec<String> {
    let notes = notes::variance_notes(model.quantifiers().iter(), None, "interval = \"bootstrap\"");
    notes::fit_notes(model).into_iter().chain(notes.iter().map(|note| note.sentence().to_owned())).collect()
}

pub fn labelled_scores(columns: &RequestList) -> CallResult<LabelledScores> {
    let (Some(scores), Some(positive)) = (columns.numbers("scores")?, columns.flags("positive")?) else {
        return Err(savvy::Error::new("labelled scores are wanted").into());
    };
    let (probabilities, weights) = (columns.numbers("probabilities")?, columns.numbers("weights")?);
    let positive: Vec<bool> = positive.iter().collect();
    let (clusters, strata) = (columns.indices("clusters")?, columns.indices("strata")?);
    let rows = LabelledScores::builder(scores.as_slice(), &positive)
        .probabilities(probabilities.as_ref().map(RealSexp::as_slice))
        .weights(weights.as_ref().map(RealSexp::as_slice))
        .clusters(clusters.as_deref())
        .strata(strata.as_deref());
    Ok(rows.build()?)
}

/// Returns the models of a list.
///
/// # Errors
/// Returns an error for an empty list.
pub fn model_refs(models: &ListSexp) -> Result<Vec<&Model>> {
    let models = models.values_iter().map(<&Model>::try_from).collect::<Result<Vec<_>>>()?;
    if models.is_empty() { Err(savvy::Error::new("a model is wanted")) } else { Ok(models) }
}
