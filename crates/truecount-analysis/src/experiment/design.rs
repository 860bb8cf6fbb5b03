//! The design of an experiment, as its file specifies it.

use super::errors::distinct;
use super::protocol::{Protocol, ProtocolSpec, experiment_error, invalid_value};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use truecount::evaluation::Measure;
use truecount::model::SettingsRequest;
use truecount::multiclass::MulticlassMethod;
use truecount::{Error, IntervalOptions, Settings, Target};

/// The contents of the file, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentSpec {
    #[serde(default = "all_methods", deserialize_with = "one_or_more")]
    methods: Vec<String>,
    family: Option<String>,
    transform: Option<String>,
    rates: Option<String>,
    samples: Option<u32>,
    sizes: Option<Vec<u32>>,
    seed: Option<u64>,
    level: Option<f64>,
    measure: Option<String>,
    reference: Option<String>,
    #[serde(default)]
    training: Vec<TrainingSpec>,
    scores: Vec<ScoreFiles>,
    #[serde(default)]
    protocol: Vec<ProtocolSpec>,
}

fn all_methods() -> Vec<String> {
    vec!["all".to_owned()]
}

/// Reads one name or a list of names.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a name, or a list of names")]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(name) => vec![name],
        OneOrMore::More(names) => names,
    })
}

/// The specification of labelled samples, which are drawn from the labelled scores.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// Number of scores in each sample.
    pub size: u32,
    /// Prevalence of each sample; `None` draws simple random samples.
    pub prevalence: Option<f64>,
    /// Number of samples.
    #[serde(default = "default_repeats")]
    pub repeats: u32,
}

/// The files with a classifier's scores of a data set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the book says what the keys are
pub struct ScoreFiles {
    pub data: String,
    #[serde(default)]
    pub classifier: String,
    /// Description of the labelled scores, such as their split.
    #[serde(default)]
    pub training: String,
    pub train: PathBuf,
    pub pool: PathBuf,
    pub score: Option<String>,
    pub probability: Option<String>,
    /// The columns of several classes; empty for two classes.
    #[serde(default, rename = "class-scores", alias = "class_scores", deserialize_with = "one_or_more")]
    pub class_scores: Vec<String>,
    pub label: Option<String>,
    pub positive: Option<String>,
}

/// The checked design of an experiment.
#[allow(missing_docs)] // the book says what the keys are
pub struct ExperimentDesign {
    /// The settings for two classes.
    pub settings: Settings,
    /// The methods for several classes; empty for two classes, whose methods are in the settings.
    pub class_methods: Vec<MulticlassMethod>,
    /// The names of the methods.
    pub methods: Vec<String>,
    /// Number of test samples for each cell, labelled sample and setting; `None` for the default of the protocol.
    pub samples: Option<u32>,
    pub sizes: Vec<u32>,
    pub seed: u64,
    pub level: f64,
    pub measure: Measure,
    pub reference: String,
    /// `None` stands for all labelled scores as they are.
    pub training: Vec<Option<TrainingSpec>>,
    pub scores: Vec<ScoreFiles>,
    pub protocols: Vec<Protocol>,
}

fn default_repeats() -> u32 {
    1
}

