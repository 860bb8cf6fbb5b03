//! What an experiment's file says, and what that means.

use super::protocol::{Protocol, ProtocolSpec as TypedProtocol};
use crate::failure::CliError;
use crate::options::{LABEL, POSITIVE};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use truecount::evaluation::Measure;
use truecount::{IntervalOptions, Request, Settings, Target};
use truecount_analysis::SCORE;

/// The file as it is typed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentSpec {
    #[serde(default = "all")]
    methods: OneOrMore,
    family: Option<String>,
    transform: Option<String>,
    rates: Option<String>,
    samples: Option<u32>,
    #[serde(default = "sizes")]
    sizes: Vec<u32>,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default = "level")]
    level: f64,
    #[serde(default = "measure")]
    measure: String,
    reference: Option<String>,
    #[serde(default)]
    training: Vec<TrainingSpec>,
    scores: Vec<Scores>,
    #[serde(default)]
    protocol: Vec<TypedProtocol>,
}

/// One name, or a list of them.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a name, or a list of names")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// How labelled samples are drawn from the labelled scores.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// Scores in each.
    pub size: u32,
    /// Their share of positives; without it that of a simple random sample.
    pub prevalence: Option<f64>,
    /// How many of them.
    #[serde(default = "repeats")]
    pub repeats: u32,
}

/// A classifier's scores of a data set.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    pub data: String,
    #[serde(default)]
    pub classifier: String,
    /// How its labelled scores came about.
    #[serde(default)]
    pub training: String,
    pub train: PathBuf,
    pub pool: PathBuf,
    #[serde(default = "score")]
    pub score: String,
    pub probability: Option<String>,
    #[serde(default = "label")]
    pub label: String,
    #[serde(default = "positive")]
    pub positive: String,
}

/// An experiment.
pub struct ExperimentDesign {
    pub settings: Settings,
    /// Samples of each cell, labelled sample and setting; where none are given, what the protocol takes by default.
    pub samples: Option<u32>,
    pub sizes: Vec<u32>,
    pub seed: u64,
    pub level: f64,
    pub measure: Measure,
    pub reference: String,
    /// None for the labelled scores as they are.
    pub training: Vec<Option<TrainingSpec>>,
    pub scores: Vec<Scores>,
    pub protocols: Vec<Protocol>,
}

fn all() -> OneOrMore {
    OneOrMore::One("all".to_owned())
}

fn sizes() -> Vec<u32> {
    vec![250]
}

fn one() -> u64 {
    1
}

fn level() -> f64 {
    0.95
}

fn measure() -> String {
    Measure::AbsoluteError.to_string()
}

fn repeats() -> u32 {
    1
}

fn score() -> String {
    SCORE.to_owned()
}

fn label() -> String {
    LABEL.to_owned()
}

fn positive() -> String {
    POSITIVE.to_owned()
}

impl ExperimentDesign {
    /// The experiment of a file; paths in it begin in the file's folder.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let text = fs::read_to_string(path).map_err(CliError::at(path.display()))?;
        let typed: ExperimentSpec = toml::from_str(&text).map_err(|e| {
            let line = e.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            CliError::Data(format!("{}, line {line}: {}", path.display(), e.message()))
        })?;
        typed.meant(path.parent().unwrap_or(Path::new(""))).map_err(|what| what.inside(&path.display().to_string()))
    }
}

