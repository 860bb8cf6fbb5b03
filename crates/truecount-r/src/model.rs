//! Fitted models.

use crate::error::{CallResult, error_value, respond};
use crate::request::RequestList;
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, savvy};
use truecount::LabelledScores;
use truecount::model::Label;
use truecount::quantifier::Quantifier;
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

fn fit(rows: &RequestList, request: &RequestList) -> CallResult {
    let methods = request.texts("methods")?;
    let (family, transform, rates) = (request.text("family")?, request.text("transform")?, request.text("rates")?);
    let settings = SettingsArgs {
        methods: &methods,
        threshold: request.number("threshold")?,
        family: family.as_deref(),
        transform: transform.as_deref(),
        rates: rates.as_deref(),
        cutoff: request.number("cutoff")?,
    };
    let (model, refused) = settings.parse()?.fit(&labelled_scores(rows)?)?;
    let model = match request.label("positive")? {
        Some(label) => model.with_positive(label),
        None => model,
    };
    let refused = refused.into_iter().map(|omitted| (omitted.method.to_string(), error_value(omitted.error)));
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
    let variance_of = |quantifier: &Quantifier| quantifier.variance_sources().map(str::to_owned);
    let notes = notes::variance_notes(model.quantifiers().iter(), variance_of, "interval = \"bootstrap\"");
    notes::fit_notes(model).into_iter().chain(notes.iter().map(|note| note.sentence().to_owned())).collect()
}

/// Returns labelled scores from columns.
pub fn labelled_scores(columns: &RequestList) -> CallResult<LabelledScores> {
    let (Some(scores), Some(positive)) = (columns.numbers("scores")?, columns.flags("positive")?) else {
        return Err(savvy::Error::new("labelled scores are wanted").into());
    };
    let (probabilities, weights) = (columns.numbers("probabilities")?, columns.numbers("weights")?);
    let (positive, clusters): (Vec<bool>, _) = (positive.iter().collect(), columns.indices("clusters")?);
    let rows = LabelledScores::builder(scores.as_slice(), &positive)
        .probabilities(probabilities.as_ref().map(RealSexp::as_slice))
        .weights(weights.as_ref().map(RealSexp::as_slice))
        .clusters(clusters.as_deref());
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