impl ExperimentSpec {
    /// Checks the specification. Paths are relative to the folder.
    ///
    /// # Errors
    /// Returns an error for values that are impossible or contradict each other.
    pub fn into_design(self, folder: &Path) -> Result<ExperimentDesign, Error> {
        if self.methods.is_empty() {
            return Err(experiment_error("methods = []", "name one or more, or \"all\""));
        }
        let class_methods = self.class_methods()?;
        let methods = if class_methods.is_empty() { self.methods } else { all_methods() };
        let (family, transform) = (parse_option(self.family)?, parse_option(self.transform)?);
        let request = SettingsRequest {
            methods,
            family,
            transform,
            rates: parse_option(self.rates)?,
            ..SettingsRequest::default()
        };
        // A method that cannot be fitted to the labelled scores of a data set has no estimates there.
        let settings = request.settings().map_err(|e| invalid_value(&e))?;
        let mut names: Vec<String> = class_methods.iter().map(ToString::to_string).collect();
        if names.is_empty() {
            names = settings.methods.iter().map(ToString::to_string).collect();
        }
        let reference = self.reference.unwrap_or_else(|| names[0].clone());
        if !names.contains(&reference) {
            return Err(experiment_error(
                format!("reference = \"{reference}\" is not one of the methods"),
                format!("the methods are {}", names.join(", ")),
            ));
        }
        let (level, sizes) = (self.level.unwrap_or(0.95), self.sizes.unwrap_or_else(|| vec![250]));
        IntervalOptions::new(level, Target::Sample).map_err(|e| invalid_value(&e))?;
        if self.scores.is_empty() || sizes.is_empty() || sizes.contains(&0) || self.samples == Some(0) {
            let hint = "name scores in [[scores]], with samples and sizes of 1 or more";
            return Err(experiment_error("scores are missing, or samples or sizes are 0", hint));
        }
        check_distinct(sizes.iter(), |size| (format!("sizes: {size} is there twice"), "name each size once"))?;
        let scores = self.scores.into_iter().map(|files| ScoreFiles {
            train: folder.join(files.train),
            pool: folder.join(files.pool),
            ..files
        });
        let scores: Vec<ScoreFiles> = scores.collect();
        let key = |files: &ScoreFiles| (files.data.clone(), files.classifier.clone(), files.training.clone());
        check_distinct(scores.iter().map(key), |(data, classifier, training)| {
            let problem = format!(
                "[[scores]]: two have data = \"{data}\", classifier = \"{classifier}\", training = \"{training}\""
            );
            (problem, "give them different names")
        })?;
        if let Some(files) = scores.iter().find(|files| files.train == files.pool) {
            return Err(experiment_error(
                format!(
                    "[[scores]] of {}: the errors would be too small, as train and pool are the same file",
                    files.data
                ),
                "divide the labelled scores at random into two files, one for each",
            ));
        }
        let training: Vec<Option<TrainingSpec>> =
            if self.training.is_empty() { vec![None] } else { self.training.into_iter().map(Some).collect() };
        if training.iter().flatten().any(|spec| spec.size == 0 || spec.repeats == 0) {
            return Err(experiment_error("[[training]]: size or repeats is 0", "they must be 1 or more"));
        }
        let key = |spec: &Option<TrainingSpec>| spec.as_ref().map(|spec| (spec.size, spec.prevalence));
        check_distinct(training.iter().map(key), |_| {
            ("[[training]]: two entries are equal".to_owned(), "keep one, with more repeats")
        })?;
        let specs = if self.protocol.is_empty() { vec![ProtocolSpec::default()] } else { self.protocol };
        let protocols = specs.into_iter().map(ProtocolSpec::into_protocol).collect::<Result<Vec<_>, _>>()?;
        for name in protocols.iter().flat_map(Protocol::data) {
            if !scores.iter().any(|files| files.data == *name) {
                return Err(experiment_error(
                    format!("[[protocol]]: no [[scores]] are of the data set '{name}'"),
                    "name a data set of [[scores]]",
                ));
            }
        }
        protocols.iter().try_for_each(|protocol| protocol.samples(self.samples).map(drop))?;
        check_distinct(protocols.iter().map(Protocol::slug), |slug| {
            (format!("[[protocol]]: two have the name '{slug}'"), "give each its own name (name = \"…\")")
        })?;
        Ok(ExperimentDesign {
            settings,
            class_methods,
            methods: names,
            samples: self.samples,
            sizes,
            seed: self.seed.unwrap_or(1),
            level,
            measure: parse_option(self.measure)?.unwrap_or(Measure::AbsoluteError),
            reference,
            training,
            scores,
            protocols,
        })
    }

    /// Returns the methods for several classes, or an empty list for two classes.
    fn class_methods(&self) -> Result<Vec<MulticlassMethod>, Error> {
        let any = |condition: fn(&ScoreFiles) -> bool| self.scores.iter().any(condition);
        if !any(|files| !files.class_scores.is_empty()) {
            return Ok(Vec::new());
        }
        let is_other_measure = !["mae", "mse", "mrae"].contains(&self.measure.as_deref().unwrap_or("mae"));
        let has_prevalence = self.training.iter().any(|spec| spec.prevalence.is_some());
        let is_other_protocol = !self.protocol.iter().all(ProtocolSpec::is_for_classes);
        let for_two_classes = [
            (any(|files| files.class_scores.is_empty()), "[[scores]] without class-scores"),
            (any(|files| files.score.is_some() || files.probability.is_some()), "score or probability"),
            (any(|files| files.positive.is_some()), "positive"),
            (self.family.is_some() || self.transform.is_some() || self.rates.is_some(), "family, transform or rates"),
            (is_other_measure, "a measure that is not mae, mse or mrae"),
            (has_prevalence, "[[training]] with prevalence"),
            (is_other_protocol, "[[protocol]] that is not prior shift with \"uniform\" or \"natural\" prevalences"),
        ];
        if let Some((_, what)) = for_two_classes.into_iter().find(|(is_there, _)| *is_there) {
            let hint = "leave one of them out, or write two experiments";
            return Err(experiment_error(format!("class-scores cannot be used with {what}"), hint));
        }
        if self.methods == all_methods() {
            return Ok(MulticlassMethod::TABLE.iter().map(|(_, method, _)| *method).collect());
        }
        let methods = self.methods.iter().map(|name| name.parse()).collect::<Result<Vec<_>, _>>();
        Ok(distinct(methods.map_err(|e| invalid_value(&e))?.into_iter()))
    }
}

fn parse_option<T: FromStr<Err = Error>>(name: Option<String>) -> Result<Option<T>, Error> {
    name.map(|name| name.parse()).transpose().map_err(|e| invalid_value(&e))
}

/// Returns an error if a value appears twice.
fn check_distinct<T: PartialEq>(
    values: impl Iterator<Item = T>,
    message: impl Fn(&T) -> (String, &'static str),
) -> Result<(), Error> {
    let mut known: Vec<T> = Vec::new();
    for value in values {
        if known.contains(&value) {
            let (problem, hint) = message(&value);
            return Err(experiment_error(problem, hint));
        }
        known.push(value);
    }
    Ok(())
}
