//! A fitted model.

use crate::asked::RequestList;
use crate::failure::{RError, answer, described};
use crate::value::Value;
use savvy::{ListSexp, RealSexp, Result, Sexp, savvy};
use truecount::quantifier::Quantifier;
use truecount::{Label, LabelledRows, LabelledScores};
use truecount_analysis::estimates::FittedModel;
use truecount_analysis::notes;
use truecount_analysis::options::SettingsArgs;

/// Labelled scores with the quantifiers that were fitted to them.
#[savvy]
pub struct Model {
    pub fitted: FittedModel,
}

/// Fits the methods, and tells which of them the labelled scores do not allow.
#[savvy]
pub fn fit_model(labelled: ListSexp, settings: ListSexp) -> Result<Sexp> {
    answer(|| fitted(&labelled.into(), &settings.into()))
}

/// A model from its text.
#[savvy]
pub fn open_model(text: &str) -> Result<Sexp> {
    answer(|| Ok(known(truecount::Model::from_json(text)?, Vec::new())))
}

fn fitted(rows: &RequestList, asked: &RequestList) -> std::result::Result<Value, RError> {
    let methods = asked.texts("methods")?;
    let (family, transform, anchor) = (asked.text("family")?, asked.text("transform")?, asked.text("rates")?);
    let settings = SettingsArgs {
        methods: &methods,
        threshold: asked.number("threshold")?,
        family: family.as_deref(),
        transform: transform.as_deref(),
        rates: anchor.as_deref(),
        cutoff: asked.number("cutoff")?,
    };
    let (model, refused) = truecount::Model::fit_available(&labelled(rows)?, &settings.parse()?)?;
    let model = match asked.label("positive")? {
        Some(label) => model.with_positive(label),
        None => model,
    };
    let refused = refused.into_iter().map(|(method, error)| (method.to_string(), described(error)));
    Ok(known(model, refused.collect()))
}

/// A model, its text, and what R shows of it.
fn known(model: truecount::Model, refused: Vec<(String, Value)>) -> Value {
    let scores = model.labelled().scores();
    let positive = model.positive().map_or(Value::Null, |label| match label {
        Label::Flag(flag) => Value::Flags(vec![Some(*flag)]),
        Label::Whole(whole) => Value::text(whole.to_string()),
        Label::Number(number) => Value::number(*number),
        Label::Text(text) => Value::text(text.as_str()),
    });
    Value::named([
        ("text", Value::text(model.to_json())),
        ("methods", Value::texts(model.quantifiers().iter().map(|of| of.method().to_string()))),
        ("labelled", Value::Wholes(vec![scores.positive.len() as u64, scores.negative.len() as u64])),
        ("positive", positive),
        ("told", Value::texts(told_of(&model))),
        ("parameters", serde_json::from_str(&model.learnt_json()).map_or(Value::Null, Value::json)),
        ("refused", Value::List(refused)),
        ("model", Value::held(Model { fitted: FittedModel::new(model) })),
    ])
}

/// What was fitted and what standard errors account for, in words.
fn told_of(model: &truecount::Model) -> Vec<String> {
    let variance_of = |quantifier: &Quantifier| quantifier.variance_of().map(str::to_owned);
    let notes = notes::variance_notes(model.quantifiers().iter(), variance_of, "interval = \"bootstrap\"");
    notes::fit_notes(model).into_iter().chain(notes.iter().map(|note| note.sentence().to_owned())).collect()
}

/// Labelled scores from columns.
pub fn labelled(asked: &RequestList) -> std::result::Result<LabelledScores, RError> {
    let (Some(scores), Some(positive)) = (asked.numbers("scores")?, asked.flags("positive")?) else {
        return Err(savvy::Error::new("labelled scores are wanted").into());
    };
    let (probabilities, weights) = (asked.numbers("probabilities")?, asked.numbers("weights")?);
    let (positive, clusters): (Vec<bool>, _) = (positive.iter().collect(), asked.numbered("clusters")?);
    let rows = LabelledRows {
        scores: scores.as_slice(),
        positive: &positive,
        probabilities: probabilities.as_ref().map(RealSexp::as_slice),
        weights: weights.as_ref().map(RealSexp::as_slice),
        clusters: clusters.as_deref(),
    };
    Ok(LabelledScores::from_rows(&rows)?)
}

/// Models that a call is given, one at least.
pub fn all(models: &ListSexp) -> Result<Vec<&Model>> {
    let models = models.values_iter().map(<&Model>::try_from).collect::<Result<Vec<_>>>()?;
    if models.is_empty() { Err(savvy::Error::new("a model is wanted")) } else { Ok(models) }
}
