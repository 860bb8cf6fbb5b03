//! A fitted model.

use crate::asked::Asked;
use crate::failure::{Failure, answer, described};
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::quantifier::Quantifier;
use truecount::{Label, LabelledRows, LabelledScores, Request, Settings};
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;

/// Labelled scores with the quantifiers that were fitted to them.
#[savvy]
pub struct Model {
    pub inner: truecount::Model,
}

/// Fits the methods, and tells which of them the labelled scores do not allow.
#[savvy]
pub fn fit_model(labelled: ListSexp, settings: ListSexp) -> Result<Sexp> {
    answer(fitted(&labelled.into(), &settings.into()))
}

/// A model from its text.
#[savvy]
pub fn open_model(text: &str) -> Result<Sexp> {
    answer(truecount::Model::from_json(text).map(|model| told(model, Vec::new())).map_err(Failure::from))
}

fn fitted(labelled: &Asked, settings: &Asked) -> std::result::Result<Value, Failure> {
    let scores = self::labelled(labelled)?;
    let found = truecount::Model::fit_telling(&scores, &self::settings(settings)?);
    let (model, refused) = found.map_err(|refusal| Failure::Library {
        place: refusal.method.map(|method| ("method", Value::text(method.to_string()))).into_iter().collect(),
        error: refusal.error,
    })?;
    let model = match settings.text("positive")? {
        Some(label) => model.with_positive(Label::Text(label)),
        None => model,
    };
    let refused = refused.into_iter().map(|(method, error)| (method.to_string(), described(&error, Vec::new())));
    Ok(told(model, refused.collect()))
}

/// A model, its text, and what R shows of it.
fn told(model: truecount::Model, refused: Vec<(String, Value)>) -> Value {
    let scores = model.labelled().scores();
    Value::named([
        ("text", Value::text(model.to_json())),
        ("fingerprint", Value::text(model.fingerprint())),
        ("methods", Value::texts(model.quantifiers().iter().map(|of| of.method().to_string()))),
        ("labelled", Value::Wholes(vec![scores.positive.len() as u64, scores.negative.len() as u64])),
        ("accounts", Value::Texts(model.quantifiers().iter().map(|of| of.variance_of().map(str::to_owned)).collect())),
        ("learnt", Value::texts(model.quantifiers().iter().map(|of| learnt(of)))),
        ("refused", Value::List(refused)),
        ("model", Value::Model(Box::new(Model { inner: model }))),
    ])
}

fn learnt(_: &Quantifier) -> String {
    String::new()
}

/// Labelled scores from columns.
pub fn labelled(asked: &Asked) -> std::result::Result<LabelledScores, Failure> {
    let (scores, positive) = (asked.numbers("scores")?, asked.flags("positive")?);
    let (Some(scores), Some(positive)) = (scores, positive) else {
        return Err(savvy::Error::new("labelled scores are wanted").into());
    };
    let probabilities = asked.numbers("probabilities")?;
    let weights = asked.numbers("weights")?;
    let clusters: Option<Vec<u32>> =
        asked.places("clusters")?.map(|places| places.iter().map(|place| place.unsigned_abs()).collect());
    let positive: Vec<bool> = positive.iter().collect();
    let rows = LabelledRows {
        scores: scores.as_slice(),
        positive: &positive,
        probabilities: probabilities.as_ref().map(savvy::RealSexp::as_slice),
        weights: weights.as_ref().map(savvy::RealSexp::as_slice),
        clusters: clusters.as_deref(),
    };
    Ok(LabelledScores::from_rows(&rows)?)
}

fn settings(asked: &Asked) -> std::result::Result<Settings, Failure> {
    let threshold = asked.number("threshold")?.map(|p| PDelta::new(p).map(Threshold::Fixed)).transpose()?;
    let request = Request {
        methods: asked.texts("methods")?,
        threshold,
        family: asked.text("family")?.map(|name| name.parse()).transpose()?,
        transform: asked.text("transform")?.map(|name| name.parse()).transpose()?,
        anchor: asked.text("anchor")?.map(|name| name.parse()).transpose()?,
        cutoff: asked.number("cutoff")?,
    };
    Ok(request.settings()?)
}