impl ExperimentSpec {
    fn meant(self, folder: &Path) -> Result<ExperimentDesign, CliError> {
        let methods = match self.methods {
            OneOrMore::One(name) => vec![name],
            OneOrMore::More(names) => names,
        };
        if methods.is_empty() {
            return Err(CliError::Data("methods = []: name one or more, or \"all\"".to_owned()));
        }
        let (family, transform) = (choice(self.family)?, choice(self.transform)?);
        let request = Request { methods, family, transform, rates: choice(self.rates)?, ..Request::default() };
        // A method that the labelled scores of one data set do not allow has no estimates there.
        let settings = Settings { may_leave_out: true, ..request.settings().map_err(|e| wrong(&e))? };
        let names: Vec<String> = settings.methods.iter().map(ToString::to_string).collect();
        let against = self.reference.unwrap_or_else(|| names[0].clone());
        if !names.contains(&against) {
            return Err(CliError::Data(format!("against = \"{against}\" is none of the methods")));
        }
        IntervalOptions::new(self.level, Target::Sample).map_err(|e| wrong(&e))?;
        if self.scores.is_empty() || self.sizes.is_empty() || self.sizes.contains(&0) || self.samples == Some(0) {
            let what = "an experiment needs scores ([[scores]]), samples of 1 or more, and sizes of 1 or more";
            return Err(CliError::Data(what.to_owned()));
        }
        once(self.sizes.iter(), |size| format!("sizes: {size} is there twice"))?;
        let within = |path: PathBuf| folder.join(path);
        let scores: Vec<Scores> =
            self.scores.into_iter().map(|of| Scores { train: within(of.train), pool: within(of.pool), ..of }).collect();
        let key = |of: &Scores| (of.data.clone(), of.classifier.clone(), of.training.clone());
        once(scores.iter().map(key), |(data, classifier, training)| {
            format!(
                "[[scores]]: there are two of data = \"{data}\", classifier = \"{classifier}\", training = \"{training}\"; name them apart"
            )
        })?;
        if let Some(of) = scores.iter().find(|of| of.train == of.pool) {
            return Err(CliError::Data(format!(
                "[[scores]] of {}: train and pool are the same file; errors on what the methods have learnt from are too small",
                of.data
            )));
        }
        let training: Vec<Option<TrainingSpec>> =
            if self.training.is_empty() { vec![None] } else { self.training.into_iter().map(Some).collect() };
        if training.iter().flatten().any(|of| of.size == 0 || of.repeats == 0) {
            return Err(CliError::Data("[[training]]: size and repeats are 1 or more".to_owned()));
        }
        let drawn = |of: &Option<TrainingSpec>| of.as_ref().map(|of| (of.size, of.prevalence));
        once(training.iter().map(drawn), |_| "[[training]]: two are alike; give one of them more repeats".to_owned())?;
        let typed = if self.protocol.is_empty() { vec![TypedProtocol::default()] } else { self.protocol };
        let protocols = typed.into_iter().map(TypedProtocol::meant).collect::<Result<Vec<_>, _>>()?;
        for name in protocols.iter().flat_map(Protocol::data) {
            if !scores.iter().any(|of| of.data == *name) {
                return Err(CliError::Data(format!("[[protocol]]: data names '{name}', which no [[scores]] are of")));
            }
        }
        protocols.iter().try_for_each(|protocol| protocol.samples(self.samples).map(drop))?;
        once(protocols.iter().map(Protocol::slug), |slug| {
            format!("[[protocol]]: two are called '{slug}'; give each a name of its own (name = \"…\")")
        })?;
        Ok(ExperimentDesign {
            settings,
            samples: self.samples,
            sizes: self.sizes,
            seed: self.seed,
            level: self.level,
            measure: self.measure.parse().map_err(|e| wrong(&e))?,
            reference: against,
            training,
            scores,
            protocols,
        })
    }
}

/// The choice of that name.
fn choice<T: FromStr<Err = truecount::Error>>(name: Option<String>) -> Result<Option<T>, CliError> {
    name.map(|name| name.parse()).transpose().map_err(|e| wrong(&e))
}

/// What is wrong with what the file says.
fn wrong(error: &truecount::Error) -> CliError {
    CliError::Data(error.to_string())
}

/// Refuses values that appear twice.
fn once<T: PartialEq>(values: impl Iterator<Item = T>, say: impl Fn(&T) -> String) -> Result<(), CliError> {
    let mut known: Vec<T> = Vec::new();
    for value in values {
        if known.contains(&value) {
            return Err(CliError::Data(say(&value)));
        }
        known.push(value);
    }
    Ok(())
}
